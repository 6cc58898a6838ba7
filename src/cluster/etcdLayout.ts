/**
 * Where objects stand in etcd: as the reference lays them out, so that both can read the same keys. It leaves out the groups
 * of its own kinds; storage here has them in every key.
 */
import type { Names } from '../names/index.ts';
import { kinds, type KindDeclaration } from '../schema/index.ts';
import { getOwn } from '../std/index.ts';

export interface EtcdLayout {
  /** What every key in etcd begins with, with a slash at the end. */
  readonly prefix: string;
  toEtcd(key: string): string;
  /** Only for keys that begin with the prefix. */
  fromEtcd(key: string): string;
}

/** Resources that the reference keeps under another name. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  services: 'services/specs',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  replicationcontrollers: 'controllers',
  ingresses: 'ingress',
  podsecuritypolicies: 'podsecuritypolicy',
};

/** Its kinds that come from servers of their own keep their group, as custom ones do. */
const WITH_GROUP = /^(apiextensions|apiregistration)\./;

/** Where storage has its own keys, and those of objects. */
const OWN = '/vitrine/';
const REGISTRY = '/registry/';

/** `prefix` as `--etcd-prefix` gives it. */
export function etcdLayout(names: Names, prefix: string): EtcdLayout {
  const paths = kinds.map((kind) => [ownPath(names, kind), referencePath(names, kind)] as const);
  const toReference = new Map(paths);
  const fromReference = new Map(paths.map(([own, reference]) => [reference, own]));
  const root = `/${prefix.split('/').filter(Boolean).join('/')}/`;
  return {
    prefix: root,
    toEtcd: (key) =>
      key.startsWith(REGISTRY) ? root + renamed(key.slice(REGISTRY.length), toReference) : root + key.slice(1),
    fromEtcd: (key) => {
      const path = key.slice(root.length);
      return path.startsWith(OWN.slice(1)) ? `/${path}` : REGISTRY + renamed(path, fromReference);
    },
  };
}

/** The path with its first segment, or its first two, replaced by what the table says. */
function renamed(path: string, table: ReadonlyMap<string, string>): string {
  const first = path.indexOf('/');
  const second = path.indexOf('/', first + 1);
  for (const end of [second, first]) {
    const found = end > 0 ? table.get(path.slice(0, end)) : undefined;
    if (found !== undefined) return found + path.slice(end);
  }
  return path;
}

const ownPath = (names: Names, { group, resource, storagePrefix = resource }: KindDeclaration): string => {
  const name = names.fill(group.name);
  return name === '' ? storagePrefix : `${name}/${storagePrefix}`;
};

function referencePath(names: Names, kind: KindDeclaration): string {
  const group = names.fill(kind.group.name);
  return WITH_GROUP.test(group) ? `${group}/${kind.resource}` : (getOwn(OTHER_NAMES, kind.resource) ?? kind.resource);
}
