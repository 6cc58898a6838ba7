/** What a deletion leads to, before it is asked for: what goes, what stays, in which order (specification, States and transitions). */
import { controllerOf, type OwnerReference } from '../../schema/index.ts';
import { atOnce, type Steps } from '../../std/index.ts';
import { consequencesOf } from './follows.ts';
import { FOREGROUND, knownFinalizer, ORPHAN } from './finalizers.ts';
import { nameOf, uidOf, type KnownObject, type World } from './world.ts';

export type Propagation = 'Background' | 'Foreground' | 'Orphan';

/** One thing that happens, in order. `marked`: it is being deleted and waits. `disowned`: it loses an owner reference and stays. */
export interface DeletionStep {
  readonly object: KnownObject;
  readonly what: 'marked' | 'gone' | 'disowned' | 'kept';
  readonly why: string;
}

export interface DeletionPreview {
  readonly steps: readonly DeletionStep[];
  /** Objects that are gone in the end, in the order in which they go. */
  readonly goes: readonly KnownObject[];
  /** Objects that are being deleted and that something holds. */
  readonly waits: readonly KnownObject[];
  /** Objects that were looked at and stay. */
  readonly stays: readonly KnownObject[];
  /** Objects that go although their controller stays, which then makes another: by uid. */
  readonly replaced: ReadonlyMap<string, KnownObject>;
}

/** Previews the deletion of `targets`; `world` is everything that there is. */
export function previewDeletion(...asked: Parameters<typeof previewInSteps>): DeletionPreview {
  return atOnce(previewInSteps(...asked));
}

/** The same in steps, for a page that has to stay quick over thousands of objects. */
export function* previewInSteps(
  targets: readonly KnownObject[],
  policy: Propagation,
  world: World,
  runs: (party: string) => boolean = () => true,
): Steps<DeletionPreview> {
  const simulation = new Simulation(world, runs);
  yield;
  for (const target of targets) simulation.delete(target, policy, 'asked for');
  yield;
  return simulation.result();
}

interface Item {
  readonly object: KnownObject;
  owners: readonly OwnerReference[];
  finalizers: readonly string[];
  deleting: boolean;
  readonly dependents: Set<string>;
}

/** The API server and the collector, over metadata alone. */
class Simulation {
  readonly #world: World;
  readonly #runs: (party: string) => boolean;
  readonly #items = new Map<string, Item>();
  readonly #queue = new Set<string>();
  /** Objects that wait for others to be gone, by the uid of those. */
  readonly #waiting = new Map<string, Set<string>>();
  readonly #steps: DeletionStep[] = [];

