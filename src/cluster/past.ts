/**
 * A past state of a cluster: a separate API server over a copy of the storage at a kept revision. It has no controllers
 * or nodes; its clock stands still.
 */
import { createApiServer, type ApiServer, type ApiServerOptions, type Origin } from '../apiserver/index.ts';
import type { Names } from '../names/index.ts';
import type { RecalledScheduling, SchedulerDependencies, SchedulingQuestions } from '../scheduler/index.ts';
import { manualClock, Metrics, seededRandom } from '../std/index.ts';
import { copyStorage, type Entry, type Revision, type Storage } from '../storage/index.ts';
import { Breakpoints, createTracer } from '../trace/index.ts';
import { OWN_PREFIX } from './pki.ts';
import { accessQuestions, type AccessQuestions } from './access.ts';

export interface Past {
  readonly revision: Revision;
  /** The time of the cluster's clock at the revision, estimated from its objects; milliseconds since the epoch. */
  readonly now: number;
  readonly access: AccessQuestions;
  /** Scheduling at that time; computed on first use. */
  readonly scheduling: { questions(): Promise<SchedulingQuestions> };
  /** Answers read requests; refuses all others. */
  fetch(request: Request, origin: Origin): Promise<Response>;
  /** The whole copy as JSON lines. */
  export(): AsyncIterable<Uint8Array>;
  stop(): Promise<void>;
}

/** What is passed on from the cluster; everything else is created anew, so that past states leave no trace in it. */
export type PastParts = Omit<
  ApiServerOptions,
  'clock' | 'random' | 'tracer' | 'breakpoints' | 'metrics' | 'security'
> & {
  readonly names: Names;
  /** The cluster's current time. */
  readonly present: number;
  readonly security: (parts: Fresh) => ApiServerOptions['security'];
  /** Asks the scheduler about this time. */
  readonly recall: (parts: Pick<SchedulerDependencies, 'clock' | 'random' | 'tracer'>) => Promise<RecalledScheduling>;
  /** Receives the server as soon as it is created, because its parts use it. */
  readonly made: (server: ApiServer) => void;
};

type Fresh = Pick<ApiServerOptions, 'clock' | 'random' | 'tracer' | 'breakpoints' | 'storage'> & {
  readonly metrics: Metrics;
};

/**
 * Opens the state of the storage at a kept revision. Throws CompactedError or FutureRevisionError if it is not
 * available.
 */
export async function openPast(parts: PastParts, revision: Revision): Promise<Past> {
  const { entries } = parts.storage.range({ start: '', end: LAST, revision });
  const now = timeOf(entries, parts.present);
  const clock = manualClock(now);
  const storage = copyStorage(entries, revision, clock);
  const fresh: Fresh = {
    clock,
    storage,
    random: seededRandom(revision),
    tracer: createTracer(clock),
    metrics: new Metrics(),
    breakpoints: new Breakpoints(),
  };
  const server = await createApiServer({ ...parts, ...fresh, onlyShows: true, security: parts.security(fresh) });
  parts.made(server);
  let recalled: Promise<RecalledScheduling> | undefined;
  return {
    revision,
    now,
    access: accessQuestions(server.policy),
    scheduling: { questions: async () => (await (recalled ??= parts.recall(fresh))).questions },
    fetch: async (request, origin) => (changesNothing(request) ? server.fetch(request, origin) : refuse(revision)),
    export: () => storage.export(),
    stop: async () => {
      await recalled?.then((each) => each.stop());
      await server.stop();
      await close(storage, clock);
    },
  };
}

async function close(storage: Storage, clock: ReturnType<typeof manualClock>): Promise<void> {
  await storage.close();
  clock.dispose();
}

/** After every key. */
const LAST = '\u{10ffff}';

/** Questions that are sent by POST and write nothing. */
const QUESTIONS = /^\/apis\/(authorization|authentication)\.[^/]+\/[^/]+\/(namespaces\/[^/]+\/)?\w+reviews$/;

function changesNothing({ method, url }: Request): boolean {
  if (method === 'GET' || method === 'HEAD') return true;
  return method === 'POST' && QUESTIONS.test(new URL(url).pathname);
}

function refuse(revision: Revision): Response {
  const message = `the cluster is shown as it was at revision ${revision}: nothing can be changed there`;
  const body = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'MethodNotAllowed',
    code: 405,
  };
  return Response.json(body, { status: 405 });
}

/** How many of the latest entries are used to estimate the time; heartbeats are among them. */
const ASKED = 50;

const MOMENT =
  /"(?:creationTimestamp|time|renewTime|lastTimestamp|lastTransitionTime|lastHeartbeatTime|lastUpdateTime|eventTime|startedAt|finishedAt)":"([^"]+)"/g;

/** Commits have no time: returns the latest time found in the last written objects. */
function timeOf(entries: readonly Entry[], present: number): number {
  const objects = entries.filter(({ key }) => !key.startsWith(OWN_PREFIX));
  const last = objects.sort((a, b) => b.revision - a.revision).slice(0, ASKED);
  const moments = last
    .flatMap(({ value }) => [...value.matchAll(MOMENT)].map(([, text = '']) => Date.parse(text)))
    .filter((moment) => moment <= present);
  return moments.reduce((latest, moment) => Math.max(latest, moment), 0) || present;
}
