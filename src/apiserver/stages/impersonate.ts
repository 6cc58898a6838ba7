/** Impersonation: the `Impersonate-*` headers, each of which needs the right to impersonate its value. */
import type { AuditRecord } from '../../audit/index.ts';
import { impersonationOf, type UserInfo } from '../../authn/index.ts';
import type { Attributes } from '../../authz/index.ts';
import { pathAndQuery } from '../../std/index.ts';
import type { Core } from '../context.ts';
import type { Decisions } from '../decisions.ts';
import { refusal } from './authorize.ts';
import { internalFailure } from './failure.ts';

/** Whether a request has impersonation headers. */
export function asksToBeAnother({ headers }: Request): boolean {
  for (const name of headers.keys()) if (name.startsWith('impersonate-')) return true;
  return false;
}

export async function impersonate(
  server: Core & Pick<Decisions, 'authorize'>,
  requestId: string,
  user: UserInfo,
  request: Request,
  audit: AuditRecord | undefined,
): Promise<UserInfo> {
  const wanted = impersonationOf(request.headers, server.names);
  if (!wanted) return user;
  if (typeof wanted === 'string') {
    const { pathname, search } = pathAndQuery(request.url);
    throw internalFailure(pathname + search, wanted);
  }
  for (const part of wanted.requires) {
    const attributes: Attributes = { user, verb: 'impersonate', isResource: true, path: '', version: '', ...part };
    const { decision, reason } = await server.authorize(attributes);
    if (decision !== 'allow') throw refusal(attributes, reason);
  }
  const { user: target } = wanted;
  audit?.impersonated(target);
  server.tracer.emit({
    topic: 'request',
    request: requestId,
    stage: 'impersonation',
    from: user.name,
    user: target.name,
    groups: target.groups,
  });
  return target;
}
