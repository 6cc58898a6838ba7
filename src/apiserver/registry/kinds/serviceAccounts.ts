/**
 * The token subresource of service accounts: POST creates a token with a limited lifetime (specification, Service
 * account automation).
 */
import type { AccountIssuer, BoundRef } from '../../../authn/index.ts';
import { field, Path, status, type ApiObject, type Resource } from '../../../schema/index.ts';
import { rfc3339 } from '../../../std/index.ts';
import { readObject } from '../../codec/input.ts';
import type { Answer } from '../../codec/answer.ts';
import type { ResourceContext } from '../registry.ts';
import { mutate, optionsObject, validate } from '../../handlers/admit.ts';
import { ownFields } from '../../handlers/fieldOwnership.ts';
import { writeOptions } from '../query.ts';
import { getObject } from '../read.ts';
import type { KindFile } from '../registry.ts';

export const serviceAccounts: KindFile = { resource: 'serviceaccounts', subresources: { token: requestToken } };

const SHORTEST_S = 10 * 60;
const LONGEST_S = 2 ** 32;
/**
 * The lifetime requested by the token volume. Such tokens live longer, so that clients that never reload them are found
 * before they fail.
 */
const VOLUME_S = 60 * 60 + 7;
const EXTENDED_S = 365 * 24 * 60 * 60;

interface TokenRequest extends ApiObject {
  spec: {
    audiences: string[] | null;
    expirationSeconds?: number;
    boundObjectRef?: { kind?: string; apiVersion?: string; name?: string; uid?: string } | null;
  };
}

async function requestToken(context: ResourceContext, resource: Resource): Promise<Answer> {
  const { server, info, request, query } = context;
  const type = server.scheme.byKind({
    group: server.names.fill('authentication.{domain}'),
    version: 'v1',
    kind: 'TokenRequest',
  });
  if (!type || !server.accounts) throw status.unknownPath();
  if (request.method !== 'POST')
    throw status.failure(
      405,
      'MethodNotAllowed',
      'the server does not allow this method on the requested resource',
      {},
    );
  const { dryRun, fieldManager } = writeOptions(query, 'create', server.names.domain);
  const sent = await readObject(context, type);
  const owned = await ownFields(context, type, undefined, sent, fieldManager);
  const admission = {
    operation: 'CREATE' as const,
    resource: type,
    name: info.name,
    old: undefined,
    dryRun,
    options: optionsObject(context, 'CreateOptions', {}),
  };
  const asked = (await mutate(context, { ...admission, object: owned })) as TokenRequest;
  await validate(context, { ...admission, object: asked });
  checkExpiration(asked, type);
  const account = await read(context, resource, info.name);
  const answered = await issue(asked, account, server.accounts, context);
  return {
    type: 'object',
    code: 201,
    resource: type,
    view: () => server.views.fresh(server.scheme.decode(type.node, answered) as ApiObject),
  };
}

function checkExpiration({ spec }: TokenRequest, { gvk }: Resource): void {
  const seconds = spec.expirationSeconds ?? 0;
  const path = Path.of('spec', 'expirationSeconds');
  const problem =
    seconds < SHORTEST_S
      ? 'may not specify a duration less than 10 minutes'
      : seconds > LONGEST_S
        ? 'may not specify a duration larger than 2^32 seconds'
        : undefined;
  if (problem !== undefined) throw status.invalid(gvk, '', [field.invalid(path, seconds, problem)]);
}

async function issue(
  asked: TokenRequest,
  account: ApiObject,
  accounts: AccountIssuer,
  context: ResourceContext,
): Promise<TokenRequest> {
  const { name = '', namespace = '', uid = '' } = account.metadata;
  const audiences = asked.spec.audiences?.length ? asked.spec.audiences : [...accounts.audiences];
  const seconds = shortened(asked.spec.expirationSeconds ?? 0, accounts, context);
  const bound = await boundObject(asked, name, context);
  const extends_ =
    accounts.extendExpiration &&
    bound.pod !== undefined &&
    seconds === VOLUME_S &&
    audiences.every((audience) => accounts.audiences.includes(audience));
  const now = Math.floor(context.server.clock.now() / 1000);
  const token = await accounts.maker.bound({
    account: { namespace, name, uid },
    ...bound,
    audiences,
    now,
    expiresInSeconds: extends_ ? EXTENDED_S : seconds,
    ...(extends_ ? { warnAfterSeconds: seconds } : {}),
  });
  const spec = { ...asked.spec, audiences, expirationSeconds: seconds };
  return { ...asked, spec, status: { token, expirationTimestamp: rfc3339((now + seconds) * 1000) } };
}

/** Limits a token's lifetime to the server's maximum. */
function shortened(
  seconds: number,
  { maxExpirationSeconds: most }: AccountIssuer,
  { warnings }: ResourceContext,
): number {
  if (most <= 0 || seconds <= most) return seconds;
  warnings.add(`requested expiration of ${seconds} seconds shortened to ${most} seconds`);
  return most;
}

/** The current object to which the token is bound. */
async function boundObject(
  { spec }: TokenRequest,
  account: string,
  context: ResourceContext,
): Promise<{ pod?: BoundRef; secret?: BoundRef }> {
  const ref = spec.boundObjectRef;
  if (!ref) return {};
  const { kind = '', apiVersion = '', name = '' } = ref;
  const resource = { Pod: 'pods', Secret: 'secrets' }[kind];
  const type = context.server.scheme.byResource({ group: '', version: 'v1', resource: resource ?? '' });
  if (!type || apiVersion.includes('/'))
    throw status.badRequest(
      `cannot bind token to object of type ${apiVersion.includes('/') ? '' : '/'}${apiVersion}, Kind=${kind}`,
    );
  const object = await read(context, type, name);
  const running = (object.spec as { serviceAccountName?: string } | undefined)?.serviceAccountName;
  if (kind === 'Pod' && running !== account) {
    throw status.badRequest(
      `cannot bind token for serviceaccount ${JSON.stringify(account)} to pod running with different serviceaccount name.`,
    );
  }
  const { uid = '' } = object.metadata;
  if (ref.uid && ref.uid !== uid) {
    const why = `the UID in the bound object reference (${ref.uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw status.conflict({ group: '', resource: kind }, name, why);
  }
  return { [kind === 'Pod' ? 'pod' : 'secret']: { name, uid } };
}

async function read(context: ResourceContext, resource: Resource, name: string): Promise<ApiObject> {
  if (name === '') throw status.badRequest('Name parameter required.');
  const entry = await getObject(context, resource, name, '');
  return context.server.views.of(entry, resource.hub).object;
}
