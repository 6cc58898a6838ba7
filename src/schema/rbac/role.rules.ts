/** Roles: what is checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { Rules } from '../define/kind.ts';
import { readSelector } from '../apps/workload.rules.ts';
import { each, type Errors } from '../meta/checks.ts';
import { validateLabelSelector } from '../meta/labelSelector.rules.ts';
import type { AggregationRule, ClusterRole } from './clusterRole.ts';
import type { Role } from './role.ts';
import type { PolicyRule } from './shared.ts';

const RULES = Path.of('rules');
const SELECTORS = Path.of('aggregationRule', 'clusterRoleSelectors');

const isEmpty = (list: readonly string[] | undefined): boolean => (list ?? []).length === 0;

function* validateRule(rule: PolicyRule, namespaced: boolean, path: Path): Errors {
  if (isEmpty(rule.verbs)) yield field.required(path.child('verbs'), 'verbs must contain at least one value');
  if (!isEmpty(rule.nonResourceURLs)) return yield* validateUrls(rule, namespaced, path.child('nonResourceURLs'));
  if (isEmpty(rule.apiGroups))
    yield field.required(path.child('apiGroups'), 'resource rules must supply at least one api group');
  if (isEmpty(rule.resources))
    yield field.required(path.child('resources'), 'resource rules must supply at least one resource');
}

function* validateUrls(rule: PolicyRule, namespaced: boolean, path: Path): Errors {
  const { nonResourceURLs: urls, apiGroups, resources, resourceNames } = rule;
  if (namespaced) yield field.invalid(path, urls, 'namespaced rules cannot apply to non-resource URLs');
  if ([apiGroups, resources, resourceNames].every(isEmpty)) return;
  yield field.invalid(path, urls, 'rules cannot apply to both regular resources and non-resource URLs');
}

function* validateAggregation({ clusterRoleSelectors: selectors = [] }: AggregationRule): Errors {
  if (selectors.length === 0)
    yield field.required(SELECTORS, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
  yield* each(selectors, SELECTORS, function* (selector, at) {
    yield* validateLabelSelector(selector, at);
    if (!readSelector(selector)) yield field.invalid(at, selector, 'invalid label selector.');
  });
}

export const roleRules: Rules<Role> = {
  name: 'pathSegment',
  createOnUpdate: true,
  updateChecks: ['alone', 'alone', 'metadata'],
  validate: ({ rules }) => [...each(rules, RULES, (rule, at) => validateRule(rule, true, at))],
};

export const clusterRoleRules: Rules<ClusterRole> = {
  name: 'pathSegment',
  createOnUpdate: true,
  updateChecks: ['alone', 'alone', 'metadata'],
  validate: ({ rules, aggregationRule }) => [
    ...each(rules, RULES, (rule, at) => validateRule(rule, false, at)),
    ...(aggregationRule ? validateAggregation(aggregationRule) : []),
  ],
};
