import { compactRules } from './covers.ts';
import type { PolicyRule } from './types.ts';

/**
 * The same rights in fewer rules, for display: joins small rules that differ only in their verbs, then those that
 * differ only in their resources.
 */
export function joinedRules(rules: readonly PolicyRule[]): readonly PolicyRule[] {
  const joined = new Map<string, PolicyRule>();
  for (const rule of compactRules(rules)) {
    const key = JSON.stringify([rule.verbs.toSorted(), rule.apiGroups, rule.resourceNames, rule.nonResourceURLs]);
    const others = joined.get(key)?.resources ?? [];
    joined.set(key, rule.resources ? { ...rule, resources: [...others, ...rule.resources] } : rule);
  }
  return [...joined.values()];
}
