/** The module ABAC: a file with one policy per line (specification, Authorization 3). */
import type { UserInfo } from '../authn/index.ts';
import type { Names } from '../names/index.ts';
import { isObject, getOwn, trimRight } from '../std/index.ts';
import type { Attributes, Authorizer, RuleSummary } from './types.ts';

export interface AbacPolicy {
  readonly user: string;
  readonly group: string;
  readonly readonly: boolean;
  readonly apiGroup: string;
  readonly resource: string;
  readonly namespace: string;
  readonly nonResourcePath: string;
}

const AUTHENTICATED = 'system:authenticated';

/** An invalid policy file; the server does not start with it. */
export class AbacPolicyError extends Error {
  override name = 'AbacPolicyError';
}

/** Parses a policy file: JSON lines; blank ones and those that start with `#` are skipped. Throws AbacPolicyError. */
export function parseAbacPolicies(text: string, names: Names): readonly AbacPolicy[] {
  return text.split('\n').flatMap((line, i) => {
    const content = line.trim();
    return content === '' || content.startsWith('#') ? [] : [parsePolicy(content, i + 1, names)];
  });
}

export function abacAuthorizer(policies: readonly AbacPolicy[]): Authorizer {
  return {
    name: 'ABAC',
    authorize: (request) => {
      const index = policies.findIndex((policy) => allows(policy, request));
      if (index < 0) return { decision: 'no-opinion', reason: 'No policy matched.' };
      return { decision: 'allow', reason: '', proof: () => ({ decision: 'allow', policy: policies[index], index }) };
    },
    rules: (user, namespace) =>
      summarize(policies.filter((policy) => subjectMatches(policy, user) && either(policy.namespace, namespace))),
  };
}

function parsePolicy(line: string, number: number, names: Names): AbacPolicy {
  const raw = parseLine(line, number);
  if (raw.kind === undefined && raw.apiVersion === undefined) return unversioned(raw);
  const group = names.fill('abac.authorization.{label}');
  if (raw.kind !== 'Policy' || (raw.apiVersion !== `${group}/v1beta1` && raw.apiVersion !== `${group}/v0`)) {
    throw new AbacPolicyError(
      `line ${number}: unknown kind or version: ${JSON.stringify(raw.apiVersion)}, ${JSON.stringify(raw.kind)}`,
    );
  }
  return raw.apiVersion.endsWith('/v0') ? unversioned(raw) : versioned(isObject(raw.spec) ? raw.spec : {});
}

function parseLine(line: string, number: number): Record<string, unknown> {
  try {
    const raw: unknown = JSON.parse(line);
    if (isObject(raw)) return raw;
  } catch {
    // Reported below, like any other line that is not an object.
  }
  throw new AbacPolicyError(`line ${number}: not a JSON object`);
}

/** `*` as a user or group means all authenticated users. */
function versioned(spec: Record<string, unknown>): AbacPolicy {
  const policy = fields(spec);
  return policy.user === '*' || policy.group === '*' ? { ...policy, user: '', group: AUTHENTICATED } : policy;
}

/** In the oldest form a missing field matches everything. */
function unversioned(raw: Record<string, unknown>): AbacPolicy {
  const policy = fields(raw);
  const everyone = policy.user === '*' || policy.group === '*' || (policy.user === '' && policy.group === '');
  return {
    ...policy,
    ...(everyone ? { user: '', group: AUTHENTICATED } : {}),
    apiGroup: '*',
    namespace: policy.namespace || '*',
    resource: policy.resource || '*',
    nonResourcePath: policy.namespace === '' && policy.resource === '' ? '*' : '',
  };
}

function fields(raw: Record<string, unknown>): AbacPolicy {
  const text = (name: string): string => {
    const value = getOwn(raw, name);
    return typeof value === 'string' ? value : '';
  };
  return {
    user: text('user'),
    group: text('group'),
    readonly: raw.readonly === true,
    apiGroup: text('apiGroup'),
    resource: text('resource'),
    namespace: text('namespace'),
    nonResourcePath: text('nonResourcePath'),
  };
}

function allows(policy: AbacPolicy, request: Attributes): boolean {
  if (!subjectMatches(policy, request.user)) return false;
  if (policy.readonly && !['get', 'list', 'watch'].includes(request.verb)) return false;
  if (!request.isResource) return pathMatches(policy.nonResourcePath, request.path);
  return (
    either(policy.namespace, request.namespace) &&
    either(policy.resource, request.resource) &&
    either(policy.apiGroup, request.group)
  );
}

/** A policy with both a user and a group requires both. A star was parsed as the group of authenticated users. */
function subjectMatches(policy: AbacPolicy, user: UserInfo): boolean {
  if (policy.user === '' && policy.group === '') return false;
  if (policy.user !== '' && policy.user !== user.name) return false;
  return policy.group === '' || user.groups.includes(policy.group);
}

function pathMatches(pattern: string, path: string): boolean {
  return either(pattern, path) || (pattern.endsWith('*') && path.startsWith(trimRight(pattern, '*')));
}

const either = (pattern: string, value: string): boolean => pattern === '*' || pattern === value;

function summarize(policies: readonly AbacPolicy[]): RuleSummary {
  const verbs = (policy: AbacPolicy): readonly string[] => (policy.readonly ? ['get', 'list', 'watch'] : ['*']);
  return {
    resourceRules: policies
      .filter((p) => p.resource !== '')
      .map((p) => ({ verbs: verbs(p), apiGroups: [p.apiGroup], resources: [p.resource] })),
    nonResourceRules: policies
      .filter((p) => p.nonResourcePath !== '')
      .map((p) => ({ verbs: verbs(p), nonResourceURLs: [p.nonResourcePath] })),
    incomplete: false,
  };
}
