/**
 * The keys of objects in etcd, in the reference's layout, so that both can read the same keys. The reference omits the
 * groups of built-in kinds; storage keys here always have them.
 */
import type { Names } from '../names/index.ts';
import { kinds, type KindDeclaration } from '../schema/index.ts';
import { getOwn } from '../std/index.ts';

export interface EtcdLayout {
  /** The prefix of every key in etcd, with a trailing slash. */
  readonly prefix: string;
  toEtcd(key: string): string;
  /** Only for keys with the prefix. */
  fromEtcd(key: string): string;
}

/** Resources with another name in the reference's keys. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  services: 'services/specs',
  endpoints: 'services/endpoints',
  nodes: 'minions',
  replicationcontrollers: 'controllers',
  ingresses: 'ingress',
  podsecuritypolicies: 'podsecuritypolicy',
};

/** Kinds from separate servers keep their group, as custom kinds do. */
const WITH_GROUP = /^(apiextensions|apiregistration)\./;

/** The prefixes of storage's own keys and of objects. */
const OWN = '/vitrine/';
const REGISTRY = '/registry/';

/** `prefix` is the value of `--etcd-prefix`. */
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

/** Replaces the first segment of a path, or the first two, by the table. */
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
