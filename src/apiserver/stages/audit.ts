/** The audit record of a request: opened once the user is known, closed when the response is sent. */
import type { Auditor, AuditRecord } from '../../audit/index.ts';
import { auditLevels, auditRejections, reference } from '../../audit/index.ts';
import type { UserInfo } from '../../authn/index.ts';
import { status } from '../../schema/index.ts';
import { encodeText, isObject, pathAndQuery, WholeResponse } from '../../std/index.ts';
import { parseBody } from '../codec/input.ts';
import { bodyEncoding } from '../codec/negotiate.ts';
import type { Core, RequestContext } from '../context.ts';
import type { RequestInfo } from './requestInfo.ts';

/** What audit needs from the server. */
export interface AuditServer extends Core {
  /** Undefined if nothing is recorded. */
  readonly audit: Auditor | undefined;
}

/** The facts about a request when its record is opened. */
export interface Audited {
  readonly id: string;
  readonly request: Request;
  readonly info: RequestInfo;
  readonly user: UserInfo;
  readonly userAgent: string;
  /** Whether the client sent a certificate. */
  readonly certified?: boolean;
}

const AUDIT_ID = 'audit-id';

/**
 * Opens the record of a request and records its first stage; undefined if the policy excludes it. Throws 500 if it must
 * be recorded and can't be.
 */
export function openAudit(server: AuditServer, audited: Audited): AuditRecord | undefined {
  const record = newRecord(server, audited);
  if (record && !record.stage('RequestReceived') && server.audit?.strict) {
    server.metrics.add(auditRejections, {});
    throw status.internalError('failed to store audit event');
  }
  return record;
}

/** Records a request that was not authenticated: one event, without a user, which tells what was tried. */
export function auditUnauthenticated(server: AuditServer, audited: Omit<Audited, 'user'>): AuditRecord | undefined {
  const record = newRecord(server, audited);
  record?.responded({ message: attempted(audited.request, audited.certified ?? false), code: 401 });
  record?.stage('ResponseStarted');
  record?.close();
  return record;
}

function attempted({ headers, url }: Request, certified: boolean): string {
  const [scheme = '', ...credentials] = (headers.get('authorization') ?? '').trim().split(' ');
  const sent = (wanted: string): boolean => scheme.toLowerCase() === wanted && credentials.length > 0;
  const methods = [
    ...(sent('basic') ? ['basic'] : []),
    ...(sent('bearer') ? ['bearer'] : []),
    ...(new URLSearchParams(pathAndQuery(url).search).get('access_token')?.trim() ? ['access_token'] : []),
    ...(certified ? ['x509'] : []),
  ];
  if (methods.length === 0) return 'Authentication failed, no credentials provided';
  return `Authentication failed, attempted: ${methods.join(', ')}`;
}

function newRecord(
  server: AuditServer,
  { id, request, info, user, userAgent }: Omit<Audited, 'user'> & Partial<Audited>,
): AuditRecord | undefined {
  const { audit } = server;
  if (!audit) return undefined;
  const { pathname, search } = pathAndQuery(request.url);
  const { isResource, verb, resource, namespace, name, group, version, subresource } = info;
  const about = { resource, namespace, name, apiGroup: group, apiVersion: version, subresource };
  const record = audit.open(
    { ...info, user },
    {
      auditID: request.headers.get(AUDIT_ID) ?? id,
      requestURI: pathname + search,
      verb,
      user: user ?? {},
      sourceIPs: sourcesOf(request),
      userAgent,
      ...(isResource && { objectRef: reference(about) }),
    },
  );
  server.metrics.add(auditLevels, { level: record?.level ?? 'None' });
  return record;
}

/** The source addresses of the request: those from proxies, then the connection, which in a tab is the tab itself. */
function sourcesOf({ headers }: Request): readonly string[] {
  const forwarded = (headers.get('x-forwarded-for') ?? '').split(',').map((part) => part.trim());
  return [...forwarded, headers.get('x-real-ip') ?? '', '127.0.0.1'].filter((part) => part !== '');
}

type Asked = Pick<RequestContext, 'server' | 'request'>;

/** Records the response and returns it; for a stream, records its start now and its completion at its end. */
export function closeAudit(record: AuditRecord | undefined, asked: Asked, response: Response): Response {
  if (!record) return response;
  response.headers.set(AUDIT_ID, record.auditID);
  record.responded({ code: response.status });
  if (!(response instanceof WholeResponse) && response.body) {
    record.stage('ResponseStarted');
    return whenEnded(response, response.body, () => record.stage('ResponseComplete'));
  }
  if (response instanceof WholeResponse) recordBody(record, asked, response);
  record.stage('ResponseComplete');
  return response;
}

/** Always records a Status; records the returned object only if the policy requires it. */
function recordBody(record: AuditRecord, asked: Asked, response: WholeResponse): void {
  if (response.status < 400 && asked.request.method !== 'DELETE' && !record.covers('RequestResponse')) return;
  const value = valueOf(asked, response);
  if (!isObject(value)) return;
  const { kind, status: outcome, reason, code } = value;
  if (kind === 'Status' && typeof outcome === 'string')
    record.responded({
      status: outcome,
      ...(typeof reason === 'string' && reason !== '' && { reason }),
      ...(typeof code === 'number' && { code }),
    });
  if (record.covers('RequestResponse')) record.returned(JSON.stringify(value));
}

/** The value in a response; undefined if it is not a document. */
function valueOf(asked: Asked, { content, headers }: WholeResponse): unknown {
  try {
    const bytes = typeof content === 'string' ? encodeText(content) : content;
    return parseBody(asked, bytes, bodyEncoding(headers.get('content-type'), asked.server.names));
  } catch {
    return undefined;
  }
}

/** The response with a body that calls back once when it ends for any reason. */
function whenEnded(response: Response, body: ReadableStream<Uint8Array<ArrayBuffer>>, ended: () => void): Response {
  const reader = body.getReader();
  let over = false;
  const end = (): void => {
    if (!over) ended();
    over = true;
  };
  const watched = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      try {
        const { value, done } = await reader.read();
        if (!done) return controller.enqueue(value);
        end();
        controller.close();
      } catch (problem) {
        end();
        controller.error(problem);
      }
    },
    async cancel(reason) {
      end();
      await reader.cancel(reason);
    },
  });
  return new Response(watched, { status: response.status, headers: response.headers });
}
