/** What has to change so that a stored role or binding holds at least what the default says: nothing is ever taken away. */
import { clone, deepEqual } from '../../../std/index.ts';
import type { ApiObject } from '../../../schema/index.ts';
import { missingRules } from '../covers.ts';
import type { PolicyRule, RoleRef, Subject } from '../types.ts';
import type { PolicyBinding, PolicyRole } from './defaultPolicy.ts';

/** `recreate`: a binding's role can't be changed, so it is deleted and made anew. */
export type Reconciliation =
  { readonly step: 'none' } | { readonly step: 'update' | 'recreate'; readonly object: ApiObject };

const nothing: Reconciliation = { step: 'none' };

/** A stored role against its default. `protection` is the annotation that, set to `false`, forbids changes. */
export function reconcileRole(stored: ApiObject, expected: PolicyRole, protection: string): Reconciliation {
  if (stored.metadata.annotations?.[protection] === 'false') return nothing;
  const next = clone(stored);
  addMissingMeta(next, expected);
  // The rules of an aggregated role belong to the controller that gathers them.
  if (!expected.aggregationRule) {
    const held = (next.rules ?? []) as readonly PolicyRule[];
    const missing = missingRules(held, expected.rules ?? []);
    if (missing.length > 0) next.rules = [...held, ...missing];
  } else addMissingSelectors(next, expected.aggregationRule.clusterRoleSelectors);
  return deepEqual(next, stored) ? nothing : { step: 'update', object: next };
}

/** A stored binding against its default. */
export function reconcileBinding(stored: ApiObject, expected: PolicyBinding, protection: string): Reconciliation {
  if (stored.metadata.annotations?.[protection] === 'false') return nothing;
  const next = clone(stored);
  addMissingMeta(next, expected);
  const held = (next.subjects ?? []) as readonly Subject[];
  const missing = (expected.subjects ?? []).filter((subject) => !held.some((other) => sameSubject(subject, other)));
  if (missing.length > 0) next.subjects = [...held, ...missing];
  if (!deepEqual(stored.roleRef as RoleRef, expected.roleRef))
    return { step: 'recreate', object: { ...next, roleRef: expected.roleRef } };
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
