/**
 * All roles and bindings, indexed so that a decision considers only the bindings of the user and its groups: subject →
 * namespace → grants. A grant refers to its role's slot, so that changes of the role apply at once.
 */
import type { UserInfo } from '../../authn/index.ts';
import { keyOfSubject, keysOfUser } from './subjects.ts';
import type { BindingId, BindingObject, PolicyRule, RoleId, RoleObject, RoleRef, Subject } from './types.ts';

/** Holds a role's rules; `rules` is undefined while the role does not exist. */
export interface RoleSlot {
  readonly id: RoleId;
  rules: readonly PolicyRule[] | undefined;
  /** Its rules are aggregated from other roles: what is written into them is overwritten. */
  isAggregated: boolean;
}

/** One subject of one binding, and the role that it gets. */
export interface Grant {
  readonly binding: BindingId;
  readonly roleRef: RoleRef;
  readonly subject: Subject;
  /** The position of the subject in the binding. */
  readonly position: number;
  readonly key: string;
  readonly role: RoleSlot;
}

/** A subject that the authorizer does not understand. */
export interface Problem {
  readonly binding: BindingId;
  readonly message: string;
}

/** The grants of one subject in one namespace's bindings; the namespace of ClusterRoleBindings is empty. */
type Grants = Map<string, Set<Grant>>;

export class PolicyIndex {
  readonly #roles = new Map<string, RoleSlot>();
  readonly #bindings = new Map<
    string,
    { readonly id: BindingId; readonly object: BindingObject; readonly grants: readonly Grant[] }
  >();
  readonly #subjects = new Map<string, Grants>();
  readonly #problems = new Map<string, Problem[]>();
  /** The API group of roles and bindings, for suggested bindings. */
  readonly rbacGroup: string;

  constructor(rbacGroup: string) {
    this.rbacGroup = rbacGroup;
  }

  upsertRole(role: RoleObject): void {
    const slot = this.#slot(roleIdOf(role));
    slot.rules = role.rules ?? [];
    slot.isAggregated = Boolean(role.aggregationRule);
  }

  removeRole(role: RoleObject): void {
    this.#slot(roleIdOf(role)).rules = undefined;
  }

  upsertBinding(binding: BindingObject): void {
    const id = bindingIdOf(binding);
    this.#drop(id);
    const grants = this.#grantsOf(binding, id);
    this.#bindings.set(bindingKey(id), { id, object: binding, grants });
    for (const grant of grants) this.#add(grant);
  }

  removeBinding(binding: BindingObject): void {
    this.#drop(bindingIdOf(binding));
  }

