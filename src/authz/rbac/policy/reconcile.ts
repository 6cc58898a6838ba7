/** The changes that a stored role or binding needs to contain the default: nothing is ever removed. */
import { clone, deepEqual, getOwn } from '../../../std/index.ts';
import type { ApiObject } from '../../../schema/index.ts';
import { missingRules } from '../covers.ts';
import type { PolicyRule, RoleRef, Subject } from '../types.ts';
import type { PolicyBinding, PolicyObject, PolicyRole } from './defaultPolicy.ts';

/** `recreate`: a binding's role can't be changed, so it is deleted and the default is created. */
export type Reconciliation =
  { readonly step: 'none' } | { readonly step: 'update' | 'recreate'; readonly object: ApiObject };

const nothing: Reconciliation = { step: 'none' };

/** Compares a stored role with its default. `protection` is the annotation that forbids changes if `false`. */
export function reconcileRole(stored: ApiObject, expected: PolicyRole, protection: string): Reconciliation {
  if (getOwn(stored.metadata.annotations, protection) === 'false') return nothing;
  const next = clone(stored);
  addMissingMeta(next, expected);
  const held = (next.rules ?? []) as readonly PolicyRule[];
  const missing = missingRules(held, expected.rules ?? []);
  if (missing.length > 0) next.rules = [...held, ...missing];
  if (expected.aggregationRule) addMissingSelectors(next, expected.aggregationRule.clusterRoleSelectors);
  // It has its own rules: if they were aggregated, the default rules would be overwritten.
  else delete next.aggregationRule;
  return deepEqual(next, stored) ? nothing : { step: 'update', object: next };
}

/** The object to create; a copy, because the declared one is shared and read-only. */
export const draft = (expected: PolicyObject): ApiObject => structuredClone(expected) as ApiObject;

/** Compares a stored binding with its default. */
export function reconcileBinding(stored: ApiObject, expected: PolicyBinding, protection: string): Reconciliation {
  if (getOwn(stored.metadata.annotations, protection) === 'false') return nothing;
  const next = clone(stored);
  addMissingMeta(next, expected);
  // Subjects of a binding to another role are not copied.
  if (!deepEqual(stored.roleRef as RoleRef, expected.roleRef)) return { step: 'recreate', object: draft(expected) };
  const held = (next.subjects ?? []) as readonly Subject[];
  const missing = (expected.subjects ?? []).filter((subject) => !held.some((other) => sameSubject(subject, other)));
  if (missing.length > 0) next.subjects = [...held, ...missing];
  return deepEqual(next, stored) ? nothing : { step: 'update', object: next };
}

function addMissingMeta(next: ApiObject, expected: PolicyRole | PolicyBinding): void {
  next.metadata.labels = { ...expected.metadata.labels, ...next.metadata.labels };
  next.metadata.annotations = { ...expected.metadata.annotations, ...next.metadata.annotations };
}

function addMissingSelectors(next: ApiObject, selectors: readonly unknown[]): void {
  const held = (next.aggregationRule as { clusterRoleSelectors?: unknown[] } | undefined)?.clusterRoleSelectors ?? [];
  const missing = selectors.filter((selector) => !held.some((other) => deepEqual(selector, other)));
  if (missing.length > 0) next.aggregationRule = { clusterRoleSelectors: [...held, ...missing] };
}

function sameSubject(a: Subject, b: Subject): boolean {
  return (
    a.kind === b.kind &&
    (a.apiGroup ?? '') === (b.apiGroup ?? '') &&
    a.name === b.name &&
    (a.namespace ?? '') === (b.namespace ?? '')
  );
}
