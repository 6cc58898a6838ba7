/** What controllers delete besides dependants, after an object is gone or while it is being deleted. */
import { isObject } from '../../std/index.ts';
import { instancesOf } from './finalizers.ts';
import type { KnownObject, World } from './world.ts';

export interface Consequence {
  readonly object: KnownObject;
  readonly why: string;
}

interface Rule {
  readonly kind: string;
  /** `marked`: as soon as it is being deleted. `gone`: afterwards. */
  readonly when: 'marked' | 'gone';
  readonly why: string;
  readonly find: (object: KnownObject, world: World) => readonly KnownObject[];
}

const RULES: readonly Rule[] = [
  {
    kind: 'Namespace',
    when: 'marked',
    why: 'the namespace controller empties the namespace',
    find: ({ metadata }, world) => world.in(metadata.name ?? ''),
  },
  {
    kind: 'CustomResourceDefinition',
    when: 'marked',
    why: 'its definition is deleted',
    find: instancesOf,
  },
  {
    kind: 'Service',
    when: 'gone',
    why: 'the endpoints controller deletes what belongs to a service that is gone',
    find: ({ metadata }, world) => found(world.find('v1', 'Endpoints', metadata.namespace ?? '', metadata.name ?? '')),
  },
  {
    kind: 'ServiceAccount',
    when: 'gone',
    why: 'the token controller deletes the tokens of an account that is gone',
    find: (account, world) => tokensOf(account, world),
  },
  {
    kind: 'PersistentVolumeClaim',
    when: 'gone',
    why: 'its reclaim policy is Delete, and its claim is gone',
    find: (claim, world) => world.ofKind('', 'PersistentVolume').filter((each) => isReclaimed(each, claim)),
  },
  {
    kind: 'Node',
    when: 'gone',
    why: 'the pod collector deletes the pods of a node that is gone',
    find: ({ metadata }, world) =>
      world.ofKind('', 'Pod').filter(({ spec }) => isObject(spec) && spec['nodeName'] === metadata.name),
  },
];

/** What else a controller deletes because of this deletion. */
export function consequencesOf(object: KnownObject, when: Rule['when'], world: World): readonly Consequence[] {
  return RULES.filter((rule) => rule.kind === object.kind && rule.when === when).flatMap(({ find, why }) =>
    find(object, world).map((each) => ({ object: each, why })),
  );
}

const found = (object: KnownObject | undefined): readonly KnownObject[] => (object ? [object] : []);

function tokensOf({ metadata }: KnownObject, world: World): readonly KnownObject[] {
  const annotation = world.names.fill('{label}/service-account.uid');
  return world
    .in(metadata.namespace ?? '')
    .filter((each) => each.kind === 'Secret' && each.metadata.annotations?.[annotation] === metadata.uid);
}

function isReclaimed({ spec }: KnownObject, claim: KnownObject): boolean {
  if (!isObject(spec) || spec['persistentVolumeReclaimPolicy'] !== 'Delete') return false;
  return isObject(spec['claimRef']) && spec['claimRef']['uid'] === claim.metadata.uid;
}
