/** Whether a rule matches a request: one function per part, with the reference's comparisons. */
import { trimRight } from '../../std/index.ts';
import type { Attributes } from '../types.ts';
import type { PolicyRule } from './types.ts';

const ANY = '*';
const none: readonly string[] = [];

/** Whether this rule alone allows the request. */
export function ruleAllows(rule: PolicyRule, request: Attributes): boolean {
  if (!request.isResource) return verbMatches(rule, request.verb) && pathMatches(rule, request.path);
  return (
    verbMatches(rule, request.verb) &&
    groupMatches(rule, request.group) &&
    resourceMatches(rule, request.resource, request.subresource) &&
    nameMatches(rule, request.name)
  );
}

export function verbMatches(rule: PolicyRule, verb: string): boolean {
  return holds(rule.verbs, verb);
}

export function groupMatches(rule: PolicyRule, group: string): boolean {
  return holds(rule.apiGroups ?? none, group);
}

/**
 * A rule's resource is `pods`, `pods/log`, `*` for all, or `*` with a subresource for that subresource of every
 * resource.
 */
export function resourceMatches(rule: PolicyRule, resource: string, subresource: string): boolean {
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  for (const item of rule.resources ?? none) {
    if (item === ANY || item === whole) return true;
    if (
      subresource !== '' &&
      item.length === subresource.length + 2 &&
      item.startsWith('*/') &&
      item.endsWith(subresource)
    )
      return true;
  }
  return false;
}

/** A rule without names matches all; one with names never matches a request without a name. */
export function nameMatches(rule: PolicyRule, name: string): boolean {
  const names = rule.resourceNames ?? none;
  return names.length === 0 || names.includes(name);
}

/** A path matches itself, `*`, or a prefix pattern that ends in `*`. */
export function pathMatches(rule: PolicyRule, path: string): boolean {
  for (const item of rule.nonResourceURLs ?? none) {
    if (item === ANY || item === path) return true;
    if (item.endsWith(ANY) && path.startsWith(trimRight(item, '*'))) return true;
  }
  return false;
}

function holds(list: readonly string[], value: string): boolean {
  for (const item of list) if (item === ANY || item === value) return true;
  return false;
}
