/**
 * The module Webhook: sends a SubjectAccessReview to a remote service, and caches the answers (specification,
 * Authorization 3).
 */
import { postJson } from '../authn/index.ts';
import type { RemoteDeps, RemoteEndpoint } from '../authn/index.ts';
import { ExpiringMap, isObject } from '../std/index.ts';
import type { Attributes, Authorizer, Verdict } from './types.ts';

export interface WebhookAuthorizerOptions extends RemoteDeps {
  readonly endpoint: RemoteEndpoint;
  /** `authorization.{domain}/v1beta1` or `…/v1`. */
  readonly apiVersion: string;
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
}

/** Requests with longer attributes are not cached, because anyone could fill the cache with them. */
const LONGEST_KEY = 10_000;

export function webhookAuthorizer(options: WebhookAuthorizerOptions): Authorizer {
  const cache = new ExpiringMap<Verdict>(options.clock, 8192);
  const ask = async (key: string, spec: unknown): Promise<Verdict> => {
    const review = {
      apiVersion: options.apiVersion,
      kind: 'SubjectAccessReview',
      metadata: { creationTimestamp: null },
      spec,
    };
    const verdict = readVerdict(await postJson(options, options.endpoint, review));
    if (key.length < LONGEST_KEY)
      cache.set(key, verdict, verdict.decision === 'allow' ? options.authorizedTtlMs : options.unauthorizedTtlMs);
    return verdict;
  };
  return {
    name: 'Webhook',
    authorize: (request) => {
      const spec = specOf(request, options.apiVersion);
      const key = JSON.stringify(spec);
      return cache.get(key) ?? ask(key, spec);
    },
    rules: () => ({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      error: 'webhook authorizer does not support user rule resolution',
    }),
  };
}

/** Between the versions of the review only the field of the groups differs. */
function specOf(request: Attributes, apiVersion: string): object {
  const { user } = request;
  const groups =
    user.groups.length === 0 ? {} : { [apiVersion.endsWith('/v1beta1') ? 'group' : 'groups']: user.groups };
  return {
    ...(request.isResource
      ? { resourceAttributes: resourceOf(request) }
      : { nonResourceAttributes: present({ path: request.path, verb: request.verb }) }),
    ...present({ user: user.name }),
    ...groups,
    ...(Object.keys(user.extra).length === 0 ? {} : { extra: user.extra }),
    ...(user.uid ? { uid: user.uid } : {}),
  };
}

function resourceOf(request: Attributes): object {
  const { namespace, verb, group, version, resource, subresource, name } = request;
  return present({ namespace, verb, group, version, resource, subresource, name });
}

function present(fields: Readonly<Record<string, string>>): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

function readVerdict(answer: Record<string, unknown>): Verdict {
  const status = isObject(answer.status) ? answer.status : {};
  const reason = typeof status.reason === 'string' ? status.reason : '';
  if (status.denied === true && status.allowed === true)
    throw new Error('webhook subject access review returned both allow and deny response');
  if (status.denied === true) return { decision: 'deny', reason };
  return { decision: status.allowed === true ? 'allow' : 'no-opinion', reason };
}
