/** Which cluster roles others are put together from. */
import type { ApiObject } from '../../../schema/index.ts';
import { asList, asRecord, asText, at } from '../../stores/jsonValues.ts';
import type { AccessRule } from '../../host.ts';

const nameOf = ({ metadata }: ApiObject): string => metadata.name ?? '';

function isSelected(selector: unknown, labels: Readonly<Record<string, string>>): boolean {
  const wanted = Object.entries(asRecord(at(selector, 'matchLabels')));
  return wanted.length > 0 && wanted.every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value);
}

/** The roles whose rules the controller copies into `role`; undefined where it is not put together. */
export function partsOf(role: ApiObject, roles: readonly ApiObject[]): readonly ApiObject[] | undefined {
  const selectors = asList(at(role, 'aggregationRule', 'clusterRoleSelectors'));
  if (selectors.length === 0) return undefined;
  return roles.filter(
    (each) =>
      nameOf(each) !== nameOf(role) && selectors.some((selector) => isSelected(selector, each.metadata.labels ?? {})),
  );
}

const FIELDS = ['verbs', 'apiGroups', 'resources', 'resourceNames', 'nonResourceURLs'] as const;
const keyOf = (rule: unknown): string => JSON.stringify(FIELDS.map((field) => asList(at(rule, field)).map(asText)));

/** From which roles a rule of a role came, by the role's name; nothing where it is the role's own. */
export function originsIn(roles: readonly ApiObject[]): (role: string, rule: AccessRule) => readonly string[] {
  const origins = new Map<string, Map<string, string[]>>();
  for (const role of roles) {
    const rules = new Map<string, string[]>();
    for (const part of partsOf(role, roles) ?? [])
      for (const rule of asList(part['rules'])) {
        const known = rules.get(keyOf(rule));
        if (known) known.push(nameOf(part));
        else rules.set(keyOf(rule), [nameOf(part)]);
      }
    if (rules.size > 0) origins.set(nameOf(role), rules);
  }
  return (role, rule) => origins.get(role)?.get(keyOf(rule)) ?? [];
}
