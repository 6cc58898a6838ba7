/** Answers of the host to its page. */

/** What answers, by method and path. */
export type Routes = Readonly<Record<string, (request: Request, url: URL) => Response | Promise<Response>>>;

/** What `follow` tells as lines of JSON, for as long as somebody reads. */
export function streamLines<T>(follow: (tell: (value: T) => void) => () => void, signal: AbortSignal): Response {
  const encoder = new TextEncoder();
  let end = (): void => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      end = follow((value) => controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`)));
      signal.addEventListener('abort', () => end(), { once: true });
    },
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
