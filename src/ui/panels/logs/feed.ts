/** Reads the logs of containers into a buffer for as long as somebody looks at them. */
import { createStore, type StoreApi } from '../../store.ts';
import { StatusError } from '../../../schema/index.ts';
import type { Client, Query } from '../../../client/index.ts';
import { LogBuffer, lineOf, LONGEST_LINE, MOST_LINES, type LogLine } from './logBuffer.ts';
import type { LogSource } from './sources.ts';
import { untilBeat } from '../../stores/beat.ts';

export interface LogState {
  readonly lines: readonly LogLine[];
  readonly dropped: number;
  /** What could not be read, by source. */
  readonly problems: ReadonlyMap<string, string>;
  /** Sources that go on to be read. */
  readonly open: number;
}

/** Lines of each source that are read from before now, at least; one alone may fill the buffer. */
const LEAST_TAIL = 500;

export interface LogFeed {
  readonly store: StoreApi<LogState>;
  /** From now on these are read; what was read of others stays. */
  follow(sources: readonly LogSource[], previous: boolean): void;
  stop(): void;
}

export function createLogFeed(client: Client): LogFeed {
  const buffer = new LogBuffer();
  const problems = new Map<string, string>();
  const running = new Map<string, AbortController>();
  const known = new Set<string>();
  const store = createStore<LogState>(() => ({ lines: [], dropped: 0, problems: new Map(), open: 0 }));
  let arrived: LogLine[] = [];
  let lastId = 0;
  let gathering: ReturnType<typeof setTimeout> | undefined;

  const show = (): void => {
    gathering = undefined;
    buffer.add(arrived);
    arrived = [];
    store.setState({ lines: buffer.lines, dropped: buffer.dropped, problems: new Map(problems), open: running.size });
  };
  const showSoon = (): void => void (gathering ??= setTimeout(show, untilBeat()));

  const read = async (source: LogSource, query: Query, { signal }: AbortController): Promise<void> => {
    try {
      for await (const line of linesOf(client, source, query, signal)) {
        arrived.push(lineOf(++lastId, source.key, line));
        showSoon();
      }
    } catch (error) {
      if (!signal.aborted) problems.set(source.key, messageOf(error));
    } finally {
      running.delete(source.key);
      showSoon();
    }
  };

  return {
    store,
    follow: (sources, previous) => {
      const wanted = new Set(sources.map(({ key }) => key));
      for (const [key, controller] of running) if (!wanted.has(key)) controller.abort();
      const tailLines = Math.max(LEAST_TAIL, Math.floor(MOST_LINES / Math.max(1, sources.length)));
      const query = { tailLines, timestamps: true, ...(previous ? { previous } : { follow: true }) };
      for (const source of sources) {
        if (known.has(source.key)) continue;
        known.add(source.key);
        const controller = new AbortController();
        running.set(source.key, controller);
        void read(source, query, controller);
      }
      showSoon();
    },
    stop: () => {
      clearTimeout(gathering);
      for (const controller of running.values()) controller.abort();
    },
  };
}

const messageOf = (error: unknown): string =>
  error instanceof StatusError
    ? (error.status.message ?? String(error.status.code))
    : error instanceof Error
      ? error.message
      : String(error);

async function* linesOf(
  client: Client,
  { namespace, pod, container }: LogSource,
  query: Query,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log`;
  const { body } = await client.raw(path, { query: { ...query, container }, signal });
  if (!body) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const lines = (rest + next.value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    // Whatever comes without a line's end is not kept for ever.
    if (rest.length > LONGEST_LINE) yield rest.slice(0, LONGEST_LINE);
    if (rest.length > LONGEST_LINE) rest = '';
  }
  if (rest !== '') yield rest;
}
