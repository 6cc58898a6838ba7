/** Requests, roles and bindings in few words, for the tables of these tests. */
import type { Attributes, BindingObject, PolicyRule, RoleObject, Subject } from '../../src/authz/index.ts';
import { PolicyIndex } from '../../src/authz/index.ts';
import type { UserInfo } from '../../src/authn/index.ts';

export const RBAC = 'rbac.authorization.cluster.io';

/** `alice`, or `alice of dev,ops`. */
export function user(text: string): UserInfo {
  const [name = '', groups] = text.split(' of ');
  return { name, groups: groups === undefined ? [] : groups.split(','), extra: {} };
}

/** `get pods`, `get pods/log x in a`, `list deployments.apps in a`, or `get /healthz`. */
export function request(who: string, what: string): Attributes {
  const base = {
    user: user(who),
    version: 'v1',
    namespace: '',
    group: '',
    resource: '',
    subresource: '',
    name: '',
    path: '',
  };
  const match = /^(\S+) (\S+)(?: (?!in )(\S+))?(?: in (\S+))?$/.exec(what);
  if (!match) throw new Error(`can't read ${what}`);
  const [, verb = '', target = '', name = '', namespace = ''] = match;
  if (target.startsWith('/')) return { ...base, verb, isResource: false, path: target };
  const [qualified = '', subresource = ''] = target.split('/');
  const [resource = '', ...group] = qualified.split('.');
  return { ...base, verb, isResource: true, resource, group: group.join('.'), subresource, name, namespace };
}

/** `get,list pods,services` with optional `.group` on all, ` named a,b`, or `get /path`. */
export function rule(text: string): PolicyRule {
  const [verbs = '', target = '', , names] = text.split(' ');
  if (target.startsWith('/') || (target === '*' && text.endsWith('paths')))
    return { verbs: verbs.split(','), nonResourceURLs: target.split(',') };
  const [resources = '', group = ''] = target.includes('@') ? target.split('@') : [target];
  return {
    verbs: verbs.split(','),
    apiGroups: group === '' ? [''] : group.split('|').map((one) => (one === 'core' ? '' : one)),
    resources: resources.split(','),
    ...(names === undefined ? {} : { resourceNames: names.split(',') }),
  };
}

/** `Role a/reader` or `ClusterRole reader`. */
export function role(name: string, ...rules: readonly (string | PolicyRule)[]): RoleObject {
  return { metadata: metadata(name), rules: rules.map((one) => (typeof one === 'string' ? rule(one) : one)) };
}

/** Binds `Role reader` or `ClusterRole reader` to subjects such as `User alice`, `Group dev`, `ServiceAccount a/robot`. */
export function binding(name: string, ref: string, ...subjects: readonly string[]): BindingObject {
  const [kind = '', roleName = ''] = ref.split(' ');
  return {
    metadata: metadata(name),
    roleRef: { apiGroup: RBAC, kind, name: roleName },
    subjects: subjects.map(subject),
  };
}

export function subject(text: string): Subject {
  const [kind = '', full = ''] = text.split(' ');
  if (kind !== 'ServiceAccount') return { kind, apiGroup: RBAC, name: full };
  const [namespace = '', name] = full.split('/');
  return name === undefined ? { kind, name: namespace } : { kind, name, namespace };
}

function metadata(name: string): { name: string; namespace?: string } {
  const [first = '', second] = name.split('/');
  return second === undefined ? { name: first } : { namespace: first, name: second };
}

export function indexOf(roles: readonly RoleObject[], bindings: readonly BindingObject[]): PolicyIndex {
  const index = new PolicyIndex(RBAC);
  for (const one of roles) index.upsertRole(one);
  for (const one of bindings) index.upsertBinding(one);
  return index;
}
