import type { Handler, Realm } from '../wire/index.ts';
import { deferred, isRead, outcomeUnknown } from '../wire/index.ts';
import { continued } from './continued.ts';

/** Who answers: another tab's worker (`remote`, which may be gone at any moment) or this one's own cluster. */
export interface Way {
  readonly handle: Handler;
  readonly remote: boolean;
}

export interface Relay {
  readonly handle: Handler;
  /** From now on `way` answers; what waited goes there. */
  switchTo(way: Way): void;
  /** Nobody answers until the next `switchTo`. */
  lose(): void;
  /** Nobody will ever answer: what waits fails. */
  close(reason: Error): void;
}

/** Sends requests to the current leader, and to the next one when it is gone, by the rules of README.md. */
export function createRelay(): Relay {
  let current: Way | undefined;
  let waiting = deferred<Way>();

  const handle: Handler = async (request, realm) => {
    for (;;) {
      const way = current ?? (await raceAbort(waiting.promise, request.signal));
      try {
        const response = await way.handle(request, realm);
        return way.remote ? withContinuation(request, realm, response) : response;
      } catch (error) {
        const gone = way !== current;
        if (!gone || request.signal.aborted) throw error;
        if (!isRead(request.method)) return outcomeUnknown('the tab that ran the cluster was closed');
      }
    }
  };

  const withContinuation = (request: Request, realm: Realm, response: Response): Response => {
    const from = resumableFrom(request, response);
    if (from === undefined || !response.body) return response;
    const served = current;
    const again = async (revision: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | undefined> => {
      if (served === current) return undefined;
      const url = new URL(request.url);
      url.searchParams.set('resourceVersion', revision);
      return eventsOf(await handle(new Request(url, request), realm));
    };
    return new Response(continued(response.body, { from, again }), response);
  };

  const settleWaiting = (settle: () => void): void => {
    settle();
    waiting.promise.catch(() => undefined);
  };

  return {
    handle,
    switchTo: (way) => {
      current = way;
      settleWaiting(() => waiting.resolve(way));
    },
    lose: () => {
      if (!current) return;
      current = undefined;
      waiting = deferred();
    },
    close: (reason) => {
      current = undefined;
      settleWaiting(() => waiting.reject(reason));
    },
  };
}

function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) return abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

/** The revision from which a watch began; undefined when it named none, or its answer is not a stream of JSON events. */
function resumableFrom(request: Request, response: Response): string | undefined {
  const { pathname, searchParams } = new URL(request.url);
  const isWatch = /^(1|true)$/i.test(searchParams.get('watch') ?? '') || pathname.includes('/watch/');
  const from = searchParams.get('resourceVersion');
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return isWatch && response.ok && isJson && from && from !== '0' ? from : undefined;
}

/** The body of a watch; if it was refused (its revision was compacted, say), the refusal as an event of the watch. */
async function eventsOf(response: Response): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | undefined> {
  if (response.ok) return response.body ?? undefined;
  const refusal = `{"type":"ERROR","object":${(await response.text()).trim()}}\n`;
  return new Response(refusal).body ?? undefined;
}
