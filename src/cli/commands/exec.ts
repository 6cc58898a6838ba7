/** Ways into containers: commands, their own program, files, ports. */
import { attachTo, execIn, readAll, type ContainerTarget, type Pod, type RemoteCommand } from '../../client/index.ts';
import { encodeText, inBackground } from '../../std/index.ts';
import { command, type Call } from '../command/command.ts';
import { CommandError, complaint } from '../command/errors.ts';
import { duration, text, texts, toggle } from '../command/flags.ts';
import { podsBehind } from '../server/podOf.ts';

const timeout = duration(
  'The length of time (like 5s, 2m, or 3h, higher than zero) to wait until at least one pod is running',
  { initial: 60_000 },
);

const flags = {
  container: text('Container name. If omitted, the first container in the pod will be chosen', { short: 'c' }),
  'pod-running-timeout': timeout,
  stdin: toggle('Pass stdin to the container', { short: 'i' }),
  tty: toggle('Stdin is a TTY', { short: 't' }),
};

type EnterCall = Call<typeof flags>;

export const exec = command({
  name: 'exec',
  summary: 'Execute a command in a container',
  usage: '(POD | TYPE/NAME) [-c CONTAINER] [flags] -- COMMAND [args...]',
  flags,
  run: async (call) => {
    const { args, argsBeforeDash, session } = call;
    const [word, ...words] = args;
    if (word === undefined || argsBeforeDash === 0) throw complaint('pod, type/name or --filename must be specified');
    if (words.length === 0) throw complaint('you must specify at least one command for the container');
    if (argsBeforeDash < 0)
      session.err(
        `${session.program} exec [POD] [COMMAND] is DEPRECATED and will be removed in a future version. Use ${session.program} exec [POD] -- [COMMAND] instead.\n`,
      );
    const [target, tty] = [await targetOf(call, word), withTerminal(call)];
    const signal = session.signal;
    await converse(call, await execIn(call.client, target, words, { stdin: call.flags.stdin, tty, signal }), tty);
  },
});

export const attach = command({
  name: 'attach',
  summary: 'Attach to a running container',
  usage: '(POD | TYPE/NAME) -c CONTAINER',
  flags,
  run: async (call) => {
    const [word, ...more] = call.args;
    if (word === undefined) throw complaint('at least 1 argument is required for attach');
    if (more.length > 0)
      throw complaint(
        'expected POD, TYPE/NAME, or TYPE NAME, (at most 2 arguments) saw ' +
          call.args.length +
          ': ' +
          call.args.join(' '),
      );
    const [target, tty] = [await targetOf(call, word), withTerminal(call)];
    call.session.err("If you don't see a command prompt, try pressing enter.\n");
    const running = await attachTo(call.client, target, { stdin: call.flags.stdin, tty, signal: call.session.signal });
    await converse(call, running, tty);
  },
});

async function targetOf(call: EnterCall, word: string): Promise<ContainerTarget> {
  const [pod] = await podsBehind(call, word);
  if (!pod) throw complaint('no pod was named');
  return { namespace: pod.metadata.namespace ?? '', pod: pod.metadata.name ?? '', container: containerOf(call, pod) };
}

function containerOf({ flags: given, session, path }: EnterCall, { metadata, spec, status }: Pod): string {
  if (status.phase === 'Succeeded' || status.phase === 'Failed')
    throw complaint(`cannot exec into a container in a completed pod; current phase is ${status.phase}`);
  const [first, ...others] = spec.containers ?? [];
  if (given.container !== '') return given.container;
  if (others.length > 0 && path.endsWith(' exec'))
    session.err(
      `Defaulting container name to ${first?.name ?? ''}.\nUse '${session.program} describe pod/${metadata.name} -n ${metadata.namespace}' to see all of the containers in this pod.\n`,
    );
  return first?.name ?? '';
}

/** Whether the command gets a terminal; it can't have one where there is none. */
function withTerminal({ flags: given, session }: EnterCall): boolean {
  if (!given.tty) return false;
  if (given.stdin && session.interact) return true;
  session.err('Unable to use a TTY - input is not a terminal or the right kind of file\n');
  return false;
}

/** Carries input and output until the command ends. Throws where it did not end well. */
async function converse({ session, flags: given }: EnterCall, running: RemoteCommand, tty: boolean): Promise<void> {
  if (tty && session.interact) await session.interact(running);
  else {
    // A command may end without having read all of its input.
    if (given.stdin)
      inBackground(
        feed(running, () => session.input()),
        () => undefined,
      );
    await Promise.all([
      pour(running.stdout, (chunk) => session.out(chunk)),
      pour(running.stderr, (chunk) => session.err(chunk)),
      running.result,
    ]);
  }
  const { exitCode, message } = await running.result;
  if (exitCode === 0) return;
  if (exitCode === undefined) throw complaint(message);
  throw new CommandError(`command terminated with exit code ${exitCode}`, exitCode);
}

async function feed({ stdin }: RemoteCommand, input: () => Promise<string>): Promise<void> {
  for (let typed = await input(); typed !== ''; typed = await input()) await stdin.write(encodeText(typed));
  stdin.end();
}

