import { pathOf, pods, type Pod } from '../../client/index.ts';
import { getOwn } from '../../std/index.ts';
import { command, type Call } from '../command/command.ts';
import { CommandError, complaint, describeError } from '../command/errors.ts';
import { duration, integer, text, toggle } from '../command/flags.ts';
import { podsBehind, podsSelected } from '../server/podOf.ts';

const flags = {
  'all-containers': toggle(),
  container: text({ short: 'c' }),
  follow: toggle({ short: 'f' }),
  'insecure-skip-tls-verify-backend': toggle(),
  'ignore-errors': toggle(),
  'limit-bytes': integer(),
  'max-log-requests': integer({ initial: 5 }),
  'pod-running-timeout': duration({ initial: 20_000 }),
  prefix: toggle(),
  previous: toggle({
    short: 'p',
  }),
  selector: text({ short: 'l' }),
  since: duration(),
  'since-time': text(),
  tail: integer({ initial: -1 }),
  timestamps: toggle(),
};

type LogsCall = Call<typeof flags>;

const LAYOUT = '2006-01-02T15:04:05Z07:00';

/** Throws CommandError for a text that is no moment; it names the part that is wrong, as the reference does. */
function checkTime(typed: string): void {
  const parts = [
    /^\d{4}/,
    /^-/,
    /^\d\d/,
    /^-/,
    /^\d\d/,
    /^T/,
    /^\d\d/,
    /^:/,
    /^\d\d/,
    /^:/,
    /^\d\d(\.\d+)?/,
    /^(Z|[+-]\d\d:\d\d)/,
  ];
  const layout = ['2006', '-', '01', '-', '02', 'T', '15', ':', '04', ':', '05', 'Z07:00'];
  let rest = typed;
  for (const [i, part] of parts.entries()) {
    const [found] = part.exec(rest) ?? [];
    if (found === undefined)
      throw complaint(`parsing time "${typed}" as "${LAYOUT}": cannot parse "${rest}" as "${layout[i] ?? ''}"`);
    rest = rest.slice(found.length);
  }
}

/** One container whose log is read. */
interface Source {
  readonly pod: Pod;
  /** Empty for the pod's only one. */
  readonly container: string;
}

export const logs = command({
  name: 'logs',
  aliases: ['log'],
  flags,
  run: async (call) => {
    check(call);
    const sources = await sourcesOf(call);
    const most = call.flags['max-log-requests'];
    if (call.flags.follow && sources.length > most)
      throw complaint(
        `you are attempting to follow ${sources.length} log streams, but maximum allowed concurrency is ${most}, use --max-log-requests to increase the limit`,
      );
    if (call.flags.follow) await Promise.all(sources.map((source) => print(call, source)));
    else for (const source of sources) await print(call, source);
  },
});

function check({ args, flags: given, path }: LogsCall): void {
  const wrong = (problem: string): CommandError =>
    new CommandError(`error: ${problem}\nSee '${path} -h' for help and examples`);
  const usage =
    "expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command";
  if (args.length === 0 && given.selector === '') throw wrong(usage);
  if (args.length > 0 && given.selector !== '') throw wrong('only a selector (-l) or a POD name is allowed');
  if (args.length > 2) throw wrong(usage);
  const container = args[1] ?? given.container;
  if (args.length === 2 && given.container !== '')
    throw complaint('only one of -c or an inline [CONTAINER] arg is allowed');
  if (given['pod-running-timeout'] <= 0) throw complaint('--pod-running-timeout must be higher than zero');
  if (given['since-time'] !== '') checkTime(given['since-time']);
  if (given['since-time'] !== '' && given.since !== 0)
    throw complaint('at most one of `sinceTime` or `sinceSeconds` may be specified');
  if (given['all-containers'] && container !== '')
    throw complaint('--all-containers=true should not be specified with container name ' + container);
  if (given['limit-bytes'] < 0) throw complaint('--limit-bytes must be greater than 0');
  if (given.tail < -1) throw complaint('--tail must be greater than or equal to -1');
  if (given.since < 0) throw complaint('--since must be greater than 0');
}

