import { getOwn, Part } from '../../std/index.ts';
import type {
  BriefEvent,
  Breakpoint,
  Cluster,
  Held,
  StorageCondition,
  Topic,
  TraceEvent,
} from '../../cluster/index.ts';
import type { Pasts } from './pasts.ts';
import { clockState } from './clockState.ts';
import { openLog } from './requestLog.ts';
import { streamGathered, streamLines, type Routes } from './streaming.ts';

/** What pages ask for in some of their panels. */
const others = new Part(() => import('./otherRoutes.ts'));

/**
 * The host's operations around the API, as requests, so that they use the same transport:
 *
 *     GET  /clock                       → { now, paused, scale, target? }; target is where the current step ends
 *     POST /clock  { do, value? }       → the same, after pause, resume, scale (a factor), step (milliseconds) or stop (of a step)
 *     GET  /trace?topics=request,watch  → events as lines of JSON, arrays each, until the reader disconnects
 *     GET  /requests?log=ID             → the same of requests in short; the rest is kept under this id meanwhile (requestLog.ts)
 *     POST /requests { log, paused }    → while paused, it keeps no more requests
 *     GET  /requests/whole?log=ID&request=ID       → { stages, bodies } as lines of JSON, now and on every change; null if not kept
 *     GET  /requests/notified?log=ID&revision=…    → the watches that were notified of it, in the same way
 *     GET  /breakpoints                 → { set, steps, held } as lines of JSON, now and whenever they change
 *     POST /breakpoints [ … ]           → sets them all
 *     POST /breakpoints/release { request, object? }
 *     GET  /storage                     → statistics of the storage
 *     GET  /storage/condition           → whether it is writable, as lines of JSON, now and on every change
 *     POST /storage/keep                → saves the nodes' data immediately: files of volumes, logs
 *     POST /storage/restore             → writes the data in memory into a new database, after the old one was lost
 *     POST /storage/compact { revision? }
 *     GET  /storage/history?key=…       → the kept revisions of one object
 *     GET  /storage/export[?secrets]    → the whole database, as lines of JSON; secrets only if requested
 *     GET  /files                       → the files that the cluster uses
 *     POST /files { … }                 → stores these with the cluster's data, for its next opening
 *     POST /past { revision }           → { revision, now } of a past state; requests with the header x-vitrine-at use it
 *     GET  /past/next?revision=…        → what changed after it
 *     POST /past/fork { revision, name } → creates a database of that name from it
 *     POST /bridge/serving              → what the server of the page needs to speak TLS for the cluster
 *     POST /bridge/client               → what a client needs to reach it there as an administrator
 *     GET  /webhooks/calls              → the latest calls of user-written webhooks
 *     POST /access { ask, with }        → the answer of one of the cluster's questions about access
 *     POST /scheduling { ask, with }    → the answer of one of the scheduler's questions; 400 with a message where it can't be answered
 *     GET  /scheduling/overview         → the usage of nodes and the waiting pods, as lines of JSON, now and on every change
 *     GET  /controllers                 → the state of controllers, their queues and caches, as lines of JSON, now and on every change
 *     POST /controllers { do, controller }  → after pause, resume or step (of one key)
 *     POST /issuer { wish }             → { token }, of the cluster's simulated issuer
 *     POST /issuer/rotate               → new keys for it
 */
export function createControl(cluster: Cluster, pasts: Part<Pasts>): (request: Request) => Promise<Response> {
  const routes: Routes = {
    'GET /clock': () => Response.json(clockState(cluster)),
    'GET /trace': (request, url) => streamTrace(cluster, topicsIn(url), request.signal),
    'GET /requests': (request, url) =>
      streamGathered<BriefEvent>((tell) => openLog(cluster, url.searchParams.get('log') ?? '', tell), request.signal),
    'GET /breakpoints': (request) => streamBreakpoints(cluster, request.signal),
    'GET /storage/condition': (request) => streamCondition(cluster, request.signal),
    'POST /storage/keep': async () => (await cluster.keep(), new Response()),
    'GET /files': () => Response.json(cluster.files.current),
    'POST /files': async (request) => Response.json(await keepFiles(cluster, (await request.json()) as Files)),
  };
  return async (request) => {
    const url = new URL(request.url);
    const name = `${request.method} ${url.pathname}`;
    const route = getOwn(routes, name) ?? getOwn((await others.load()).otherRoutes(cluster, await pasts.load()), name);
    return route ? route(request, url) : new Response(null, { status: 404 });
  };
}

type Files = Cluster['files']['current'];

/** Whether the files are stored; a failure is reported elsewhere. */
export interface FilesAnswer {
  readonly kept: boolean;
}

function keepFiles(cluster: Cluster, files: Files): Promise<FilesAnswer> {
  return cluster.files.keep(files).then(
    () => ({ kept: true }),
    () => ({ kept: false }),
  );
}

function topicsIn(url: URL): Topic[] | undefined {
  const topics = url.searchParams.get('topics');
  return topics ? (topics.split(',') as Topic[]) : undefined;
}

const streamTrace = ({ trace }: Cluster, topics: Topic[] | undefined, signal: AbortSignal): Response =>
  streamGathered<TraceEvent>((tell) => trace.listen(tell, topics), signal);

/** Breakpoints, and what waits at them. */
export interface BreakpointState {
  readonly set: readonly Breakpoint[];
  /** The steps before which a request can be held, in their order. */
  readonly steps: readonly string[];
  readonly held: readonly Held[];
}

function streamBreakpoints({ breakpoints, steps }: Cluster, signal: AbortSignal): Response {
  return streamState<BreakpointState>(
    () => ({ set: breakpoints.all, steps, held: breakpoints.held }),
    (changed) => breakpoints.listen(changed),
    signal,
  );
}

function streamCondition({ storage }: Cluster, signal: AbortSignal): Response {
  return streamState<StorageCondition>(
    () => storage.condition,
    (changed) => storage.onCondition(changed),
    signal,
  );
}

/** A state as lines of JSON: now, and whenever `listen` says that it has changed. */
function streamState<T>(read: () => T, listen: (changed: () => void) => () => void, signal: AbortSignal): Response {
  return streamLines<T>((tell) => {
    const send = (): void => tell(read());
    const end = listen(send);
    send();
    return end;
  }, signal);
}
