/** Ways into containers: commands, their own program, ports. */
import {
  attachTo,
  execIn,
  pathOf,
  services,
  type ContainerTarget,
  type Pod,
  type Service,
} from '../../client/index.ts';
import { command, type Call } from '../command/command.ts';
import { allOf } from '../command/each.ts';
import { CommandError, complaint, misused } from '../command/errors.ts';
import { duration, integer, text, texts, toggle } from '../command/flags.ts';
import { conversationFlags, converse, withTerminal } from '../server/conversation.ts';
import { containerToEnter, podsBehind } from '../server/podOf.ts';
import { fileFlags, filesOf, readManifests } from '../server/manifests.ts';
import { qualifiedName } from '../server/served.ts';
import { readTargets } from '../server/targets.ts';

const timeout = duration({ initial: 60_000 });

const flags = {
  container: text({ short: 'c' }),
  'pod-running-timeout': timeout,
  ...conversationFlags,
};

type EnterCall = Call<typeof flags>;

const execFlags = { ...flags, filename: fileFlags.filename };

type ExecCall = Call<typeof execFlags>;

export const exec = command({
  name: 'exec',
  flags: execFlags,
  run: async (call) => {
    const { args, argsBeforeDash, session } = call;
    const file = call.flags.filename.length > 0;
    const word = file ? await namedInFile(call) : args[0];
    // As in the reference, other words before the dashes are passed over.
    const words = args.slice(Math.max(argsBeforeDash, file ? 0 : 1));
    if (word === undefined || (argsBeforeDash === 0 && !file))
      throw complaint('pod, type/name or --filename must be specified');
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

/** The first object that the file says, as `TYPE/NAME`. */
async function namedInFile(call: ExecCall): Promise<string | undefined> {
  const [first] = allOf(await readManifests(filesOf(call), false));
  return first && `${qualifiedName(first.resource)}/${first.object.metadata.name ?? ''}`;
}

export const attach = command({
  name: 'attach',
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

/** Throws for a pod that may take no time to run. */
function checkPatience({ flags: given, path }: EnterCall): void {
  if (given['pod-running-timeout'] <= 0) throw misused('--pod-running-timeout must be higher than zero', path);
}

async function targetOf(call: EnterCall, word: string): Promise<ContainerTarget> {
  checkPatience(call);
  const [pod] = await podsBehind(call, word);
  if (!pod) throw complaint('no pod was named');
  return { namespace: pod.metadata.namespace ?? '', pod: pod.metadata.name ?? '', container: containerOf(call, pod) };
}

function containerOf({ flags: given, session, path }: EnterCall, pod: Pod): string {
  const { container, isGuess } = containerToEnter(pod, given.container);
  const { namespace, name } = pod.metadata;
  const all = [...(pod.spec.containers ?? []), ...(pod.spec.initContainers ?? [])];
  if (path.endsWith(' attach') && !all.some((each) => each.name === container) && !isEphemeral(pod, container))
    throw complaint(`cannot attach to the container: container not found (${container})`);
  if (isGuess && path.endsWith(' exec'))
    session.err(
      `Defaulting container name to ${container}.\nUse '${session.program} describe pod/${name} -n ${namespace}' to see all of the containers in this pod.\n`,
    );
  return container;
}

const isEphemeral = ({ spec }: Pod, container: string): boolean =>
  (spec.ephemeralContainers ?? []).some(({ name }) => name === container);

export const portForward = command({
  name: 'port-forward',
  flags: {
    address: texts({ separator: ',', initial: ['localhost'] }),
    'pod-running-timeout': timeout,
  },
  run: async (call) => {
    const { args, session, path } = call;
    const [word, ...ports] = args;
    if (word === undefined || ports.length === 0)
      throw new CommandError(
        `error: TYPE/NAME and list of ports are required for port-forward\nSee '${path} -h' for help and examples`,
      );
    const service = await serviceNamed(call, word);
    const [pod] = await podsBehind(call, word);
    const remote = ports.map((port) => remotePort(port, pod, service));
    if (pod?.status.phase !== 'Running')
      throw complaint(`unable to forward port because pod is not running. Current status=${pod?.status.phase ?? ''}`);
    if (!session.browse) throw complaint('there is nothing here that could show what a port answers');
    const { namespace = '', name = '' } = pod.metadata;
    for (const port of remote) session.browse({ kind: 'pods', namespace, name, port });
  },
});

/** The service that `svc/web` names; undefined for words that name something else. */
async function serviceNamed(call: Call, word: string): Promise<Service | undefined> {
  if (!word.includes('/')) return undefined;
  const [target] = (await readTargets(call, [word])).list;
  if (target?.resource.kind !== 'Service' || target.resource.group !== '') return undefined;
  return (await call.client.json(pathOf(services, call.client.names, target.namespace, target.name))) as Service;
}

/**
 * The pod's port that `8080:80`, `:80` or `80` leads to: the page listens on no port of its own. Ports may be named; those of a
 * service lead to the pod's.
 */
function remotePort(word: string, pod: Pod | undefined, service: Service | undefined): number {
  if (word.split(':').length > 2) throw complaint(`invalid port format '${word}'`);
  const typed = word.split(':').at(-1) ?? '';
  if (service) return behindService(typed, pod, service);
  const port = /^\d+$/.test(typed) ? Number(typed) : portNamed(pod, typed);
  if (port > 0 && port < 65_536) return port;
  throw complaint(`error parsing remote port: strconv.ParseUint: parsing ${JSON.stringify(typed)}: value out of range`);
}

function portNamed(pod: Pod | undefined, name: string): number {
  const ports = (pod?.spec.containers ?? []).flatMap((each) => each.ports ?? []);
  const found = ports.find((each) => each.name === name)?.containerPort;
  if (found === undefined) throw complaint(`Pod '${pod?.metadata.name ?? ''}' does not have a named port '${name}'`);
  return found;
}

function behindService(typed: string, pod: Pod | undefined, { metadata, spec }: Service): number {
  const isNumber = /^\d+$/.test(typed);
  const port = spec.ports?.find((each) => (isNumber ? each.port === Number(typed) : each.name === typed));
  const what = isNumber ? 'service port' : 'port named';
  if (!port) throw complaint(`Service ${metadata.name} does not have a ${what} ${typed}`);
  if (spec.clusterIP === 'None') return port.port;
  const { targetPort = port.port } = port;
  return typeof targetPort === 'string' ? portNamed(pod, targetPort) : targetPort;
}

export const proxy = command({
  name: 'proxy',
  flags: {
    'accept-hosts': text({ initial: '^localhost$,^127\\.0\\.0\\.1$,^\\[::1\\]$' }),
    'accept-paths': text({ initial: '^.*' }),
    address: text({ initial: '127.0.0.1' }),
    'api-prefix': text({ initial: '/' }),
    'disable-filter': toggle(),
    keepalive: duration(),
    port: integer({ short: 'p', initial: 8001 }),
    'reject-methods': text({ initial: '^$' }),
    'reject-paths': text({ initial: '^/api/.*/pods/.*/exec,^/api/.*/pods/.*/attach' }),
    'unix-socket': text({ short: 'u' }),
    www: text({ short: 'w' }),
    'www-prefix': text({ short: 'P', initial: '/static/' }),
  },
  run: async ({ session }) => {
    throw complaint(
      `a page can listen on no port. Requests go to the server as they are: ${session.program} get --raw /api`,
    );
  },
});
