/** Identifiers of one naming profile as the other has them. Texts that only contain one are left alone. */
import { namesOf, type Names, type Profile } from '../../names/index.ts';
import { getOwn, isObject, setOwn } from '../../std/index.ts';

/** The groups of the server itself whose names hold the profile's domain; a definition's group is its own. */
const GROUPS = [
  'admissionregistration',
  'apiextensions',
  'apiregistration',
  'authentication',
  'authorization',
  'certificates',
  'coordination',
  'discovery',
  'events',
  'flowcontrol.apiserver',
  'internal.apiserver',
  'metrics',
  'networking',
  'node',
  'rbac.authorization',
  'scheduling',
  'storage',
];

/** Names that hold the profile's word and no domain. */
const NAMED = [
  '{prefix}-system',
  '{prefix}-public',
  '{prefix}-node-lease',
  '{prefix}-root-ca.crt',
  'system:{prefix}-controller-manager',
  'system:{prefix}-scheduler',
  'system:{prefix}-dns',
  '{label}/{prefix}-apiserver-client-{agent}',
  '{label}/{prefix}-apiserver-client',
  '{label}/{agent}-serving',
];

/** Labels that people agreed on, which no component reads. */
const AGREED = /^app\.(kubernetes|cluster)\.io\//;
const LONGEST = 317;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

interface Rules {
  readonly exact: ReadonlyMap<string, string>;
  readonly group: RegExp;
  readonly label: RegExp;
  readonly to: Names;
  readonly from: Names;
}

function rulesTo(profile: Profile): Rules {
  const to = namesOf(profile);
  const from = namesOf(profile === 'k8s.io' ? 'cluster.io' : 'k8s.io');
  return {
    exact: new Map(NAMED.map((each) => [from.fill(each), to.fill(each)])),
    group: new RegExp(`^(${GROUPS.map(escaped).join('|')})\\.${escaped(from.domain)}(/[a-z0-9]+)?$`),
    label: new RegExp(`^((?:[a-zA-Z0-9-]+\\.)*)${escaped(from.label)}(/.*)?$`, 's'),
    to,
    from,
  };
}

const made: Readonly<Record<Profile, Rules>> = { 'k8s.io': rulesTo('k8s.io'), 'cluster.io': rulesTo('cluster.io') };

/** An identifier under the names of `profile`; the same text where it is none of the other profile's. */
export function convertName(text: string, profile: Profile): string {
  const { exact, group, label, to, from } = made[profile];
  if (text.length > LONGEST || AGREED.test(text)) return text;
  const named = exact.get(text);
  if (named !== undefined) return named;
  const grouped = group.exec(text);
  if (grouped) return `${grouped[1] ?? ''}.${to.domain}${grouped[2] ?? ''}`;
  const labelled = label.exec(text);
  if (!labelled) return text;
  const [, before = '', after = ''] = labelled;
  return `${before === `${from.ctl}.` ? `${to.ctl}.` : before}${to.label}${after}`;
}

/** A value with all its keys and texts under the names of `profile`. */
export function convertValue(value: unknown, profile: Profile): unknown {
  if (typeof value === 'string') return convertName(value, profile);
  if (Array.isArray(value)) return value.map((each) => convertValue(each, profile));
  if (!isObject(value)) return value;
  const converted: Record<string, unknown> = {};
  for (const key of Object.keys(value))
    setOwn(converted, convertName(key, profile), convertValue(getOwn(value, key), profile));
  return converted;
}
