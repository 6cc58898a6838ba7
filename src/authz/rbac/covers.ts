/**
 * Whether one set of rules holds all that another grants: what keeps people from granting more than they have.
 * Rules are broken down to the smallest ones (one verb, group, resource, name each), and each of these has to be held by
 * a single owned rule, wildcards counting only where the owner has the wildcard too.
 */
import type { PolicyRule } from './types.ts';

/** The smallest rules among `wanted` that no rule of `owned` covers; empty where all are covered. */
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

/** `*` covers all, `*` with a subresource covers that of every resource. */
function coversResources(owned: readonly string[] = [], wanted: readonly string[] = []): boolean {
  if (owned.includes('*')) return true;
  return wanted.every((resource) => {
    const slash = resource.indexOf('/');
    return owned.includes(resource) || (slash >= 0 && owned.includes(`*${resource.slice(slash)}`));
  });
}

/** An owner without names has them all; one with names covers only those. */
function coversNames(owned: readonly string[] = [], wanted: readonly string[] = []): boolean {
  if (owned.length === 0) return true;
  return wanted.length > 0 && wanted.every((name) => owned.includes(name));
}

/** A pattern covers each path, and each longer pattern, that begins with it. */
function coversUrl(owned: string, wanted: string): boolean {
  if (owned === '*' || owned === wanted) return true;
  return owned.endsWith('*') && wanted.startsWith(owned.replace(/\*+$/, ''));
}

/** A rule in the form that the reference prints in its refusals. */
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

/** Joins small rules that differ only in their verbs, for a refusal that can be read. */
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
