/** Questions to the index that decides requests: who can, what can, and a matrix. */
import type { UserInfo } from '../../authn/index.ts';
import type { Attributes } from '../types.ts';
import { findAllowance } from './authorizer.ts';
import { groupMatches, resourceMatches, ruleAllows, verbMatches } from './rules.ts';
import type { Grant, PolicyIndex } from './policyIndex.ts';
import { keysOfUser } from './subjects.ts';
import type { BindingId, PolicyRule, RoleId, Subject } from './types.ts';

/** A subject that may do what was asked, and the grant. */
export interface Holder {
  readonly subject: Subject;
  readonly binding: BindingId;
  readonly role: RoleId;
  readonly ruleIndex: number;
}

/** All subjects that RBAC allows a request; once for each binding that does. */
export function whoCan(index: PolicyIndex, asked: Omit<Attributes, 'user'>): readonly Holder[] {
  const request: Attributes = { ...asked, user: { name: '', groups: [], extra: {} } };
  const holders: Holder[] = [];
  for (const grant of index.allGrants()) {
    if (grant.binding.namespace !== '' && grant.binding.namespace !== request.namespace) continue;
    const ruleIndex = grant.role.rules?.findIndex((rule) => ruleAllows(rule, request)) ?? -1;
    if (ruleIndex >= 0)
      holders.push({ subject: grant.subject, binding: grant.binding, role: grant.role.id, ruleIndex });
  }
  return holders;
}

/** A rule that a user has, its scope, and the grant. */
export interface Held {
  /** A namespace, or empty for the whole cluster. */
  readonly scope: string;
  readonly rule: PolicyRule;
  readonly binding: BindingId;
  readonly subject: Subject;
  readonly role: RoleId;
  readonly ruleIndex: number;
}

/** All rules that bindings give to a user: cluster-wide, then by namespace. */
export function whatCan(index: PolicyIndex, user: UserInfo): readonly Held[] {
  const keys = new Set(keysOfUser(user));
  const grants = [...index.allGrants()].filter((grant) => keys.has(grant.key));
  grants.sort((a, b) => compare(a.binding.namespace, b.binding.namespace) || compare(a.binding.name, b.binding.name));
  return grants.flatMap(heldBy);
}

function heldBy({ binding, subject, role }: Grant): Held[] {
  return (role.rules ?? []).map((rule, ruleIndex) => ({
    scope: binding.namespace,
    rule,
    binding,
    subject,
    role: role.id,
    ruleIndex,
  }));
}

export interface MatrixRow {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly cells: readonly MatrixCell[];
}

/** `named`: only for objects with these names. */
export interface MatrixCell {
  readonly verb: string;
  readonly allowed: 'yes' | 'named' | 'no';
  readonly names: readonly string[];
}

/** What a user may do with each resource in a namespace (empty: in the whole cluster). */
export function matrix(
  index: PolicyIndex,
  user: UserInfo,
  namespace: string,
  resources: readonly Pick<MatrixRow, 'group' | 'resource' | 'subresource'>[],
  verbs: readonly string[],
): readonly MatrixRow[] {
  const keys = keysOfUser(user);
  const rules = index.rulesFor(user, namespace).rules.filter((rule) => rule.resourceNames?.length);
  const cell = (row: Pick<MatrixRow, 'group' | 'resource' | 'subresource'>, verb: string): MatrixCell => {
    const request = { ...row, user, verb, namespace, isResource: true, path: '', version: '', name: '' };
    if (findAllowance(index, request, keys)) return { verb, allowed: 'yes', names: [] };
    const names = rules.filter((rule) => speaksOf(rule, request)).flatMap((rule) => rule.resourceNames ?? []);
    return { verb, allowed: names.length > 0 ? 'named' : 'no', names: [...new Set(names)] };
  };
  return resources.map((row) => ({ ...row, cells: verbs.map((verb) => cell(row, verb)) }));
}

/** Whether a rule would allow a request regardless of its names. */
function speaksOf(rule: PolicyRule, { verb, group, resource, subresource }: Attributes): boolean {
  return verbMatches(rule, verb) && groupMatches(rule, group) && resourceMatches(rule, resource, subresource);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