  constructor(world: World, runs: (party: string) => boolean) {
    this.#world = world;
    this.#runs = runs;
    for (const object of world.objects) this.#items.set(uidOf(object), itemOf(object));
    for (const [uid, { owners }] of this.#items)
      for (const owner of owners) this.#items.get(owner.uid)?.dependents.add(uid);
  }

  delete(object: KnownObject, policy: Propagation, why: string): void {
    const item = this.#items.get(uidOf(object));
    if (!item) return;
    const isFirst = !item.deleting;
    const before = item.finalizers;
    if (isFirst || object.kind !== 'Namespace') item.finalizers = withPolicy(item.finalizers, policy);
    item.deleting = true;
    if (isFirst) {
      if (this.#isHeld(item)) this.#note(item, 'marked', why);
      for (const { object: next, why: because } of consequencesOf(object, 'marked', this.#world))
        this.delete(next, 'Background', because);
    }
    if (item.finalizers.includes(ORPHAN) && !before.includes(ORPHAN) && this.#collects) this.#orphan(item);
    const starts = item.finalizers.includes(FOREGROUND) && (isFirst || !before.includes(FOREGROUND));
    if (starts) for (const uid of item.dependents) this.#queue.add(uid);
    this.#queue.add(uidOf(object));
    this.#release(item, why);
  }

  result(): DeletionPreview {
    for (const uid of this.#queue) {
      this.#queue.delete(uid);
      this.#examine(uid);
    }
    const noted = (what: DeletionStep['what']): KnownObject[] => [
      ...new Set(this.#steps.filter((step) => step.what === what).map((step) => step.object)),
    ];
    const isThere = (object: KnownObject): boolean => this.#items.has(uidOf(object));
    const goes = noted('gone');
    const stays = [...noted('disowned'), ...noted('kept')];
    return {
      steps: this.#steps,
      goes,
      waits: noted('marked').filter(isThere),
      stays: [...new Set(stays)].filter((object) => this.#items.get(uidOf(object))?.deleting === false),
      replaced: this.#replaced(goes),
    };
  }

  get #collects(): boolean {
    return this.#runs('garbagecollector');
  }

  #examine(uid: string): void {
    const item = this.#items.get(uid);
    if (!item || !this.#collects) return;
    if (item.deleting) return item.finalizers.includes(FOREGROUND) ? this.#waitForDependents(item) : undefined;
    if (!item.owners.every((owner) => this.#world.canResolve(item.object, owner))) return;
    const [solid, waiting] = this.#classify(item);
    const lost = item.owners.filter((owner) => !solid.includes(owner));
    if (item.owners.length === 0 || lost.length === 0) return;
    if (solid.length > 0) return this.#disown(item, lost, `another owner stays: ${solid.map(textOf).join(', ')}`);
    if (waiting.length === 0) return this.delete(item.object, ownPolicy(item), 'its owners are gone');
    if (item.dependents.size === 0) return this.delete(item.object, ownPolicy(item), 'its owner waits for it to go');
    this.#unblock(item);
    this.delete(item.object, 'Foreground', 'its owner waits for it, and it has dependants of its own');
  }

  #classify(item: Item): readonly [solid: OwnerReference[], waiting: OwnerReference[]] {
    const solid: OwnerReference[] = [];
    const waiting: OwnerReference[] = [];
    for (const reference of item.owners) {
      const owner = this.#world.ownerOf(item.object, reference);
      const state = owner && this.#items.get(uidOf(owner));
      if (!state) continue;
      (state.deleting && state.finalizers.includes(FOREGROUND) ? waiting : solid).push(reference);
    }
    return [solid, waiting];
  }

  /** Owners that wait for each other in a circle are let go. */
  #unblock(item: Item): void {
    const circular = [...item.dependents].some((uid) => {
      const dependent = this.#items.get(uid);
      return dependent?.deleting && dependent.finalizers.includes(FOREGROUND);
    });
    if (!circular) return;
    item.owners = item.owners.map((owner) => ({ ...owner, blockOwnerDeletion: false }));
    for (const owner of item.owners) this.#queue.add(owner.uid);
  }

  #waitForDependents(item: Item): void {
    const uid = uidOf(item.object);
    const blocking = [...item.dependents].filter((each) =>
      this.#items.get(each)?.owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion),
    );
    for (const each of blocking) if (!this.#items.get(each)?.deleting) this.#queue.add(each);
    if (blocking.length > 0) return;
    item.finalizers = item.finalizers.filter((finalizer) => finalizer !== FOREGROUND);
    this.#release(item, 'its dependants are gone');
  }

  #orphan(item: Item): void {
    const uid = uidOf(item.object);
    for (const each of [...item.dependents]) {
      const dependent = this.#items.get(each);
      const lost = dependent?.owners.filter((owner) => owner.uid === uid) ?? [];
      if (dependent) this.#disown(dependent, lost, 'its owner is deleted without its dependants');
    }
    item.finalizers = item.finalizers.filter((finalizer) => finalizer !== ORPHAN);
  }

  #disown(item: Item, lost: readonly OwnerReference[], why: string): void {
    item.owners = item.owners.filter((owner) => !lost.includes(owner));
    for (const { uid } of lost) {
      this.#items.get(uid)?.dependents.delete(uidOf(item.object));
      this.#queue.add(uid);
    }
    this.#note(item, 'disowned', why);
  }

  #isHeld(item: Item): boolean {
    return item.finalizers.length > 0 || (item.object.kind === 'Namespace' && this.#contentOf(item).length > 0);
  }

  #contentOf({ object }: Item): readonly KnownObject[] {
    return this.#world.in(object.metadata.name ?? '').filter((each) => this.#items.has(uidOf(each)));
  }

  /** Lets an object go that is being deleted and that nothing holds any more. */
  #release(item: Item, why: string): void {
    if (!item.deleting || !this.#items.has(uidOf(item.object))) return;
    item.finalizers = item.finalizers.filter((finalizer) => this.#holds(finalizer, item));
    if (item.object.kind === 'Namespace') {
      const content = this.#contentOf(item);
      for (const each of content) this.#waitFor(each, item);
      if (content.length > 0) return;
    }
    if (item.finalizers.length === 0) this.#remove(item, why);
  }

  #holds(finalizer: string, item: Item): boolean {
    const known = knownFinalizer(finalizer, this.#world);
    if (!known || finalizer === FOREGROUND || finalizer === ORPHAN) return true;
    const users = known.heldBy(item.object, this.#world).filter((each) => this.#items.has(uidOf(each)));
    for (const each of users) this.#waitFor(each, item);
    return users.length > 0 || !this.#runs(known.party);
  }

  #waitFor(object: KnownObject, item: Item): void {
    const waiting = this.#waiting.get(uidOf(object)) ?? new Set();
    this.#waiting.set(uidOf(object), waiting.add(uidOf(item.object)));
  }

  #remove(item: Item, why: string): void {
    const uid = uidOf(item.object);
    this.#items.delete(uid);
    this.#note(item, 'gone', why);
    for (const dependent of item.dependents) this.#queue.add(dependent);
    for (const owner of item.owners) {
      this.#items.get(owner.uid)?.dependents.delete(uid);
      this.#queue.add(owner.uid);
    }
    for (const { object, why: because } of consequencesOf(item.object, 'gone', this.#world))
      this.delete(object, 'Background', because);
    for (const each of this.#waiting.get(uid) ?? []) {
      const waiting = this.#items.get(each);
      if (waiting) this.#release(waiting, `${nameOf(item.object)} is gone`);
    }
  }

  #note({ object }: Item, what: DeletionStep['what'], why: string): void {
    this.#steps.push({ object, what, why });
  }

  #replaced(goes: readonly KnownObject[]): Map<string, KnownObject> {
    const replaced = new Map<string, KnownObject>();
    for (const object of goes) {
      const reference = controllerOf(object);
      const item = reference && this.#items.get(reference.uid);
      if (item && !item.deleting) replaced.set(uidOf(object), item.object);
    }
    return replaced;
  }
}

const textOf = ({ kind, name }: OwnerReference): string => `${kind} ${name}`;

function itemOf(object: KnownObject): Item {
  const { ownerReferences = [], finalizers = [], deletionTimestamp } = object.metadata;
  return {
    object,
    owners: ownerReferences,
    finalizers,
    deleting: deletionTimestamp !== undefined,
    dependents: new Set(),
  };
}

/** The finalizers that a deletion with this policy leaves on an object. */
function withPolicy(finalizers: readonly string[], policy: Propagation): readonly string[] {
  const others = finalizers.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  if (policy === 'Background') return others;
  return [...others, policy === 'Orphan' ? ORPHAN : FOREGROUND];
}

/** A finalizer that is there says how the collector deletes the object. */
function ownPolicy({ finalizers }: Item): Propagation {
  if (finalizers.includes(ORPHAN)) return 'Orphan';
  return finalizers.includes(FOREGROUND) ? 'Foreground' : 'Background';
}
