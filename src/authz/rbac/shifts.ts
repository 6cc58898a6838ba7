/** The effect of changed roles and bindings: who would gain and lose which rules. */
import { missingRules } from './covers.ts';
import { joinedRules } from './joined.ts';
import type { PolicyIndex } from './policyIndex.ts';
import { keyOfSubject } from './subjects.ts';
import type { BindingObject, PolicyRule, RoleObject, Subject } from './types.ts';

/** Proposed roles and bindings; others stay unchanged. */
export interface Proposal {
  readonly roles: readonly RoleObject[];
  readonly bindings: readonly BindingObject[];
}

/** What one subject gains and loses in one scope: a namespace, or empty for the whole cluster. */
export interface Shift {
  readonly subject: Subject;
  readonly scope: string;
  readonly gains: readonly PolicyRule[];
  readonly loses: readonly PolicyRule[];
}

interface Affected {
  readonly key: string;
  readonly subject: Subject;
  readonly scope: string;
}

/**
 * All subjects whose rights would change, with as few rules as possible. Rights through a group are listed for the
 * group.
 */
export function shiftsBy(index: PolicyIndex, { roles, bindings }: Proposal): readonly Shift[] {
  const after = index.copy();
  for (const role of roles) after.upsertRole(role);
  for (const binding of bindings) after.upsertBinding(binding);
  const affected = new Map<string, Affected>();
  for (const policy of [index, after])
    for (const one of affectedIn(policy, { roles, bindings })) affected.set(`${one.key} in ${one.scope}`, one);
  return [...affected.values()].flatMap(({ key, subject, scope }) => {
    const [before, then] = [heldIn(index, key, scope), heldIn(after, key, scope)];
    const [gains, loses] = [missingRules(before, then), missingRules(then, before)];
    if (gains.length + loses.length === 0) return [];
    return [{ subject, scope, gains: joinedRules(gains), loses: joinedRules(loses) }];
  });
}

/** The subjects of a proposed binding, or of one that refers to a proposed role. */
function* affectedIn(policy: PolicyIndex, { roles, bindings }: Proposal): Generator<Affected> {
  const changed = new Set(bindings.map(nameOf));
  const wanted = new Set(roles.map(nameOf));
  for (const { binding, role, subject } of policy.allGrants()) {
    const isMeant =
      changed.has(`${binding.namespace}/${binding.name}`) || wanted.has(`${role.id.namespace}/${role.id.name}`);
    const found = isMeant ? keyOfSubject(subject, binding.namespace) : undefined;
    if (found && 'key' in found) yield { key: found.key, subject, scope: binding.namespace };
  }
}

const nameOf = ({ metadata }: RoleObject | BindingObject): string =>
  `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;

const heldIn = (policy: PolicyIndex, key: string, scope: string): readonly PolicyRule[] =>
  (scope === '' ? [''] : ['', scope]).flatMap((one) =>
    [...policy.grantsFor([key], one)].flatMap((grant) => grant.role.rules ?? []),
  );
