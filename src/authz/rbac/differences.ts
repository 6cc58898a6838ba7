/** The reasons why a rule does not allow a request. */
import type { Attributes } from '../types.ts';
import { wholeResource } from './edits.ts';
import { groupMatches, nameMatches, pathMatches, resourceMatches, verbMatches } from './rules.ts';
import type { PolicyRule } from './types.ts';

export type RulePart = 'verb' | 'group' | 'resource' | 'subresource' | 'name' | 'path';

/** One part of a rule that would have to change: its values, the missing value, and the list. */
export interface Difference {
  readonly part: RulePart;
  readonly has: readonly string[];
  readonly needs: string;
  readonly field: 'verbs' | 'apiGroups' | 'resources' | 'resourceNames' | 'nonResourceURLs';
}

/**
 * The differences between a rule and a request; empty if it allows the request, undefined if it is of a different kind.
 */
export function differences(rule: PolicyRule, request: Attributes): readonly Difference[] | undefined {
  if (request.isResource) return rule.resources?.length ? [...resourceDifferences(rule, request)] : undefined;
  return rule.nonResourceURLs?.length ? [...pathDifferences(rule, request)] : undefined;
}

function* resourceDifferences(rule: PolicyRule, request: Attributes): Generator<Difference> {
  if (!verbMatches(rule, request.verb)) yield difference('verb', 'verbs', rule.verbs, request.verb);
  if (!groupMatches(rule, request.group)) yield difference('group', 'apiGroups', rule.apiGroups, request.group);
  if (!resourceMatches(rule, request.resource, request.subresource)) {
    yield difference(
      sameResource(rule, request) ? 'subresource' : 'resource',
      'resources',
      rule.resources,
      wholeResource(request),
    );
  }
  // A request without a name can't be allowed by adding one, so the list itself is the obstacle.
  if (!nameMatches(rule, request.name)) yield difference('name', 'resourceNames', rule.resourceNames, request.name);
}

function* pathDifferences(rule: PolicyRule, request: Attributes): Generator<Difference> {
  if (!verbMatches(rule, request.verb)) yield difference('verb', 'verbs', rule.verbs, request.verb);
  if (!pathMatches(rule, request.path)) yield difference('path', 'nonResourceURLs', rule.nonResourceURLs, request.path);
}

/** Whether a rule has the request's resource and only its subresource differs. */
function sameResource(rule: PolicyRule, request: Attributes): boolean {
  return (rule.resources ?? []).some((item) => item.split('/')[0] === request.resource);
}

function difference(
  part: RulePart,
  field: Difference['field'],
  has: readonly string[] | undefined,
  needs: string,
): Difference {
  return { part, field, has: has ?? [], needs };
}
