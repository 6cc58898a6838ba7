/** Compresses large responses for clients that accept it, if the gate is on. */
import { encodeText, PlainHeaders, WholeResponse } from '../../std/index.ts';
import type { Core } from '../context.ts';

/** Smaller responses are not worth the time. */
const LEAST_BYTES = 128 * 1024;

export function compressed(server: Core, request: Request, response: Response): Response | Promise<Response> {
  if (!(response instanceof WholeResponse) || !asksForGzip(request) || !server.gate('APIResponseCompression'))
    return response;
  return response.content.length > LEAST_BYTES ? zipped(response) : response;
}

async function zipped(response: WholeResponse): Promise<Response> {
  const { content } = response;
  const bytes = typeof content === 'string' ? encodeText(content) : content;
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('gzip'));
  const headers = new PlainHeaders(response.headers);
  headers.set('content-encoding', 'gzip');
  headers.append('vary', 'Accept-Encoding');
  return new WholeResponse(await new Response(stream).bytes(), { status: response.status, headers });
}

const asksForGzip = ({ headers }: Request): boolean =>
  (headers.get('accept-encoding') ?? '').split(',').some((token) => token.trim() === 'gzip');
