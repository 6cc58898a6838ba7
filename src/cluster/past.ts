/** A cluster as it was: an API server of its own over a copy of what storage held at a kept revision. No controllers, no nodes; its clock stands still. */
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
  /** What the cluster's clock showed then, as far as its objects tell; milliseconds since the epoch. */
  readonly now: number;
  readonly access: AccessQuestions;
  /** Where pods could have gone then, and why; worked out when it is first asked. */
  readonly scheduling: { questions(): Promise<SchedulingQuestions> };
  /** Answers a request that changes nothing; refuses any other. */
  fetch(request: Request, origin: Origin): Promise<Response>;
  /** The whole copy, as lines of JSON. */
  export(): AsyncIterable<Uint8Array>;
  stop(): Promise<void>;
}

/** What is handed on from the cluster; the rest is made anew, so that looking back leaves no trace in it. */
export type PastParts = Omit<
  ApiServerOptions,
  'clock' | 'random' | 'tracer' | 'breakpoints' | 'metrics' | 'security'
> & {
  readonly names: Names;
  /** The cluster's time now. */
  readonly present: number;
  readonly security: (parts: Fresh) => ApiServerOptions['security'];
  /** Asks the scheduler about this moment. */
  readonly recall: (parts: Pick<SchedulerDependencies, 'clock' | 'random' | 'tracer'>) => Promise<RecalledScheduling>;
  /** Gets the server as soon as it is made: its parts ask it themselves. */
  readonly made: (server: ApiServer) => void;
};

type Fresh = Pick<ApiServerOptions, 'clock' | 'random' | 'tracer' | 'breakpoints' | 'storage'> & {
  readonly metrics: Metrics;
};

/** Opens what storage held at a kept revision. Throws CompactedError or FutureRevisionError when it is out of reach. */
export async function openPast(parts: PastParts, revision: Revision): Promise<Past> {
  const { entries } = parts.storage.range({ start: '', end: LAST, revision });
  const now = timeOf(entries, parts.present);
  const clock = manualClock(now);
  const storage = await copyStorage(entries, revision, clock);
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

/** Questions that are asked by POST and write nothing. */
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

/** How many of the last entries are asked for the time; heartbeats are among them. */
const ASKED = 50;

const MOMENT =
  /"(?:creationTimestamp|time|renewTime|lastTimestamp|lastTransitionTime|lastHeartbeatTime|lastUpdateTime|eventTime|startedAt|finishedAt)":"([^"]+)"/g;

/** No commit says when it was made: the latest moment that the objects written last tell of. */
function timeOf(entries: readonly Entry[], present: number): number {
  const objects = entries.filter(({ key }) => !key.startsWith(OWN_PREFIX));
  const last = objects.sort((a, b) => b.revision - a.revision).slice(0, ASKED);
  const moments = last
    .flatMap(({ value }) => [...value.matchAll(MOMENT)].map(([, text = '']) => Date.parse(text)))
    .filter((moment) => moment <= present);
  return moments.reduce((latest, moment) => Math.max(latest, moment), 0) || present;
}
