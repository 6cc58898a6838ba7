/** What some panels of the page ask the host for, and others never do (control.ts lists all of it). */
import {
  restoreDatabase,
  withoutSecretLines,
  type AccessQuestions,
  type Breakpoint,
  type Cluster,
  type Delivery,
  type IdTokenWish,
  type Past,
  type WholeRequest,
} from '../../cluster/index.ts';
import { AT_HEADER } from './atHeader.ts';
import { bridge } from './bridgePart.ts';
import { clockState, type ClockState } from './clockState.ts';
import { followControllers, steerController, type ControllerMove } from './controllers.ts';
import type { Pasts } from './pasts.ts';
import { pastRoutes } from './pastRoutes.ts';
import { logOf, type RequestLog } from './requestLog.ts';
import { answerAboutScheduling, followOverview, type SchedulingQuestion } from './scheduling.ts';
import { GATHER_MS, streamed, streamLines, type Routes } from './streaming.ts';

export function otherRoutes(cluster: Cluster, pasts: Pasts): Routes {
  const momentOf = async (request: Request): Promise<Cluster | Past> => {
    const at = request.headers.get(AT_HEADER);
    return at === null ? cluster : pasts.at(Number(at));
  };
  return {
    'POST /clock': async (request) =>
      cluster.storage.shared && cluster.options.servers !== 2
        ? Response.json({ message: 'servers that share an etcd go by the time of the machine' }, { status: 400 })
        : Response.json(await moveClock(cluster, (await request.json()) as ClockMove)),
    'POST /requests': async (request) => {
      const { log: id, paused } = (await request.json()) as LogPause;
      const log = logOf(cluster, id);
      if (log) log.paused = paused;
      return Response.json({});
    },
    'GET /requests/whole': (request, url) => {
      const log = logIn(cluster, url);
      const id = url.searchParams.get('request') ?? '';
      const read = (): WholeRequest | null => log?.whole(id) ?? null;
      return streamKept(log, read, (whole) => (whole ? whole.stages.length + whole.bodies.length : 0), request.signal);
    },
    'GET /requests/notified': (request, url) => {
      const log = logIn(cluster, url);
      const revision = Number(url.searchParams.get('revision'));
      const read = (): readonly Delivery[] => log?.notifiedOf(revision) ?? [];
      return streamKept(log, read, ({ length }) => length, request.signal);
    },
    'POST /breakpoints': async (request) => {
      cluster.breakpoints.set((await request.json()) as Breakpoint[]);
      return Response.json({});
    },
    'POST /breakpoints/release': async (request) => {
      const { request: held, object } = (await request.json()) as { request: string; object?: unknown };
      return Response.json({ released: cluster.breakpoints.release(held, object) });
    },
    'POST /storage/restore': async () => {
      await restoreDatabase(cluster.name, cluster.storage.export());
      return Response.json({});
    },
    'GET /storage': () => Response.json(storageReport(cluster)),
    'POST /storage/compact': async (request) => {
      const { revision = cluster.storage.revision } = (await request.json()) as { revision?: number };
      await cluster.storage.compact(revision);
      return Response.json(storageReport(cluster));
    },
    'POST /access': async (request) =>
      Response.json(await answerAbout(await momentOf(request), (await request.json()) as AccessQuestion)),
    'POST /scheduling': async (request) =>
      answerAboutScheduling(await momentOf(request), (await request.json()) as SchedulingQuestion),
    'GET /scheduling/overview': (request) => streamLines((tell) => followOverview(cluster, tell), request.signal),
    'GET /controllers': (request) => streamLines((tell) => followControllers(cluster, tell), request.signal),
    'POST /controllers': async (request) => {
      steerController(cluster, (await request.json()) as ControllerMove);
      return Response.json({});
    },
    'POST /issuer': async (request) => {
      const { wish } = (await request.json()) as { wish: IdTokenWish };
      return Response.json({ token: await cluster.issuer.issue(wish) });
    },
    'POST /issuer/rotate': async () => Response.json(await cluster.issuer.rotate().then(() => ({}))),
    'POST /bridge/serving': async () => Response.json(await (await bridge.load()).servingFiles(cluster)),
    'POST /bridge/client': async () => Response.json(await (await bridge.load()).administratorFiles(cluster)),
    'GET /webhooks/calls': () => Response.json(cluster.webhooks.calls()),
    'GET /storage/export': (_request, url) => {
      const lines = cluster.storage.export();
      return streamed(streamOf(url.searchParams.has('secrets') ? lines : withoutSecretLines(lines)));
    },
    ...pastRoutes(cluster, pasts),
    'GET /storage/history': (_request, url) => Response.json(keptRevisions(cluster, url.searchParams.get('key') ?? '')),
  };
}

/** Whether a page's log of requests keeps more of them. */
export interface LogPause {
  readonly log: string;
  readonly paused: boolean;
}

const logIn = (cluster: Cluster, { searchParams }: URL): RequestLog | undefined =>
  logOf(cluster, searchParams.get('log') ?? '');

/** A part of the log as lines of JSON: now, and whenever more of it was told, by its `size`. */
function streamKept<T>(
  log: RequestLog | undefined,
  read: () => T,
  sizeOf: (part: T) => number,
  signal: AbortSignal,
): Response {
  return streamLines<T>((tell) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let size: number | undefined;
    const tellChanged = (): void => {
      timer = undefined;
      const part = read();
      if (size === sizeOf(part)) return;
      size = sizeOf(part);
      tell(part);
    };
    const end = log?.listen(() => (timer ??= setTimeout(tellChanged, GATHER_MS)));
    tellChanged();
    return () => (clearTimeout(timer), end?.());
  }, signal);
}

/** A question about access: its name, and its arguments in order. */
export interface AccessQuestion {
  readonly ask: keyof AccessQuestions;
  readonly with: readonly unknown[];
}

function answerAbout({ access }: Pick<Cluster, 'access'>, { ask, with: given }: AccessQuestion): Promise<unknown> {
  // The page is of the same build, so the types of its arguments were checked there.
  const question = access[ask] as (...given: readonly unknown[]) => Promise<unknown>;
  return question(...given);
}

export interface StorageReport {
  readonly revision: number;
  readonly compacted: number;
  readonly keys: number;
  readonly bytes: number;
  readonly backend: 'memory' | 'indexeddb';
}

function storageReport({ storage, options }: Cluster): StorageReport {
  const { revision, compacted, keys, bytes } = storage.stats();
  return { revision, compacted, keys, bytes, backend: options.storage ?? 'memory' };
}

export interface KeptRevision {
  readonly revision: number;
  readonly value?: unknown;
}

function keptRevisions({ storage }: Cluster, key: string): KeptRevision[] {
  return storage.history(key).map(({ revision, entry }) => ({
    revision,
    ...(entry && { value: JSON.parse(entry.value) as unknown }),
  }));
}

/** Chunks as a stream, each made when the reader has room for it. */
function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = await iterator.next();
      if (done) controller.close();
      else controller.enqueue(value as Uint8Array);
    },
    cancel: async () => void (await iterator.return?.()),
  });
}

export interface ClockMove {
  readonly do: 'pause' | 'resume' | 'scale' | 'step' | 'stop';
  readonly value?: number;
}

async function moveClock(cluster: Cluster, { do: what, value = 0 }: ClockMove): Promise<ClockState> {
  const { clock } = cluster;
  if (what === 'pause') clock.pause();
  else if (what === 'resume') clock.resume();
  else if (what === 'scale') clock.setScale(value);
  else if (what === 'stop') clock.stopStep();
  else await clock.step(value);
  return clockState(cluster);
}
