/** What the example webhooks share: options, TLS, and JSON reviews. */
import { decodeText } from '../../std/index.ts';
import { serveHttp, urlOf, type Answer } from '../network/index.ts';
import type { HttpRequest } from '../network/http.ts';
import type { Process } from '../process.ts';
import { readOptions } from '../tools/tool.ts';

/** Answers the review in a request's body; undefined where nothing is served at the URL. */
type Reviewer = (url: URL, body: string) => object | undefined | Promise<object | undefined>;

const OPTIONS = ['tls-cert-file=', 'tls-private-key-file=', 'port=', 'alsologtostderr', 'v='];

/** Serves reviews until the process is stopped; over TLS where there is a certificate. `options` are accepted and ignored. */
export async function serveReviews(process: Process, options: readonly string[], review: Reviewer): Promise<number> {
  const { value } = readOptions(process.args.slice(2), '', 'v', [...OPTIONS, ...options]);
  const file = value('tls-cert-file');
  const tls = file === undefined ? {} : { tls: { certificate: process.files.text(file) } };
  serveHttp(process, Number(value('port') ?? 443), (request) => answer(request, review), tls);
  return process.stay();
}

async function answer(request: HttpRequest, review: Reviewer): Promise<Answer> {
  const url = urlOf(request);
  if (url.pathname === '/readyz') return { body: 'ok' };
  const body = await review(url, decodeText(request.body));
  if (!body) return { status: 404, body: '404 page not found\n' };
  return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } };
}
