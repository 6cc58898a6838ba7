/** The rules that almost allowed a refused request. */
import type { Attributes } from '../types.ts';
import { differences, type Difference } from './differences.ts';
import { subjectOf } from './edits.ts';
import type { Edit } from './edits.ts';
import { missingRole } from './policyIndex.ts';
import type { Grant, PolicyIndex, RoleSlot } from './policyIndex.ts';
import { powerOf } from './power.ts';
import type { Miss, NearMiss, RbacProof, Unresolved } from './proof.ts';
import { ruleAllows } from './rules.ts';
import { keysOfUser } from './subjects.ts';
import type { BindingId, PolicyRule, RoleId } from './types.ts';

const SHOWN = 12;

/** The proof of a refusal. */
export const proofOfRefusal = (index: PolicyIndex, request: Attributes): RbacProof => ({
  decision: 'no-opinion',
  nearMisses: nearMisses(index, request),
  unresolved: unresolved(index, request),
});

/** A near miss with what its edits would permit. */
interface Candidate {
  readonly miss: NearMiss;
  readonly opens: number;
}

/** The misses with the fewest differences, the least permissive first; system roles come last. */
export function nearMisses(index: PolicyIndex, request: Attributes, limit = SHOWN): readonly NearMiss[] {
  const found = [
    ...ownMisses(index, request),
    ...otherNamespaces(index, request),
    ...otherSubjects(index, request),
    ...unbound(index, request),
  ];
  const fewest = Math.min(...found.map(({ miss }) => miss.differs.length));
  const nearest = found.filter(({ miss }) => miss.differs.length === fewest);
  nearest.sort((a, b) => Number(isSystems(a.miss)) - Number(isSystems(b.miss)) || a.opens - b.opens);
  return distinct(nearest.map(({ miss }) => miss)).slice(0, limit);
}

const isSystems = ({ role }: NearMiss): boolean => role.name.startsWith('system:');

/** Removes duplicates: a role that is bound to the user elsewhere, and to nobody here, would be suggested twice. */
function distinct(misses: readonly NearMiss[]): readonly NearMiss[] {
  const seen = new Set<string>();
  return misses.filter(({ edits, role, ruleIndex }) => {
    const key = JSON.stringify(edits.length > 0 ? edits : [role, ruleIndex]);
    return !seen.has(key) && seen.add(key);
  });
}

const powerOfRole = (role: RoleSlot, scope: string): number => powerOf(role.rules ?? [], scope);

/** Rules that the user has in the request's scope and that differ in their content. */
function* ownMisses(index: PolicyIndex, request: Attributes): Generator<Candidate> {
  const seen = new Set<RoleSlot>();
  for (const grant of grantsInScope(index, request)) {
    if (seen.has(grant.role)) continue;
    seen.add(grant.role);
    for (const [ruleIndex, rule] of (grant.role.rules ?? []).entries()) {
      const differs = differences(rule, request);
      // Names that exclude a nameless request can't be extended: only a separate rule helps.
      if (!differs?.length || differs.some((difference) => difference.part === 'name' && request.name === '')) continue;
      const role = grant.role.id;
      const edits = grant.role.isAggregated ? [] : differs.map((miss) => wideningOf(role, ruleIndex, miss));
      const wider = differs.reduce((whole, { field, needs }) => ({ ...whole, [field]: [needs] }), rule);
      yield {
        miss: { role, ruleIndex, rule, binding: grant.binding, differs, edits },
        opens: powerOf([wider], grant.binding.namespace),
      };
    }
  }
}

const wideningOf = (role: RoleId, ruleIndex: number, { field, needs }: Difference): Edit => ({
  ...{ do: 'add', to: role },
  field: `rules[${ruleIndex}].${field}`,
  value: needs,
});

/** Rules that would allow it, bound to the user in another namespace. */
function* otherNamespaces(index: PolicyIndex, request: Attributes): Generator<Candidate> {
  const mine = new Set(keysOfUser(request.user));
  for (const grant of index.allGrants()) {
    if (!mine.has(grant.key) || inScope(grant.binding, request)) continue;
    const match = allowingRule(grant.role, request);
    if (!match) continue;
    const differs: readonly Miss[] = [{ part: 'namespace', has: grant.binding.namespace, needs: request.namespace }];
    const edits = bindHere(grant, request, match.rule);
    yield {
      miss: { ...match, binding: grant.binding, differs, edits },
      opens: powerOfRole(grant.role, request.namespace),
    };
  }
}

