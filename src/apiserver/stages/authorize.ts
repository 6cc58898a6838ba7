/** Authorization: turns request info into attributes and calls the chain of modules. */
import type { AuditRecord } from '../../audit/index.ts';
import type { UserInfo } from '../../authn/index.ts';
import { refusalProofs, type Attributes, type Authorization } from '../../authz/index.ts';
import { status } from '../../schema/index.ts';
import type { Core } from '../context.ts';
import type { Decisions } from '../decisions.ts';
import type { RequestInfo } from './requestInfo.ts';

export function attributesFor(user: UserInfo, info: RequestInfo): Attributes {
  const { verb, isResource, path, namespace, group, version, resource, subresource, name } = info;
  return { user, verb, isResource, path, namespace, group, version, resource, subresource, name };
}

/** Throws 403 unless a module allows the request; synchronous if all called modules are. */
export function authorize(
  server: Core & Pick<Decisions, 'authorize'>,
  requestId: string,
  user: UserInfo,
  info: RequestInfo,
  audit: AuditRecord | undefined,
): Promise<void> | undefined {
  const attributes = attributesFor(user, info);
  const conclude = (decided: Authorization): Promise<void> | undefined => {
    if (decided.decision !== 'allow' && !refusalProofs.loaded && server.tracer.wants('request'))
      return loadProofs().then(() => enforce(server, requestId, attributes, decided, audit));
    enforce(server, requestId, attributes, decided, audit);
    return undefined;
  };
  const authorization = server.authorize(attributes);
  return authorization instanceof Promise ? authorization.then(conclude) : conclude(authorization);
}

/** A refusal stays a refusal when the code that proves it can't be loaded. */
const loadProofs = async (): Promise<unknown> => refusalProofs.load().catch(() => undefined);

function enforce(
  server: Core,
  requestId: string,
  attributes: Attributes,
  authorization: Authorization,
  audit: AuditRecord | undefined,
): void {
  if (server.tracer.wants('request')) {
    const verdicts = authorization.verdicts.map(({ module, verdict }) => ({
      module,
      decision: verdict.decision,
      reason: verdict.reason,
      error: verdict.error,
      proof: verdict.proof?.(),
    }));
    server.tracer.emit({
      topic: 'request',
      request: requestId,
      stage: 'authorization',
      allowed: authorization.decision === 'allow',
      attributes,
      verdicts,
    });
  }
  if (audit) annotate(server, authorization, audit);
  if (authorization.decision !== 'allow') throw refusal(attributes, authorization.reason);
}

/** Adds the decision and its reason to the audit event. */
function annotate({ names }: Core, { decision, reason }: Authorization, audit: AuditRecord): void {
  audit.annotate(names.fill('authorization.{domain}/decision'), decision === 'allow' ? 'allow' : 'forbid');
  audit.annotate(names.fill('authorization.{domain}/reason'), reason);
}

/** The refusal, in the reference's wording. */
export function refusal(attributes: Attributes, reason: string): Error {
  const { user, verb, isResource, path, namespace, group, resource, subresource, name } = attributes;
  const who = `User ${JSON.stringify(user.name)} cannot ${verb}`;
  const tail = reason === '' ? '' : `: ${reason}`;
  if (!isResource) return status.failure(403, 'Forbidden', `forbidden: ${who} path ${JSON.stringify(path)}${tail}`, {});
  const what = subresource === '' ? resource : `${resource}/${subresource}`;
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return status.forbidden(
    { group, resource },
    name,
    `${who} resource ${JSON.stringify(what)} in API group ${JSON.stringify(group)} ${scope}${tail}`,
  );
}
