/** The power of a rule as one number: an estimate for sorting changes. */
import type { PolicyRule } from './types.ts';

/** Verbs that lead to rights beyond those of the rule. */
const leadsFurther = new Set(['impersonate', 'escalate', 'bind', 'approve', 'sign']);
const reads = new Set(['get', 'list', 'watch']);
/** Resources that give access to credentials or containers. */
const sensitive = new Set(['secrets', 'pods/exec', 'pods/attach', 'serviceaccounts/token', 'nodes/proxy']);

/** A star includes everything that exists now and later. */
const EVERYTHING = 50;

const verbPower = (verb: string): number => {
  if (verb === '*') return EVERYTHING;
  if (leadsFurther.has(verb)) return 20;
  return reads.has(verb) ? 1 : 3;
};

const resourcePower = (resource: string): number => (resource === '*' ? EVERYTHING : sensitive.has(resource) ? 5 : 1);

const groupPower = (group: string): number => (group === '*' ? EVERYTHING : 1);

const sum = (items: readonly string[] = [], powerOf: (item: string) => number): number =>
  items.reduce((total, item) => total + powerOf(item), 0);

const WHOLE_CLUSTER = 5;
const NAMED = 0.1;

/** The power of rules in `scope`, a namespace or empty for the whole cluster. */
export function powerOf(rules: readonly PolicyRule[], scope: string): number {
  const total = rules.reduce((power, { verbs, apiGroups, resources, resourceNames, nonResourceURLs }) => {
    const named = resourceNames && resourceNames.length > 0 ? NAMED * resourceNames.length : 1;
    const objects = sum(apiGroups, groupPower) * sum(resources, resourcePower) * named;
    const paths = sum(nonResourceURLs, (url) => (url === '*' ? EVERYTHING : NAMED));
    return power + sum(verbs, verbPower) * (objects + paths);
  }, 0);
  return total * (scope === '' ? WHOLE_CLUSTER : 1);
}