/** Bindings in the request's scope that would allow it to their subjects. */
function* otherSubjects(index: PolicyIndex, request: Attributes): Generator<Candidate> {
  const seen = new Set<BindingId>();
  for (const grant of index.allGrants()) {
    if (seen.has(grant.binding) || !inScope(grant.binding, request)) continue;
    const match = allowingRule(grant.role, request);
    if (!match) continue;
    seen.add(grant.binding);
    const needs = subjectOf(request.user, grant.roleRef.apiGroup);
    const has = index.binding(grant.binding)?.subjects ?? [];
    const differs: readonly Miss[] = [{ part: 'subject', has, needs }];
    const edits: readonly Edit[] = [{ do: 'add', to: grant.binding, field: 'subjects', value: needs }];
    yield {
      miss: { ...match, binding: grant.binding, differs, edits },
      opens: powerOfRole(grant.role, grant.binding.namespace),
    };
  }
}

/** Roles that would allow it, but are not bound in the request's scope. */
function* unbound(index: PolicyIndex, request: Attributes): Generator<Candidate> {
  const bound = new Set<RoleSlot>();
  for (const grant of index.allGrants()) if (inScope(grant.binding, request)) bound.add(grant.role);
  for (const role of index.allRoles()) {
    const reachable = role.id.namespace === '' || role.id.namespace === request.namespace;
    if (bound.has(role) || !reachable) continue;
    const match = allowingRule(role, request);
    if (!match) continue;
    const edit = bindingEdit(role.id, index.rbacGroup, request);
    const differs: readonly Miss[] = [{ part: 'binding', needs: edit.binding }];
    yield { miss: { ...match, differs, edits: [edit] }, opens: powerOfRole(role, request.namespace) };
  }
}

/** The binding of a role to the request's user in the request's scope. */
export function bindingEdit(
  role: RoleId,
  rbacGroup: string,
  request: Attributes,
): Edit & { readonly do: 'create-binding' } {
  const kind = request.namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
  const binding: BindingId = {
    kind,
    namespace: request.namespace,
    name: `${role.name}-${request.user.name}`.replace(/[/%]/g, '-'),
  };
  return {
    do: 'create-binding',
    binding,
    roleRef: { apiGroup: rbacGroup, kind: role.kind, name: role.name },
    subjects: [subjectOf(request.user, rbacGroup)],
  };
}

/** Binds a grant of another namespace here; a Role has to be copied, because bindings can't refer to one elsewhere. */
function bindHere(grant: Grant, request: Attributes, rule: PolicyRule): readonly Edit[] {
  const { kind, namespace, name } = grant.role.id;
  if (kind === 'ClusterRole') return [bindingEdit(grant.role.id, grant.roleRef.apiGroup, request)];
  const copy: RoleId = {
    kind: request.namespace === '' ? 'ClusterRole' : 'Role',
    namespace: request.namespace,
    name: `${name}-from-${namespace}`,
  };
  return [{ do: 'create-role', role: copy, rules: [rule] }, bindingEdit(copy, grant.roleRef.apiGroup, request)];
}

function unresolved(index: PolicyIndex, request: Attributes): readonly Unresolved[] {
  return [...grantsInScope(index, request)]
    .filter((grant) => !grant.role.rules)
    .map((grant) => ({ binding: grant.binding, message: missingRole(grant.roleRef) }));
}

function* grantsInScope(index: PolicyIndex, request: Attributes): Generator<Grant> {
  const keys = keysOfUser(request.user);
  yield* index.grantsFor(keys, '');
  if (request.namespace !== '') yield* index.grantsFor(keys, request.namespace);
}

function inScope(binding: BindingId, request: Attributes): boolean {
  return binding.namespace === '' || binding.namespace === request.namespace;
}

function allowingRule(
  role: RoleSlot,
  request: Attributes,
): { readonly role: RoleId; readonly ruleIndex: number; readonly rule: PolicyRule } | undefined {
  const ruleIndex = role.rules?.findIndex((rule) => ruleAllows(rule, request)) ?? -1;
  const rule = role.rules?.[ruleIndex];
  return rule && { role: role.id, ruleIndex, rule };
}
