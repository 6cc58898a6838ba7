/** Answers of the host to its page. */
import { encodeText } from '../../std/index.ts';

/** What answers, by method and path. */
export type Routes = Readonly<Record<string, (request: Request, url: URL) => Response | Promise<Response>>>;

/** The states of `follow` as JSON lines. A slow reader gets only the newest state. */
export function streamLines<T>(follow: (tell: (value: T) => void) => () => void, signal: AbortSignal): Response {
  let end = (): void => undefined;
  let unsent: { readonly value: T } | undefined;
  const send = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (!unsent || (controller.desiredSize ?? 0) <= 0) return;
    const { value } = unsent;
    unsent = undefined;
    controller.enqueue(encodeText(`${JSON.stringify(value)}\n`));
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      end = follow((value) => {
        unsent = { value };
        send(controller);
      });
      signal.addEventListener('abort', () => end(), { once: true });
    },
    pull: send,
    cancel: () => end(),
  });
  return streamed(body);
}

/** Values are sent together this often, in milliseconds; a panel draws no faster. */
export const GATHER_MS = 40;

/** The maximum number of waiting values; the oldest are dropped, so that a reader who does not read does not fill the memory. */
const MOST_WAITING = 10_000;

/** All that `follow` tells, gathered: each line is a JSON array of what came since the last one. */
export function streamGathered<T>(follow: (tell: (value: T) => void) => () => void, signal: AbortSignal): Response {
  let waiting: T[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let end = (): void => undefined;
  const send = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    timer = undefined;
    if (waiting.length === 0 || (controller.desiredSize ?? 0) <= 0) return;
    const values = waiting;
    waiting = [];
    controller.enqueue(encodeText(`${JSON.stringify(values)}\n`));
  };
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const stop = follow((value) => {
        waiting.push(value);
        if (waiting.length > MOST_WAITING) waiting.shift();
        timer ??= setTimeout(send, GATHER_MS, controller);
      });
      end = () => (clearTimeout(timer), stop());
      signal.addEventListener('abort', end, { once: true });
    },
    // What waits since the last timer goes out when the reader has room again.
    pull: (controller) => (timer === undefined ? send(controller) : undefined),
    cancel: () => end(),
  });
  return streamed(body);
}

/** An answer that is read as it comes. */
export function streamed(lines: ReadableStream<Uint8Array>): Response {
  return new Response(lines as ReadableStream<Uint8Array<ArrayBuffer>>, {
    headers: { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' },
  });
}
