/** Non-resource paths: health, version, keys. Discovery is in `discovery.ts`. */
import { discoveryDocument, keySetDocument, type AccountIssuer } from '../authn/index.ts';
import { status } from '../schema/index.ts';
import { Part, trimRight, type Loadable, getOwn } from '../std/index.ts';
import { isRouted } from './codec/negotiate.ts';
import type { Answer } from './codec/answer.ts';
import { textResponse } from './codec/textResponse.ts';
import type { RequestContext } from './context.ts';
import type { Decisions } from './decisions.ts';
import type * as Tables from './flow/dump.ts';
import type { Levels } from './flow/levels.ts';
import { health, healthPaths, type HealthServer } from './health.ts';
import { logs } from './logs.ts';
import { metricsPath } from './metrics.ts';
import type { AuditServer } from './stages/audit.ts';
import { VERSION } from './version.ts';

/** The OpenAPI document covers every type, and few clients ask for it. */
const openApi = new Part(() => import('./openApi.ts'));

/** Tables of the state of flow control. */
const dump = new Part(() => import('./flow/dump.ts'));

export const pathParts: readonly Loadable[] = [openApi, dump];

/** What non-resource paths need from the server. */
export interface PlainServer extends AuditServer, HealthServer, Pick<Decisions, 'accounts'> {}

type Plain = (context: RequestContext<PlainServer>) => Answer | Promise<Answer>;

const json = (value: object): Answer => ({
  type: 'response',
  response: textResponse(`${JSON.stringify(value, undefined, 2)}`, 200, 'application/json'),
});

/** The documents with which others verify this server's service account tokens. */
const issuer =
  (show: (accounts: AccountIssuer) => object | Promise<object>, type: string): Plain =>
  async ({ server }) => {
    if (!server.accounts || !server.gate('ServiceAccountIssuerDiscovery')) throw status.unknownPath();
    const response = textResponse(JSON.stringify(await show(server.accounts)), 200, type);
    response.headers.set('cache-control', 'public, max-age=3600');
    return { type: 'response', response };
  };

/** The state of flow control; not found if flow control is off. */
const flowDump =
  (text: (tables: typeof Tables, levels: ReturnType<Levels['all']>, query: URLSearchParams) => string): Plain =>
  async ({ server, query }) => {
    if (!server.levels) throw status.unknownPath();
    return {
      type: 'response',
      response: textResponse(text(await dump.load(), server.levels.all(), query), 200, 'text/plain; charset=utf-8'),
    };
  };

const KEY_SET = 'application/jwk-set+json';

/** A path with one media type, for clients that accept it. */
function produces(type: string, plain: Plain): Plain {
  return (context) => {
    const accept = context.request.headers.get('accept') ?? '';
    if (accept !== '' && !isRouted(accept, [type])) throw status.notRouted();
    return plain(context);
  };
}

/** Read-only services; a trailing slash makes no difference. */
const SERVICES: Readonly<Record<string, Plain>> = {
  '/version': produces('application/json', () => json(VERSION)),
  '/.well-known/openid-configuration': produces('application/json', issuer(discoveryDocument, 'application/json')),
  '/openid/v1/jwks': produces(KEY_SET, issuer(keySetDocument, KEY_SET)),
  '/logs': logs,
};

/** Exact paths, for any method. */
const EXACT: Readonly<Record<string, Plain>> = {
  '/openapi/v2': async (context) => (await openApi.load()).openApi(context),
  '/metrics': metricsPath,
  '/debug/api_priority_and_fairness/dump_priority_levels': flowDump((tables, levels) => tables.dumpLevels(levels)),
  '/debug/api_priority_and_fairness/dump_queues': flowDump((tables, levels) => tables.dumpQueues(levels)),
  '/debug/api_priority_and_fairness/dump_requests': flowDump((tables, levels, query) =>
    tables.dumpRequests(levels, (query.get('includeRequestDetails') ?? '') !== ''),
  ),
};

/** The non-resource paths in the list of all paths. */
export function listedPaths(server: PlainServer): string[] {
  const exact = Object.keys(EXACT).filter((path) => !path.startsWith('/debug/'));
  return [...Object.keys(SERVICES), ...exact, ...healthPaths(server)];
}

/** Answers a non-resource path; undefined if it does not exist. */
export async function plainPath(context: RequestContext<PlainServer>): Promise<Answer | undefined> {
  const { path } = context.info;
  const exact = getOwn(EXACT, path);
  if (exact) return exact(context);
  const service = getOwn(SERVICES, trimRight(path, '/')) ?? (path.startsWith('/logs/') ? logs : undefined);
  if (!service) return health(context);
  if (context.request.method !== 'GET') throw wrongMethod();
  return service(context);
}

export const wrongMethod = (): Error =>
  status.failure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {});
