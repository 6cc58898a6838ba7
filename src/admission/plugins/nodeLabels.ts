/** The labels that a node agent may set on its node. */
import { getOwn } from '../../std/index.ts';
import type { Names } from '../../names/index.ts';

type Labels = Readonly<Record<string, string>>;

/** Labels that node agents set themselves. */
const OWN = [
  '{label}/hostname',
  'topology.{label}/zone',
  'topology.{label}/region',
  'failure-domain.beta.{label}/zone',
  'failure-domain.beta.{label}/region',
  'beta.{label}/instance-type',
  'node.{label}/instance-type',
  '{label}/os',
  '{label}/arch',
  'beta.{label}/os',
  'beta.{label}/arch',
];

/** Label domains of node agents, including subdomains. */
const OWN_DOMAINS = ['{agent}.{label}', 'node.{label}'];
/** The domain that node agents must not use, so that its labels can isolate workloads. */
const RESTRICTED = 'node-restriction.{label}';

/** The changed labels that a node's agent must not change, sorted. */
export function forbiddenNodeLabels(next: Labels, old: Labels, names: Names): readonly string[] {
  const changed = [...new Set([...Object.keys(next), ...Object.keys(old)])].filter(
    (key) => getOwn(next, key) !== getOwn(old, key),
  );
  return changed.filter((key) => isForbidden(key, names)).sort();
}

function isForbidden(key: string, names: Names): boolean {
  const domain = key.includes('/') ? (key.split('/')[0] ?? '') : '';
  const within = (template: string): boolean => {
    const parent = names.fill(template);
    return domain === parent || domain.endsWith(`.${parent}`);
  };
  if (within(RESTRICTED)) return true;
  const isProducts = within('{label}') || within('{domain}');
  return isProducts && !OWN.some((label) => names.fill(label) === key) && !OWN_DOMAINS.some(within);
}