async function sourcesOf(call: LogsCall): Promise<readonly Source[]> {
  const { args, flags: given, session } = call;
  const container = args[1] ?? given.container;
  if (given.selector !== '') {
    const found = await podsSelected(call, given.selector);
    return [...found]
      .sort(byName)
      .flatMap((pod) => containersOf(pod, given['all-containers'], container, usualOf(call, pod)));
  }
  const found = await podsBehind(call, args[0] ?? '', 'get the logs from');
  const [pod] = found;
  if (!pod) return [];
  if (found.length > 1) session.err(`Found ${found.length} pods, using pod/${pod.metadata.name}\n`);
  return containersOf(pod, given['all-containers'], container, usualOf(call, pod));
}

/** The container that a pod's author wants to be read where none is named. */
const usualOf = ({ client }: LogsCall, { metadata }: Pod): string | undefined =>
  getOwn(metadata.annotations, client.names.fill('{ctl}.{label}/default-logs-container'));

const byName = (a: Pod, b: Pod): number => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1);

/** The containers of a pod that are read. Throws CommandError where it has to be said which. */
function containersOf(pod: Pod, all: boolean, container: string, usual: string | undefined): readonly Source[] {
  const names = (list: readonly { readonly name: string }[] = []): readonly string[] => list.map(({ name }) => name);
  const { initContainers, containers, ephemeralContainers } = pod.spec;
  const [before, main, added] = [names(initContainers), names(containers ?? []), names(ephemeralContainers)];
  const { name } = pod.metadata;
  if (all) return [...before, ...main, ...added].map((each) => ({ pod, container: each }));
  const chosen = container || usual || '';
  if (chosen !== '' && ![...before, ...main, ...added].includes(chosen))
    throw complaint(`container ${chosen} is not valid for pod ${name}`);
  if (chosen === '' && main.length > 1) {
    const others = before.length === 0 ? '' : ` or one of the init containers: [${before.join(' ')}]`;
    throw complaint(`a container name must be specified for pod ${name}, choose one of: [${main.join(' ')}]${others}`);
  }
  return [{ pod, container: chosen }];
}

async function print(call: LogsCall, source: Source): Promise<void> {
  const { flags: given, session } = call;
  try {
    const body = (await ask(call, source)).body?.pipeThrough(new TextDecoderStream());
    const container = source.container || (source.pod.spec.containers?.[0]?.name ?? '');
    const prefix = given.prefix ? `[pod/${source.pod.metadata.name}/${container}] ` : '';
    await printLines(body, prefix, call);
  } catch (error) {
    if (session.signal.aborted) return;
    if (!given['ignore-errors']) throw error;
    session.out(`${describeError(error)}\n`);
  }
}

function ask({ client, flags: given, args, session }: LogsCall, { pod, container }: Source): Promise<Response> {
  const { namespace, name = '' } = pod.metadata;
  const tail = given.tail >= 0 ? given.tail : given.selector !== '' && args.length === 0 ? 10 : undefined;
  return client.raw(pathOf(pods, client.names, namespace, name, 'log'), {
    signal: session.signal,
    accept: 'application/json, */*',
    query: {
      container,
      follow: given.follow || undefined,
      previous: given.previous || undefined,
      timestamps: given.timestamps || undefined,
      sinceSeconds: given.since > 0 ? Math.ceil(given.since / 1000) : undefined,
      sinceTime: given['since-time'],
      tailLines: tail,
      limitBytes: given['limit-bytes'] > 0 ? given['limit-bytes'] : undefined,
    },
  });
}

/** Prints whole lines, so that those of several containers do not run into each other. */
async function printLines(
  body: ReadableStream<string> | undefined,
  prefix: string,
  { session }: LogsCall,
): Promise<void> {
  const reader = body?.getReader();
  let rest = '';
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    const lines = `${rest}${read.value}`.split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) session.out(lines.map((line) => `${prefix}${line}\n`).join(''));
  }
  if (rest !== '') session.out(`${prefix}${rest}`);
}
