/** A resource under way through a build: an object, and what it was called before the build changed its name. */
import { groupVersionOf } from '../../schema/index.ts';
import { getOwn, isObject, setOwn } from '../../std/index.ts';

/** The fields of an object, which a build changes in place. */
export type Fields = Record<string, unknown>;

export interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface Resource {
  readonly kind: Kind;
  /** As its file says. References and patches find it by this name, whatever prefixes it has by now. */
  readonly name: string;
  /** What each folder put before and behind the name: the outermost prefix first, the outermost suffix last. */
  readonly prefixes: readonly string[];
  readonly suffixes: readonly string[];
  /** As its file says, or where folders have put it. */
  readonly namespace: string;
  readonly object: Fields;
  /** Whether its name ends with a hash of its content. */
  readonly hashed: boolean;
}

/** The kinds that a rule is for: absent fields fit everything. A group that ends with a dot is one of the server's own, whatever its domain. */
export type KindPattern = Partial<Kind>;

export const fits = (kind: Kind, pattern: KindPattern): boolean =>
  (!pattern.group || fitsGroup(kind.group, pattern.group)) &&
  (!pattern.version || pattern.version === kind.version) &&
  (!pattern.kind || pattern.kind === kind.kind);

const fitsGroup = (group: string, pattern: string): boolean =>
  pattern.endsWith('.') ? group.startsWith(pattern) : group === pattern;

export function kindOf(object: Fields): Kind {
  return { ...groupVersionOf(textAt(object, 'apiVersion')), kind: textAt(object, 'kind') };
}

export const nameOf = (object: Fields): string => textAt(metadataOf(object), 'name');

export const textAt = (fields: Fields, name: string): string => {
  const value = getOwn(fields, name);
  return typeof value === 'string' ? value : '';
};

/** The metadata, made where there is none. */
export function metadataOf(object: Fields): Fields {
  const found = getOwn(object, 'metadata');
  if (isObject(found)) return found;
  const made: Fields = {};
  setOwn(object, 'metadata', made);
  return made;
}

export const resourceOf = (object: Fields, hashed = false): Resource => ({
  ...{ kind: kindOf(object), name: nameOf(object), object, hashed },
  ...{ prefixes: [], suffixes: [], namespace: textAt(metadataOf(object), 'namespace') },
});

export const sameKind = (a: Kind, b: Kind): boolean =>
  a.group === b.group && a.version === b.version && a.kind === b.kind;

/** `apps_v1_Deployment`, as errors write kinds and the output sorts them. */
export const kindText = ({ group, version, kind }: Kind): string =>
  [group || '~G', version || '~V', kind || '~K'].join('_');

/** The whole identity, as errors write it. */
export const identityText = ({
  kind,
  name,
  prefixes = [],
  suffixes = [],
  namespace = '',
}: Pick<Resource, 'kind' | 'name'> & Partial<Resource>): string =>
  [kindText(kind), namespace || '~X', prefixes.join(':') || '~P', name || '~N', suffixes.join(':') || '~S'].join('|');

const CLUSTER_KINDS = [
  ...['APIService', 'ClusterRoleBinding', 'ClusterRole', 'CustomResourceDefinition', 'Namespace', 'PersistentVolume'],
];

/** Whether a kind has no namespace, as the build knows it. */
export const isClusterKind = ({ kind }: Kind): boolean => CLUSTER_KINDS.includes(kind);

/** What others need comes before what needs it. */
const ORDER = [
  ...['Namespace', 'StorageClass', 'CustomResourceDefinition', 'ServiceAccount', 'Role', 'ClusterRole'],
  ...['RoleBinding', 'ClusterRoleBinding', 'ConfigMap', 'Secret', 'Service', 'Deployment', 'StatefulSet', 'CronJob'],
  'PodDisruptionBudget',
];

const rankOf = ({ kind }: Kind): number => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);

const inOrder = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The order in which a build prints resources. */
export const byKind = (a: Resource, b: Resource): number =>
  rankOf(a.kind) - rankOf(b.kind) ||
  inOrder(kindText(a.kind), kindText(b.kind)) ||
  inOrder(identityText(a), identityText(b));
