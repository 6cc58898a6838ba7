/** The types that the reference's client knows: patches of these kinds merge as on the server. */
import type { Names } from '../../names/index.ts';
import { createScheme, groups, kinds, type Node } from '../../schema/index.ts';
import type { Kind } from './resource.ts';

/** The type of a kind; undefined for one that the client doesn't know. */
export type TypeOf = (kind: Kind) => Node | undefined;

/** Groups that only the server knows. */
const foreign = [groups.apiextensions, groups.apiregistration];

interface Former {
  readonly at: string;
  readonly now: readonly [group: string, version: string];
  readonly kinds: readonly string[];
}

/** What the client still knows of versions that servers no longer have, and where these kinds are now. */
const former: readonly Former[] = [
  { at: 'apps/v1beta1', now: ['apps', 'v1'], kinds: ['ControllerRevision', 'Deployment', 'StatefulSet'] },
  {
    at: 'apps/v1beta2',
    now: ['apps', 'v1'],
    kinds: ['ControllerRevision', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'],
  },
  { at: 'extensions/v1beta1', now: ['apps', 'v1'], kinds: ['DaemonSet', 'Deployment', 'ReplicaSet'] },
  { at: 'extensions/v1beta1', now: ['networking.{domain}', 'v1'], kinds: ['NetworkPolicy'] },
  { at: 'extensions/v1beta1', now: ['policy', 'v1beta1'], kinds: ['PodSecurityPolicy'] },
];

/** Every version and every field is known, served or not. */
export function typesOf(names: Names): TypeOf {
  const known = kinds.filter(({ group }) => !foreign.includes(group));
  const scheme = createScheme(names, known, { runtimeConfig: 'api/all=true', gate: () => true });
  return (wanted) => {
    const at = `${wanted.group}/${wanted.version}`;
    const moved = former.find((each) => each.at === at && each.kinds.includes(wanted.kind));
    const [group, version] = moved?.now ?? [wanted.group, wanted.version];
    return scheme.byKind({ group: names.fill(group), version, kind: wanted.kind })?.node;
  };
}
