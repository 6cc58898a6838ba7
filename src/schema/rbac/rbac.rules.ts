/** Roles and bindings: what is checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { readSelector } from '../meta/labelSelector.rules.ts';
import { rbac } from '../groups.ts';
import { complaints, each, oneOf, present, sameValue, type Errors } from '../meta/checks.ts';
import { validateLabelSelector } from '../meta/labelSelector.rules.ts';
import { checkPathSegment, checkSubdomain } from '../values/names.ts';
import type { ClusterRole } from './clusterRole.ts';
import type { ClusterRoleBinding } from './clusterRoleBinding.ts';
import type { Role } from './role.ts';
import type { RoleBinding } from './roleBinding.ts';
import type { PolicyRule, RoleRef, Subject } from './shared.ts';

const RULES = Path.of('rules');
const ROLE_REF = Path.of('roleRef');
const SELECTORS = Path.of('aggregationRule', 'clusterRoleSelectors');

function* validateRule(rule: PolicyRule, path: Path, namespaced: boolean): Errors {
  const { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  if (!verbs?.length) yield field.required(path.child('verbs'), 'verbs must contain at least one value');
  if (nonResourceURLs.length > 0) {
    const urls = path.child('nonResourceURLs');
    if (namespaced) yield field.invalid(urls, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs');
    if (apiGroups.length + resources.length + resourceNames.length > 0)
      yield field.invalid(urls, nonResourceURLs, 'rules cannot apply to both regular resources and non-resource URLs');
    return;
  }
  if (apiGroups.length === 0)
    yield field.required(path.child('apiGroups'), 'resource rules must supply at least one api group');
  if (resources.length === 0)
    yield field.required(path.child('resources'), 'resource rules must supply at least one resource');
}

function* validateAggregation({ aggregationRule }: ClusterRole): Errors {
  if (!aggregationRule) return;
  const selectors = aggregationRule.clusterRoleSelectors ?? [];
  if (selectors.length === 0)
    yield field.required(SELECTORS, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
  yield* each(selectors, SELECTORS, function* (selector, path) {
    yield* validateLabelSelector(selector, path);
    if (!readSelector(selector)) yield field.invalid(path, selector, 'invalid label selector.');
  });
}

function* validateBinding(
  binding: RoleBinding | ClusterRoleBinding,
  kinds: readonly string[],
  { names }: RuleContext,
): Errors {
  const group = names.fill(rbac.name);
  const { apiGroup, kind, name } = binding.roleRef;
  yield* oneOf(apiGroup, [group], ROLE_REF.child('apiGroup'));
  yield* oneOf(kind, kinds, ROLE_REF.child('kind'));
  if (name === '') yield field.required(ROLE_REF.child('name'));
  else yield* complaints(ROLE_REF.child('name'), name, checkPathSegment(name));
  const namespaced = kinds.includes('Role');
  yield* each(binding.subjects, Path.of('subjects'), (subject, path) =>
    validateSubject(subject, path, namespaced, group),
  );
}

function* validateSubject(subject: Subject, path: Path, namespaced: boolean, group: string): Errors {
  const { kind, name, apiGroup = '', namespace = '' } = subject;
  yield* present(name, path.child('name'));
  switch (kind) {
    case 'ServiceAccount':
      if (name !== '') yield* complaints(path.child('name'), name, checkSubdomain(name));
      if (apiGroup !== '') yield field.notSupported(path.child('apiGroup'), apiGroup, ['']);
      if (!namespaced && namespace === '') yield field.required(path.child('namespace'));
      return;
    case 'User':
    case 'Group':
      return yield* oneOf(apiGroup, [group], path.child('apiGroup'));
    default:
      yield field.notSupported(path.child('kind'), kind, ['ServiceAccount', 'User', 'Group']);
  }
}

/** A binding to another role is another binding (specification, RoleBinding). */
function* validateRoleRef({ roleRef }: { roleRef: RoleRef }, old: { roleRef: RoleRef }): Errors {
  if (!sameValue(roleRef, old.roleRef)) yield field.invalid(ROLE_REF, roleRef, 'cannot change roleRef');
}

/** The reference validates a changed object twice before it validates the change. */
const common: Pick<Rules<never>, 'name' | 'createOnUpdate' | 'updateChecks'> = {
  name: 'pathSegment',
  createOnUpdate: 'object',
  updateChecks: ['alone', 'alone', 'metadata', 'change'],
};

export const roleRules: Rules<Role> = {
  ...common,
  validate: ({ rules }) => [...each(rules, RULES, (rule, path) => validateRule(rule, path, true))],
};

export const clusterRoleRules: Rules<ClusterRole> = {
  ...common,
  validate: (role) => [
    ...each(role.rules, RULES, (rule, path) => validateRule(rule, path, false)),
    ...validateAggregation(role),
  ],
};

export const roleBindingRules: Rules<RoleBinding> = {
  ...common,
  validate: (binding, context) => [...validateBinding(binding, ['Role', 'ClusterRole'], context)],
  validateUpdate: (binding, old) => [...validateRoleRef(binding, old)],
};

export const clusterRoleBindingRules: Rules<ClusterRoleBinding> = {
  ...common,
  validate: (binding, context) => [...validateBinding(binding, ['ClusterRole'], context)],
  validateUpdate: (binding, old) => [...validateRoleRef(binding, old)],
};