  /** A copy of the index, for hypothetical changes. */
  copy(): PolicyIndex {
    const copy = new PolicyIndex(this.rbacGroup);
    for (const { id, rules, isAggregated } of this.#roles.values())
      if (rules) copy.upsertRole({ metadata: id, rules, aggregationRule: isAggregated ? {} : null });
    for (const { object } of this.#bindings.values()) copy.upsertBinding(object);
    return copy;
  }

  /** The grants of a user from bindings of one namespace (empty: cluster role bindings), in a fixed order. */
  *grantsFor(keys: readonly string[], namespace: string): Generator<Grant> {
    for (const key of keys) {
      const grants = this.#subjects.get(key)?.get(namespace);
      if (grants) yield* grants;
    }
  }

  /** Like `grantsFor`, for one key and without the cost of a generator. */
  grantsOfKey(key: string, namespace: string): ReadonlySet<Grant> | undefined {
    return this.#subjects.get(key)?.get(namespace);
  }

  /** The errors in bindings that apply in this namespace. */
  problems(namespace: string): readonly Problem[] {
    const cluster = this.#problems.get('') ?? [];
    const local = namespace === '' ? undefined : this.#problems.get(namespace);
    return local ? [...cluster, ...local] : cluster;
  }

  /** All grants. */
  *allGrants(): Generator<Grant> {
    for (const binding of this.#bindings.values()) yield* binding.grants;
  }

  /** All existing roles. */
  *allRoles(): Generator<RoleSlot & { readonly rules: readonly PolicyRule[] }> {
    for (const slot of this.#roles.values())
      if (slot.rules) yield slot as RoleSlot & { readonly rules: readonly PolicyRule[] };
  }

  /** The latest state of a binding. */
  binding(id: BindingId): BindingObject | undefined {
    return this.#bindings.get(bindingKey(id))?.object;
  }

  /** The bindings of a role, with all their subjects. */
  *bindingsOf(role: RoleId): Generator<{ readonly id: BindingId; readonly object: BindingObject }> {
    const wanted = roleKey(role);
    for (const binding of this.#bindings.values()) {
      const id = roleIdOfRef(binding.object.roleRef, binding.id.namespace);
      if (id && roleKey(id) === wanted) yield binding;
    }
  }

  /** The current role that a binding refers to. */
  resolve(ref: RoleRef, namespace: string): RoleSlot | undefined {
    const id = roleIdOfRef(ref, namespace);
    return id && this.#slot(id);
  }

  /** All rules of a user in a namespace, as the reference collects them for escalation checks and reviews. */
  rulesFor(
    user: UserInfo,
    namespace: string,
  ): { readonly rules: readonly PolicyRule[]; readonly errors: readonly string[] } {
    const keys = keysOfUser(user);
    const rules: PolicyRule[] = [];
    const errors: string[] = [];
    const seen = new Set<string>();
    for (const scope of namespace === '' ? [''] : ['', namespace]) {
      for (const grant of this.grantsFor(keys, scope)) {
        // A binding counts once, even if several of its subjects match the user.
        const binding = bindingKey(grant.binding);
        if (seen.has(binding)) continue;
        seen.add(binding);
        if (grant.role.rules) rules.push(...grant.role.rules);
        else errors.push(missingRole(grant.roleRef));
      }
    }
    return { rules, errors };
  }

  #slot(id: RoleId): RoleSlot {
    const key = roleKey(id);
    let slot = this.#roles.get(key);
    if (!slot) this.#roles.set(key, (slot = { id, rules: undefined, isAggregated: false }));
    return slot;
  }

  #grantsOf(binding: BindingObject, id: BindingId): Grant[] {
    const role = this.resolve(binding.roleRef, id.namespace);
    const grants: Grant[] = [];
    if (!role) this.#report(id, `unsupported role reference kind ${JSON.stringify(binding.roleRef.kind)}`);
    const named = new Set<string>();
    for (const [position, subject] of (binding.subjects ?? []).entries()) {
      const found = keyOfSubject(subject, id.namespace);
      if ('problem' in found) this.#report(id, found.problem);
      else if (role && !named.has(found.key))
        grants.push({ binding: id, roleRef: binding.roleRef, subject, position, key: found.key, role });
      if ('key' in found) named.add(found.key);
    }
    return grants;
  }

  #report(binding: BindingId, message: string): void {
    const list = this.#problems.get(binding.namespace);
    if (list) list.push({ binding, message });
    else this.#problems.set(binding.namespace, [{ binding, message }]);
  }

  #add(grant: Grant): void {
    let grants = this.#subjects.get(grant.key);
    if (!grants) this.#subjects.set(grant.key, (grants = new Map()));
    const known = grants.get(grant.binding.namespace);
    if (known) known.add(grant);
    else grants.set(grant.binding.namespace, new Set([grant]));
  }

  #drop(id: BindingId): void {
    const key = bindingKey(id);
    const known = this.#bindings.get(key);
    if (!known) return;
    this.#bindings.delete(key);
    for (const grant of known.grants) this.#dropGrant(grant);
    const problems = this.#problems.get(id.namespace)?.filter((problem) => bindingKey(problem.binding) !== key);
    if (problems) this.#problems.set(id.namespace, problems);
  }

  #dropGrant(grant: Grant): void {
    const grants = this.#subjects.get(grant.key);
    const known = grants?.get(grant.binding.namespace);
    if (!grants || !known) return;
    known.delete(grant);
    if (known.size === 0) grants.delete(grant.binding.namespace);
    if (grants.size === 0) this.#subjects.delete(grant.key);
  }
}

/** The reference's message for a binding with a missing role. */
export function missingRole(ref: RoleRef): string {
  return `${ref.kind.toLowerCase()}.${ref.apiGroup} ${JSON.stringify(ref.name)} not found`;
}

function roleIdOf(role: RoleObject): RoleId {
  const namespace = role.metadata.namespace ?? '';
  return { kind: namespace === '' ? 'ClusterRole' : 'Role', namespace, name: role.metadata.name ?? '' };
}

function bindingIdOf(binding: BindingObject): BindingId {
  const namespace = binding.metadata.namespace ?? '';
  return {
    kind: namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding',
    namespace,
    name: binding.metadata.name ?? '',
  };
}

function roleIdOfRef(ref: RoleRef, namespace: string): RoleId | undefined {
  if (ref.kind === 'ClusterRole') return { kind: 'ClusterRole', namespace: '', name: ref.name };
  if (ref.kind === 'Role') return { kind: 'Role', namespace, name: ref.name };
  return undefined;
}

const roleKey = (id: RoleId): string => `${id.kind}/${id.namespace}/${id.name}`;
const bindingKey = (id: BindingId): string => `${id.namespace}/${id.name}`;
