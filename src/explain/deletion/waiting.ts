/** What an object that is being deleted waits for, and how a person can end the waiting. */
import { isObject } from '../../std/index.ts';
import type { Place } from '../answer.ts';
import { knownFinalizer } from './finalizers.ts';
import { nameOf, placeOfObject, type KnownObject, type World } from './world.ts';

export interface Wait {
  /** Empty where it isn't a finalizer that holds the object. */
  readonly finalizer: string;
  /** Who is to remove it. */
  readonly party: string;
  readonly task: string;
  /** `alive`: it runs in this control plane. `off`: it is switched off. `unknown`: nobody here is known to do it. */
  readonly state: 'alive' | 'off' | 'unknown';
  /** The objects that have to be gone before. */
  readonly heldBy: readonly Place[];
  /** How a person removes it; undefined where waiting is all that is left. */
  readonly byHand: ByHand | undefined;
}

export interface ByHand {
  /** What the object's finalizers become. */
  readonly finalizers: readonly string[];
  /** Finalizers of a namespace's content stand in `spec`, and are removed through `finalize`. */
  readonly subresource: '' | 'finalize';
  readonly loses: string;
}

/** What an object waits for; empty where it isn't being deleted. `runs` tells which controllers are switched on. */
export function waitsOf(object: KnownObject, world: World, runs: (party: string) => boolean): readonly Wait[] {
  const { deletionTimestamp, finalizers = [] } = object.metadata;
  if (deletionTimestamp === undefined) return [];
  const waits = finalizers.map((finalizer) => waitFor(finalizer, object, world, runs));
  return [...waits, ...contentOf(object, world, runs), ...terminationOf(object)];
}

function waitFor(finalizer: string, object: KnownObject, world: World, runs: (party: string) => boolean): Wait {
  const known = knownFinalizer(finalizer, world);
  const finalizers = (object.metadata.finalizers ?? []).filter((other) => other !== finalizer);
  const loses = known?.loses ?? 'The cleanup that the finalizer stands for is not done.';
  const byHand = { finalizers, subresource: '' as const, loses };
  if (!known) {
    const writer = writerOf(finalizer, object);
    return {
      finalizer,
      party: writer ? `set by ${writer}` : 'set by somebody unknown',
      task: 'no controller of this control plane removes it',
      state: 'unknown',
      heldBy: [],
      byHand,
    };
  }
  const heldBy = known.heldBy(object, world).map((each) => placeOfObject(each));
  const state = runs(known.party) ? 'alive' : 'off';
  const party = known.party === 'apiserver' ? 'the API server' : `controller ${known.party}`;
  return { finalizer, party, task: known.task, state, heldBy, byHand };
}

/** Who wrote a finalizer, as field ownership has it. */
function writerOf(finalizer: string, { metadata }: KnownObject): string | undefined {
  const key = `v:${JSON.stringify(finalizer)}`;
  const entry = metadata.managedFields?.find(({ fieldsV1 }) => {
    const meta = isObject(fieldsV1) ? fieldsV1['f:metadata'] : undefined;
    const list = isObject(meta) ? meta['f:finalizers'] : undefined;
    return isObject(list) && Object.hasOwn(list, key);
  });
  return entry?.manager;
}

/** A namespace waits for its content. */
function contentOf(object: KnownObject, world: World, runs: (party: string) => boolean): readonly Wait[] {
  if (object.kind !== 'Namespace') return [];
  const own: unknown = isObject(object['spec']) ? object['spec']['finalizers'] : undefined;
  if (!Array.isArray(own) || own.length === 0) return [];
  const content = world.in(object.metadata.name ?? '');
  return [
    {
      finalizer: String(own[0]),
      party: 'controller namespace',
      task: 'deletes everything in the namespace',
      state: runs('namespace') ? 'alive' : 'off',
      heldBy: content.map((each) => placeOfObject(each)),
      byHand: {
        finalizers: [],
        subresource: 'finalize',
        loses: 'What is left in the namespace stays in storage, and comes back with a namespace of the same name.',
      },
    },
  ];
}

/** A pod without finalizers waits for its node to end its containers. */
function terminationOf({ kind, metadata, spec }: KnownObject): readonly Wait[] {
  if (kind !== 'Pod' || (metadata.finalizers ?? []).length > 0) return [];
  const node = isObject(spec) && typeof spec['nodeName'] === 'string' ? spec['nodeName'] : '';
  return [
    {
      finalizer: '',
      party: node === '' ? 'the API server' : `the agent of node ${node}`,
      task: `ends its containers, ${metadata.deletionGracePeriodSeconds ?? 0} s at most`,
      state: 'alive',
      heldBy: [],
      byHand: undefined,
    },
  ];
}

/** What a namespace's condition says, with the objects that it speaks of. */
export interface NamespaceHold {
  readonly condition: string;
  readonly message: string;
  readonly objects: readonly { readonly object: Place; readonly name: string; readonly waits: readonly Wait[] }[];
}

/** What holds a namespace that is being deleted: from its conditions down to each object. */
export function namespaceHolds(
  namespace: KnownObject,
  world: World,
  runs: (party: string) => boolean,
): readonly NamespaceHold[] {
  const status = isObject(namespace['status']) ? namespace['status'] : {};
  const conditions: readonly unknown[] = Array.isArray(status['conditions']) ? status['conditions'] : [];
  return conditions.flatMap((condition) => {
    if (!isObject(condition) || condition['status'] !== 'True') return [];
    const type = String(condition['type']);
    const onlyHeld = type === 'NamespaceFinalizersRemaining';
    const content = world
      .in(namespace.metadata.name ?? '')
      .filter(({ metadata }) => !onlyHeld || (metadata.finalizers ?? []).length > 0);
    const objects = content.map((object) => ({
      object: placeOfObject(object),
      name: nameOf(object),
      waits: waitsOf(object, world, runs),
    }));
    return [{ condition: type, message: String(condition['message'] ?? ''), objects: isContent(type) ? objects : [] }];
  });
}

const isContent = (type: string): boolean =>
  ['NamespaceContentRemaining', 'NamespaceFinalizersRemaining', 'NamespaceDeletionContentFailure'].includes(type);
