/** Ways into containers: commands, their own program, ports. */
import { attachTo, execIn, type ContainerTarget, type Pod } from '../../client/index.ts';
import { command, type Call } from '../command/command.ts';
import { CommandError, complaint } from '../command/errors.ts';
import { duration, text, texts } from '../command/flags.ts';
import { conversationFlags, converse, withTerminal } from '../server/conversation.ts';
import { containerToEnter, podsBehind } from '../server/podOf.ts';

const timeout = duration(
  'The length of time (like 5s, 2m, or 3h, higher than zero) to wait until at least one pod is running',
  { initial: 60_000 },
);

const flags = {
  container: text('Container name. If omitted, the first container in the pod will be chosen', { short: 'c' }),
  'pod-running-timeout': timeout,
  ...conversationFlags,
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
    const [target, tty] = [await targetOf(call, word), withTerminal(session, call.flags)];
    const signal = session.signal;
    const { stdin } = call.flags;
    await converse({ session, stdin, tty }, await execIn(call.client, target, words, { stdin, tty, signal }));
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
    const [target, tty] = [await targetOf(call, word), withTerminal(call.session, call.flags)];
    call.session.err("If you don't see a command prompt, try pressing enter.\n");
    const { session } = call;
    const { stdin } = call.flags;
    await converse(
      { session, stdin, tty },
      await attachTo(call.client, target, { stdin, tty, signal: session.signal }),
    );
  },
});

async function targetOf(call: EnterCall, word: string): Promise<ContainerTarget> {
  const [pod] = await podsBehind(call, word);
  if (!pod) throw complaint('no pod was named');
  return { namespace: pod.metadata.namespace ?? '', pod: pod.metadata.name ?? '', container: containerOf(call, pod) };
}

function containerOf({ flags: given, session, path }: EnterCall, pod: Pod): string {
  const { container, isGuess } = containerToEnter(pod, given.container);
  const { namespace, name } = pod.metadata;
  if (isGuess && path.endsWith(' exec'))
    session.err(
      `Defaulting container name to ${container}.\nUse '${session.program} describe pod/${name} -n ${namespace}' to see all of the containers in this pod.\n`,
    );
  return container;
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