async function pour(stream: RemoteCommand['stdout'], print: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for (let bytes = await stream.read(); bytes; bytes = await stream.read())
    print(decoder.decode(bytes, { stream: true }));
}

/** One side of a copy: a path here, or in a container. */
interface Place {
  readonly path: string;
  readonly pod?: string;
  readonly namespace?: string;
}

export const copy = command({
  name: 'cp',
  summary: 'Copy files and directories to and from containers.',
  usage: '<file-spec-src> <file-spec-dest>',
  flags: {
    container: text('Container name. If omitted, the first container in the pod will be chosen', { short: 'c' }),
    'no-preserve': toggle(
      "The copied file/directory's ownership and permissions will not be preserved in the container",
    ),
  },
  run: async (call) => {
    const [from, to] = call.args.map(placeOf);
    if (!from || !to || call.args.length !== 2) throw complaint('source and destination are required');
    if (from.pod !== undefined && to.pod !== undefined)
      throw complaint('one of src or dest must be a local file specification');
    if (from.pod === undefined && to.pod === undefined)
      throw complaint('one of src or dest must be a remote file specification');
    if (from.path === '' || to.path === '') throw complaint('filepath can not be empty');
    await (from.pod === undefined ? copyIn(call, from, to) : copyOut(call, from, to));
  },
});

function placeOf(word: string): Place {
  const [, where, path] = /^([^:]*):(.*)$/s.exec(word) ?? [];
  if (where === undefined || path === undefined || where === '') return { path: word };
  const [pod = '', namespace] = where.split('/').reverse();
  return { path, pod, ...(namespace !== undefined && { namespace }) };
}

const containerAt = (
  call: Call & { readonly flags: { readonly container: string } },
  { pod = '', namespace }: Place,
): ContainerTarget => ({
  namespace: namespace ?? call.namespace,
  pod,
  container: call.flags.container || undefined,
});

type CopyCall = Call & { readonly flags: { readonly container: string } };

async function copyIn(call: CopyCall, from: Place, to: Place): Promise<void> {
  const content = await call.session.files.read(from.path);
  if (content === undefined) throw complaint(`${from.path} doesn't exist in local filesystem`);
  const target = containerAt(call, to);
  const place = to.path.endsWith('/') ? `${to.path}${from.path.split('/').at(-1) ?? ''}` : to.path;
  const running = await execIn(call.client, target, ['tee', place], { stdin: true, signal: call.session.signal });
  await running.stdin.write(encodeText(content));
  running.stdin.end();
  const [, errors, result] = await Promise.all([readAll(running.stdout), readAll(running.stderr), running.result]);
  if (result.exitCode !== 0) throw new CommandError(new TextDecoder().decode(errors).trim() || result.message);
}

async function copyOut(call: CopyCall, from: Place, to: Place): Promise<void> {
  const running = await execIn(call.client, containerAt(call, from), ['cat', from.path], {
    signal: call.session.signal,
  });
  const [bytes, errors, result] = await Promise.all([readAll(running.stdout), readAll(running.stderr), running.result]);
  if (result.exitCode !== 0) throw new CommandError(new TextDecoder().decode(errors).trim() || result.message);
  await call.session.files.write(to.path, new TextDecoder().decode(bytes));
}

export const portForward = command({
  name: 'port-forward',
  summary: 'Forward one or more local ports to a pod',
  usage: 'TYPE/NAME [LOCAL_PORT:]REMOTE_PORT [...[LOCAL_PORT_N:]REMOTE_PORT_N]',
  flags: {
    address: texts('Addresses to listen on (comma separated).', { separator: ',' }),
    'pod-running-timeout': timeout,
  },
  run: async (call) => {
    const { args, session, path } = call;
    const [word, ...ports] = args;
    if (word === undefined || ports.length === 0)
      throw new CommandError(
        `error: TYPE/NAME and list of ports are required for port-forward\nSee '${path} -h' for help and examples`,
      );
    const remote = ports.map(remotePort);
    const [pod] = await podsBehind(call, word);
    if (pod?.status.phase !== 'Running')
      throw complaint(`unable to forward port because pod is not running. Current status=${pod?.status.phase ?? ''}`);
    if (!session.browse) throw complaint('there is nothing here that could show what a port answers');
    const { namespace = '', name = '' } = pod.metadata;
    for (const port of remote) session.browse({ kind: 'pods', namespace, name, port });
  },
});

/** `8080:80`, `:80`, `80` all lead to port 80: the page listens on no port of its own. */
function remotePort(word: string): number {
  const port = Number(word.split(':').at(-1));
  if (Number.isInteger(port) && port > 0 && port < 65_536 && word.split(':').length <= 2) return port;
  throw complaint(
    `error parsing remote port: strconv.ParseUint: parsing ${JSON.stringify(word.split(':').at(-1))}: invalid syntax`,
  );
}

export const proxy = command({
  name: 'proxy',
  summary: 'Run a proxy to the API server',
  flags: {},
  run: async ({ session }) => {
    throw complaint(
      `a page can listen on no port. Requests go to the server as they are: ${session.program} get --raw /api`,
    );
  },
});
