/** Answers of the host to its page. */

/** What answers, by method and path. */
export type Routes = Readonly<Record<string, (request: Request, url: URL) => Response | Promise<Response>>>;

/** The states of `follow` as JSON lines. A slow reader gets only the newest state. */
export function streamLines<T>(follow: (tell: (value: T) => void) => () => void, signal: AbortSignal): Response {
  const encoder = new TextEncoder();
  let end = (): void => undefined;
  let unsent: { readonly value: T } | undefined;
  const send = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (!unsent || (controller.desiredSize ?? 0) <= 0) return;
    const { value } = unsent;
    unsent = undefined;
    controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
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

/** An answer that is read as it comes. */
export function streamed(lines: ReadableStream<Uint8Array>): Response {
  return new Response(lines as ReadableStream<Uint8Array<ArrayBuffer>>, {
    headers: { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' },
  });
}
