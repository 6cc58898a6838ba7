/** Node's HTTP/2 server for tests of the client's side. */
import { once } from 'node:events';
import { createServer, type Http2Server, type ServerHttp2Stream, type ServerOptions } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Answer = (stream: ServerHttp2Stream, body: Buffer, path: string) => void;

/** A server that answers once it has read the request. */
export async function serverWith(
  answer: Answer,
  options: ServerOptions = {},
): Promise<{ url: string; server: Http2Server }> {
  const server = createServer(options);
  server.on('stream', (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on('error', () => undefined);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => answer(stream, Buffer.concat(chunks), String(headers[':path'])));
  });
  server.on('sessionError', () => undefined);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
