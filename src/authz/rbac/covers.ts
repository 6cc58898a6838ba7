/**
 * Whether one set of rules contains everything that another grants, to prevent privilege escalation. Rules are broken
 * down into the smallest ones (one verb, group, resource, name each). Each of them has to be covered by a single owned
 * rule; wildcards are covered only by wildcards.
 */
import { trimRight } from '../../std/index.ts';
import type { PolicyRule } from './types.ts';

/** The smallest rules in `wanted` that no rule of `owned` covers; empty if all are covered. */
export function missingRules(owned: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  return wanted.flatMap(breakDown).filter((rule) => !owned.some((owner) => covers(owner, rule)));
}

/** One rule for each combination of a verb with a group, resource and name, or with a path. */
export function breakDown(rule: PolicyRule): PolicyRule[] {
  const small: PolicyRule[] = [];
  for (const apiGroup of rule.apiGroups ?? []) {
    for (const resource of rule.resources ?? []) {
      for (const verb of rule.verbs) {
        const one = { verbs: [verb], apiGroups: [apiGroup], resources: [resource] };
        if (!rule.resourceNames?.length) small.push(one);
        for (const name of rule.resourceNames ?? []) small.push({ ...one, resourceNames: [name] });
      }
    }
  }
  for (const url of rule.nonResourceURLs ?? [])
    for (const verb of rule.verbs) small.push({ verbs: [verb], nonResourceURLs: [url] });
  return small;
}

/** Whether `owner` alone grants everything that the small rule grants. */
export function covers(owner: PolicyRule, small: PolicyRule): boolean {
  if (!holdsAll(owner.verbs, small.verbs)) return false;
  if (small.nonResourceURLs)
    return small.nonResourceURLs.every((url) => (owner.nonResourceURLs ?? []).some((owned) => coversUrl(owned, url)));
  return (
    holdsAll(owner.apiGroups, small.apiGroups) &&
    coversResources(owner.resources, small.resources) &&
    coversNames(owner.resourceNames, small.resourceNames)
  );
}

function holdsAll(owned: readonly string[] = [], wanted: readonly string[] = []): boolean {
  return owned.includes('*') || wanted.every((item) => owned.includes(item));
}

/** `*` covers everything, `*` with a subresource covers that subresource of every resource. */
function coversResources(owned: readonly string[] = [], wanted: readonly string[] = []): boolean {
  if (owned.includes('*')) return true;
  return wanted.every((resource) => {
    const slash = resource.indexOf('/');
    return owned.includes(resource) || (slash >= 0 && owned.includes(`*${resource.slice(slash)}`));
  });
}

/** An owner rule without names covers all names; one with names only those. */
function coversNames(owned: readonly string[] = [], wanted: readonly string[] = []): boolean {
  if (owned.length === 0) return true;
  return wanted.length > 0 && wanted.every((name) => owned.includes(name));
}

/** A pattern covers every path, and every longer pattern, that starts with it. */
function coversUrl(owned: string, wanted: string): boolean {
  if (owned === '*' || owned === wanted) return true;
  return owned.endsWith('*') && wanted.startsWith(trimRight(owned, '*'));
}

/** A rule in the format of the reference's refusals. */
export function compactRule(rule: PolicyRule): string {
  const parts: [string, readonly string[] | undefined][] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ];
  const shown = parts
    .filter(([, list]) => list?.length)
    .map(([name, list]) => `${name}:[${(list ?? []).map((item) => JSON.stringify(item)).join(' ')}]`);
  return `{${shown.join(', ')}}`;
}

/** Joins small rules that differ only in their verbs, for a readable refusal. */
export function compactRules(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const joined = new Map<string, { rule: PolicyRule; verbs: Set<string> }>();
  for (const rule of rules) {
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames, rule.nonResourceURLs]);
    const known = joined.get(key);
    if (known) for (const verb of rule.verbs) known.verbs.add(verb);
    else joined.set(key, { rule, verbs: new Set(rule.verbs) });
  }
  return [...joined.values()].map(({ rule, verbs }) => ({ ...rule, verbs: [...verbs] }));
}
