/** Checks that prevent writers of roles and bindings from gaining rights (specification, Authorization 7). */
import type { UserInfo } from '../../authn/index.ts';
import { deepEqual } from '../../std/index.ts';
import { StatusError, status } from '../../schema/index.ts';
import type { Attributes, Authorization } from '../types.ts';
import { compactRule, compactRules, missingRules } from './covers.ts';
import type { PolicyIndex } from './policyIndex.ts';
import type { PolicyRule, RoleRef } from './types.ts';

/** The group whose members may do anything. */
export const SUPERUSERS = 'system:masters';

export interface EscalationDeps {
  readonly index: PolicyIndex;
  readonly authorize: (request: Attributes) => Promise<Authorization>;
}

/** The write request: its user, and the resource and name from its URL. */
export interface Writing {
  readonly user: UserInfo;
  readonly group: string;
  readonly resource: string;
  /** Empty for POST: then `escalate` can't be limited to a name. */
  readonly urlName: string;
  readonly namespace: string;
  /** The object's own name, for the refusal. */
  readonly objectName: string;
}

interface RoleLike {
  readonly metadata: object;
  readonly rules?: readonly PolicyRule[] | null;
  readonly aggregationRule?: { readonly clusterRoleSelectors?: readonly unknown[] | null } | null;
}

interface BindingLike {
  readonly metadata: object;
  readonly roleRef: RoleRef;
}

const everything: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/** Refuses a role with rules that the writer does not have, unless the writer may `escalate` it. */
export async function checkRole(
  deps: EscalationDeps,
  writing: Writing,
  next: RoleLike,
  old?: RoleLike,
): Promise<StatusError | undefined> {
  if (isSuperuser(writing.user) || (await mayEscalate(deps, writing))) return undefined;
  if (old && onlyForCollector(next, old)) return undefined;
  const refused = confirm(deps.index, writing, next.rules ?? []);
  if (refused) return refused;
  const aggregating = aggregates(next) || aggregates(old);
  if (aggregating && missingRules(deps.index.rulesFor(writing.user, writing.namespace).rules, everything).length > 0) {
    return status.forbidden(
      writing,
      writing.objectName,
      'must have cluster-admin privileges to use the aggregationRule',
    );
  }
  return undefined;
}

/** Refuses a binding to a role with rules that the writer does not have, unless the writer may `bind` it. */
export async function checkBinding(
  deps: EscalationDeps,
  writing: Writing,
  next: BindingLike,
  old?: BindingLike,
): Promise<StatusError | undefined> {
  if (isSuperuser(writing.user)) return undefined;
  if (old && onlyForCollector(next, old)) return undefined;
  if (await mayBind(deps, writing, next.roleRef)) return undefined;
  const rules = deps.index.resolve(next.roleRef, writing.namespace)?.rules;
  if (!rules) return notThere(next.roleRef);
  return confirm(deps.index, writing, rules);
}

/** A role that aggregates by label can gain any rule. */
function aggregates(role: RoleLike | undefined): boolean {
  return Boolean(role?.aggregationRule?.clusterRoleSelectors?.length);
}

function confirm(index: PolicyIndex, writing: Writing, wanted: readonly PolicyRule[]): StatusError | undefined {
  const { rules, errors } = index.rulesFor(writing.user, writing.namespace);
  const missing = missingRules(rules, wanted);
  if (missing.length === 0) return undefined;
  const list = compactRules(missing).map(compactRule).sort().join('\n');
  const groups = writing.user.groups.map((group) => JSON.stringify(group)).join(' ');
  const resolution = errors.length > 0 ? `; resolution errors: [${errors.join(', ')}]` : '';
  const why = `user ${JSON.stringify(writing.user.name)} (groups=[${groups}]) is attempting to grant RBAC permissions not currently held:\n${list}${resolution}`;
  return status.forbidden(writing, writing.objectName, why);
}

function isSuperuser(user: UserInfo): boolean {
  return user.groups.includes(SUPERUSERS);
}

async function mayEscalate(deps: EscalationDeps, writing: Writing): Promise<boolean> {
  const { user, group, resource, urlName, namespace } = writing;
  return allowed(deps, { user, verb: 'escalate', group, resource, name: urlName, namespace });
}

async function mayBind(deps: EscalationDeps, writing: Writing, ref: RoleRef): Promise<boolean> {
  const resource = ref.kind === 'ClusterRole' ? 'clusterroles' : ref.kind === 'Role' ? 'roles' : undefined;
  if (!resource) return false;
  return allowed(deps, {
    user: writing.user,
    verb: 'bind',
    group: ref.apiGroup,
    resource,
    name: ref.name,
    namespace: writing.namespace,
  });
}

async function allowed(
  deps: EscalationDeps,
  asked: Pick<Attributes, 'user' | 'verb' | 'group' | 'resource' | 'name' | 'namespace'>,
): Promise<boolean> {
  const verdict = await deps.authorize({ ...asked, isResource: true, path: '', version: '*', subresource: '' });
  return verdict.decision === 'allow';
}

/** Whether a write changes only owners and finalizers, which the garbage collector must always be able to change. */
function onlyForCollector(next: { readonly metadata: object }, old: { readonly metadata: object }): boolean {
  return deepEqual(withoutCollectorFields(next), withoutCollectorFields(old));
}

function withoutCollectorFields(object: { readonly metadata: object }): object {
  const {
    ownerReferences: _owners,
    finalizers: _finalizers,
    managedFields: _managers,
    ...metadata
  } = object.metadata as Record<string, unknown>;
  return { ...object, metadata };
}

function notThere(ref: RoleRef): StatusError {
  if (ref.kind === 'Role' || ref.kind === 'ClusterRole')
    return status.notFound({ group: ref.apiGroup, resource: `${ref.kind.toLowerCase()}s` }, ref.name);
  // The reference sets no reason here: it fails on an invalid object before validation reports it.
  return new StatusError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `unsupported role reference kind: ${JSON.stringify(ref.kind)}`,
    code: 500,
  });
}
