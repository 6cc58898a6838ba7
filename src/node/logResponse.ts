import { encodeText } from '../std/index.ts';

/** A response with lines as its body, truncated after a number of bytes. Lines are read on demand. */
export function logResponse(lines: AsyncIterable<string> | undefined, limitBytes = Infinity): Response {
  const headers = { 'content-type': 'text/plain' };
  if (!lines) return new Response('', { headers });
  const iterator = lines[Symbol.asyncIterator]();
  let left = limitBytes;
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = left > 0 ? await iterator.next() : { done: true, value: '' };
      if (done) return controller.close();
      const bytes = encodeText(value).subarray(0, left);
      left -= bytes.length;
      controller.enqueue(bytes);
    },
    cancel: async () => void (await iterator.return?.()),
  });
  // Hosts stream it, because a followed log has no end.
  return new Response(body, { headers: { ...headers, 'transfer-encoding': 'chunked' } });
}
