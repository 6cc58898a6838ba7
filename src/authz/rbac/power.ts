/** How much a rule lets somebody do, as one number: to put the smallest change first, not to be exact. */
import type { PolicyRule } from './types.ts';

/** Whoever may do these comes by rights beyond those that a rule names. */
const leadsFurther = new Set(['impersonate', 'escalate', 'bind', 'approve', 'sign']);
const reads = new Set(['get', 'list', 'watch']);
/** Whoever reaches these comes by credentials, or into containers. */
const sensitive = new Set(['secrets', 'pods/exec', 'pods/attach', 'serviceaccounts/token', 'nodes/proxy']);

/** A star stands for all that there is now, and for what will be. */
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

/** The power of rules that hold in `scope`, a namespace or empty for the whole cluster. */
export function powerOf(rules: readonly PolicyRule[], scope: string): number {
  const total = rules.reduce((power, { verbs, apiGroups, resources, resourceNames, nonResourceURLs }) => {
    const named = resourceNames && resourceNames.length > 0 ? NAMED * resourceNames.length : 1;
    const objects = sum(apiGroups, groupPower) * sum(resources, resourcePower) * named;
    const paths = sum(nonResourceURLs, (url) => (url === '*' ? EVERYTHING : NAMED));
    return power + sum(verbs, verbPower) * (objects + paths);
  }, 0);
  return total * (scope === '' ? WHOLE_CLUSTER : 1);
}
