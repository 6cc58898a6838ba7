/** Paths that are no resources: health, version, keys. Discovery is in `discovery.ts`. */
import { discoveryDocument, keySetDocument, type AccountIssuer } from '../authn/index.ts';
import { status } from '../schema/index.ts';
import { openApi } from './openApi.ts';
import { textResponse, type Answer } from './codec/respond.ts';
import type { RequestContext } from './context.ts';
import { dumpLevels, dumpQueues, dumpRequests, type Levels } from './flow/index.ts';
import { health } from './health.ts';
import { logs } from './logs.ts';
import { metricsPath } from './metrics.ts';
import { VERSION } from './version.ts';

type Plain = (context: RequestContext) => Answer | Promise<Answer>;

const json = (value: object): Answer => ({
  type: 'response',
  response: textResponse(`${JSON.stringify(value, undefined, 2)}`, 200, 'application/json'),
});

/** What lets others verify this server's tokens of service accounts. */
const issuer =
  (show: (accounts: AccountIssuer) => object | Promise<object>, type: string): Plain =>
  async ({ server }) => {
    if (!server.accounts || !server.gate('ServiceAccountIssuerDiscovery')) throw status.unknownPath();
    const response = textResponse(JSON.stringify(await show(server.accounts)), 200, type);
    response.headers.set('cache-control', 'public, max-age=3600');
    return { type: 'response', response };
  };

/** What flow control is at; there is nothing to tell where it is off. */
const flowDump =
  (text: (levels: ReturnType<Levels['all']>, query: URLSearchParams) => string): Plain =>
  ({ server, query }) => {
    if (!server.levels) throw status.unknownPath();
    return {
      type: 'response',
      response: textResponse(text(server.levels.all(), query), 200, 'text/plain; charset=utf-8'),
    };
  };

/** Exact paths, and those that have parts below them. */
const PATHS: Readonly<Record<string, Plain>> = {
  '/version': () => json(VERSION),
  '/.well-known/openid-configuration': issuer(discoveryDocument, 'application/json'),
  '/openid/v1/jwks': issuer(keySetDocument, 'application/jwk-set+json'),
  '/openapi/v2': openApi,
  '/metrics': metricsPath,
  '/debug/api_priority_and_fairness/dump_priority_levels': flowDump((levels) => dumpLevels(levels)),
  '/debug/api_priority_and_fairness/dump_queues': flowDump((levels) => dumpQueues(levels)),
  '/debug/api_priority_and_fairness/dump_requests': flowDump((levels, query) =>
    dumpRequests(levels, (query.get('includeRequestDetails') ?? '') !== ''),
  ),
  '/healthz': health,
  '/livez': health,
  '/readyz': health,
  '/logs': logs,
};

/** Answers a plain path; undefined where there is none of that name. */
export async function plainPath(context: RequestContext): Promise<Answer | undefined> {
  const path = context.info.path.replace(/\/+$/, '') || '/';
  const root = `/${path.split('/')[1] ?? ''}`;
  const handle =
    PATHS[path] ??
    (/^\/(healthz|livez|readyz|logs)$/.test(root) ? PATHS[root] : undefined) ??
    context.server.plainPaths.get(path);
  if (!handle) return undefined;
  if (context.request.method !== 'GET')
    throw status.failure(
      405,
      'MethodNotAllowed',
      'the server does not allow this method on the requested resource',
      {},
    );
  return handle(context);
}
