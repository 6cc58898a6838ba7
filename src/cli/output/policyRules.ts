/** Rules of roles as people read them: one line for each resource, with all verbs on it. */

/** A role's rule, or one of a review of rights. */
interface Rule {
  readonly verbs: readonly string[] | null;
  readonly apiGroups?: readonly string[] | undefined;
  readonly resources?: readonly string[] | undefined;
  readonly resourceNames?: readonly string[] | undefined;
  readonly nonResourceURLs?: readonly string[] | undefined;
}

/** A rule about one resource of one group, or about one path. */
export interface PlainRule {
  readonly group: string | undefined;
  readonly resource: string | undefined;
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
  readonly verbs: readonly string[];
}

/** Each resource once, in order; verbs of rules about the same are joined. */
export function rulesByResource(rules: readonly Rule[]): readonly PlainRule[] {
  const joined = new Map<string, PlainRule>();
  for (const rule of rules.flatMap(plainRules)) {
    const key = JSON.stringify([rule.group, rule.resource, rule.resourceNames, rule.nonResourceURLs]);
    const before = joined.get(key);
    joined.set(key, before ? { ...before, verbs: [...before.verbs, ...rule.verbs] } : rule);
  }
  return [...joined.values()].sort((a, b) => compare(orderOf(a), orderOf(b)));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** `deployments.apps/scale`; empty for a path. */
export function ruleTarget({ group = '', resource = '' }: PlainRule): string {
  const [name = '', ...subresource] = resource.split('/');
  return [group === '' ? name : `${name}.${group}`, ...subresource].join('/');
}

function plainRules({
  apiGroups = [],
  resources = [],
  resourceNames = [],
  nonResourceURLs = [],
  verbs: allowed,
}: Rule): PlainRule[] {
  const verbs = allowed ?? [];
  const none = { group: undefined, resource: undefined, resourceNames: [], nonResourceURLs: [] };
  const named = resourceNames.length === 0 ? [[]] : resourceNames.map((name) => [name]);
  return [
    ...apiGroups.flatMap((group) =>
      resources.flatMap((resource) =>
        named.map((names) => ({ ...none, group, resource, resourceNames: names, verbs })),
      ),
    ),
    ...nonResourceURLs.map((url) => ({ ...none, nonResourceURLs: [url], verbs })),
  ];
}

/** As Go prints a rule's fields: what the reference sorts by. */
const orderOf = ({ group, resource, resourceNames, nonResourceURLs, verbs }: PlainRule): string => {
  const list = (name: string, values: readonly string[]): string => `${name}:[${values.join(' ')}]`;
  return [
    list('', verbs).slice(1),
    list('apiGroups', group === undefined ? [] : [group]),
    list('resources', resource === undefined ? [] : [resource]),
    list('names', resourceNames),
    list('urls', nonResourceURLs),
  ].join(' ');
};
