/**
 * A browser that stops the service worker in the middle of a request dispatches the request again, to the next one. So the
 * page gives each write an id, and what arrives with an id that was seen before gets the answer of the first.
 */
import { hostTime, WholeResponse } from '../../std/index.ts';
import { isRead, outcomeUnknown } from '../wire/index.ts';

/** The header with the id from the page's `fetch` for the service worker; it never leaves the page. */
export const requestIdHeader = 'x-vitrine-request-id';

/** How long an answer is remembered, in milliseconds; the second dispatch follows within one or two seconds. */
const REMEMBERED = 60_000;

interface Answered {
  readonly answer: Promise<Response>;
  /** When it was answered; undefined while it is under way. */
  at?: number;
}

/** Has `handle` answer each request once: what comes again with the same id shares the first answer. */
export function onlyOnce(
  handle: (request: Request) => Promise<Response>,
  now: () => number = hostTime.now,
): (request: Request) => Promise<Response> {
  const recent = new Map<string, Answered>();

  /** Drops old answers. Finished ones are ordered by time; pending requests do not block them. */
  const forgetOld = (): void => {
    for (const [id, { at }] of recent) {
      if (at === undefined) continue;
      if (now() - at < REMEMBERED) return;
      recent.delete(id);
    }
  };

  const answered = (id: string, entry: Answered): void => {
    entry.at = now();
    recent.delete(id);
    recent.set(id, entry);
  };

  return async (request) => {
    const id = request.headers.get(requestIdHeader);
    if (id === null) return handle(request);
    request.headers.delete(requestIdHeader);
    forgetOld();
    const known = recent.get(id);
    if (known) return again(await known.answer);
    const entry: Answered = { answer: handle(request) };
    recent.set(id, entry);
    return entry.answer.then(first).finally(() => answered(id, entry));
  };
}

/** The answer for the first caller: of a complete one a copy, so that the original remains. */
const first = (answer: Response): Response => (answer instanceof WholeResponse ? answer.clone() : answer);

/**
 * A copy for a repeated request. A streamed answer can be copied until its body is read; it must not be the same
 * Response, because a body can be read only once.
 */
function again(answer: Response): Response {
  if (answer instanceof WholeResponse) return answer.clone();
  const isBegun = answer.bodyUsed || (answer.body?.locked ?? false);
  return isBegun ? outcomeUnknown('its answer was streamed and broke off') : answer.clone();
}

/** Gives every write to an address below `base` an id, so that it is known again. */
export function identifyWrites(base: string): void {
  const original = globalThis.fetch.bind(globalThis);
  globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : new URL(input, document.baseURI).href;
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
    if (!url.startsWith(base) || isRead(method.toUpperCase())) return original(input, init);
    const request = new Request(input, init);
    request.headers.set(requestIdHeader, crypto.randomUUID());
    return original(request);
  };
}
