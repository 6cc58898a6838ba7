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
  for (const target of targets) yield* simulation.delete(target, policy, 'asked for');
  return yield* simulation.result();
}

/** So many objects are looked at in one step. */
const IN_ONE_STEP = 100;

interface Item {
  readonly object: KnownObject;
  owners: readonly OwnerReference[];
  finalizers: readonly string[];
  deleting: boolean;
  readonly dependents: Set<string>;
  /** Of a namespace: what is in it, without what was found to be gone. */
  readonly content: KnownObject[];
}

/** The API server and the collector, over metadata alone. Only what the deletion touches is looked at. */
class Simulation {
  readonly #world: World;
  readonly #runs: (party: string) => boolean;
  /** What was looked at; undefined for what is gone. */
  readonly #items = new Map<string, Item | undefined>();
  readonly #queue = new Set<string>();
  /** Objects that wait for others to be gone, by the uid of those. */
  readonly #waiting = new Map<string, Set<string>>();
  readonly #steps: DeletionStep[] = [];
  #looked = 0;

  constructor(world: World, runs: (party: string) => boolean) {
    this.#world = world;
    this.#runs = runs;
  }

  /** An object as it is by now; undefined where it is gone or never was. */
  #item(uid: string): Item | undefined {
    const object = this.#items.has(uid) ? undefined : this.#world.get(uid);
    if (object) this.#items.set(uid, itemOf(object, this.#world));
    return this.#items.get(uid);
  }

  *#breathe(): Steps<void> {
    this.#looked += 1;
    if (this.#looked % IN_ONE_STEP === 0) yield;
  }

  *delete(object: KnownObject, policy: Propagation, why: string): Steps<void> {
    const item = this.#item(uidOf(object));
    if (!item) return;
    yield* this.#breathe();
    const isFirst = !item.deleting;
    const before = item.finalizers;
    if (isFirst || object.kind !== 'Namespace') item.finalizers = withPolicy(item.finalizers, policy);
    item.deleting = true;
    if (isFirst) {
      if (this.#isHeld(item)) this.#note(item, 'marked', why);
      for (const { object: next, why: because } of consequencesOf(object, 'marked', this.#world))
        yield* this.delete(next, 'Background', because);
    }
    if (item.finalizers.includes(ORPHAN) && !before.includes(ORPHAN) && this.#collects) this.#orphan(item);
    const starts = item.finalizers.includes(FOREGROUND) && (isFirst || !before.includes(FOREGROUND));
    if (starts) for (const uid of item.dependents) this.#queue.add(uid);
    this.#queue.add(uidOf(object));
    yield* this.#release(item, why);
  }

  *result(): Steps<DeletionPreview> {
    for (const uid of this.#queue) {
      this.#queue.delete(uid);
      yield* this.#examine(uid);
      yield* this.#breathe();
    }
    yield;
    const noted = (what: DeletionStep['what']): KnownObject[] => [
      ...new Set(this.#steps.filter((step) => step.what === what).map((step) => step.object)),
    ];
    const isThere = (object: KnownObject): boolean => this.#item(uidOf(object)) !== undefined;
    const goes = noted('gone');
    const stays = [...noted('disowned'), ...noted('kept')];
    return {
      steps: this.#steps,
      goes,
      waits: noted('marked').filter(isThere),
      stays: [...new Set(stays)].filter((object) => this.#item(uidOf(object))?.deleting === false),
      replaced: this.#replaced(goes),
    };
  }

  get #collects(): boolean {
    return this.#runs('garbagecollector');
  }

  *#examine(uid: string): Steps<void> {
    const item = this.#item(uid);
    if (!item || !this.#collects) return;
    if (item.deleting) {
      if (item.finalizers.includes(FOREGROUND)) yield* this.#waitForDependents(item);
      return;
    }
    if (!item.owners.every((owner) => this.#world.canResolve(item.object, owner))) return;
    const [solid, waiting] = this.#classify(item);
    const lost = item.owners.filter((owner) => !solid.includes(owner));
    if (item.owners.length === 0 || lost.length === 0) return;
    if (solid.length > 0) return this.#disown(item, lost, `another owner stays: ${solid.map(textOf).join(', ')}`);
    if (waiting.length === 0) return yield* this.delete(item.object, ownPolicy(item), 'its owners are gone');
    if (item.dependents.size === 0)
      return yield* this.delete(item.object, ownPolicy(item), 'its owner waits for it to go');
    this.#unblock(item);
    yield* this.delete(item.object, 'Foreground', 'its owner waits for it, and it has dependants of its own');
  }

  #classify(item: Item): readonly [solid: OwnerReference[], waiting: OwnerReference[]] {
    const solid: OwnerReference[] = [];
    const waiting: OwnerReference[] = [];
    for (const reference of item.owners) {
      const owner = this.#world.ownerOf(item.object, reference);
      const state = owner && this.#item(uidOf(owner));
      if (!state) continue;
      (state.deleting && state.finalizers.includes(FOREGROUND) ? waiting : solid).push(reference);
    }
    return [solid, waiting];
  }

  /** Owners that wait for each other in a circle are let go. */
  #unblock(item: Item): void {
    const circular = [...item.dependents].some((uid) => {
      const dependent = this.#item(uid);
      return dependent?.deleting && dependent.finalizers.includes(FOREGROUND);
    });
    if (!circular) return;
    item.owners = item.owners.map((owner) => ({ ...owner, blockOwnerDeletion: false }));
    for (const owner of item.owners) this.#queue.add(owner.uid);
  }

  *#waitForDependents(item: Item): Steps<void> {
    const uid = uidOf(item.object);
    const blocking = [...item.dependents].filter((each) =>
      this.#item(each)?.owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion),
    );
    for (const each of blocking) if (!this.#item(each)?.deleting) this.#queue.add(each);
    if (blocking.length > 0) return;
    item.finalizers = item.finalizers.filter((finalizer) => finalizer !== FOREGROUND);
    yield* this.#release(item, 'its dependants are gone');
  }

  #orphan(item: Item): void {
    const uid = uidOf(item.object);
    for (const each of [...item.dependents]) {
      const dependent = this.#item(each);
      const lost = dependent?.owners.filter((owner) => owner.uid === uid) ?? [];
      if (dependent) this.#disown(dependent, lost, 'its owner is deleted without its dependants');
    }
    item.finalizers = item.finalizers.filter((finalizer) => finalizer !== ORPHAN);
  }

  #disown(item: Item, lost: readonly OwnerReference[], why: string): void {
    item.owners = item.owners.filter((owner) => !lost.includes(owner));
    for (const { uid } of lost) {
      this.#item(uid)?.dependents.delete(uidOf(item.object));
      this.#queue.add(uid);
    }
    this.#note(item, 'disowned', why);
  }

  #isHeld(item: Item): boolean {
    return item.finalizers.length > 0 || this.#isIn(item) !== undefined;
  }

  /** Something that is still in a namespace. */
  #isIn({ content }: Item): KnownObject | undefined {
    for (let last = content.at(-1); last; last = content.at(-1)) {
      if (this.#item(uidOf(last))) return last;
      content.pop();
    }
    return undefined;
  }

  /** Lets an object go that is being deleted and that nothing holds any more. */
  *#release(item: Item, why: string): Steps<void> {
    if (!item.deleting || !this.#item(uidOf(item.object))) return;
    item.finalizers = item.finalizers.filter((finalizer) => this.#holds(finalizer, item));
    const inside = this.#isIn(item);
    if (inside) return this.#waitFor(inside, item);
    if (item.finalizers.length === 0) yield* this.#remove(item, why);
  }

  #holds(finalizer: string, item: Item): boolean {
    const known = knownFinalizer(finalizer, this.#world);
    if (!known || finalizer === FOREGROUND || finalizer === ORPHAN) return true;
    const users = known.heldBy(item.object, this.#world).filter((each) => this.#item(uidOf(each)));
    for (const each of users) this.#waitFor(each, item);
    return users.length > 0 || !this.#runs(known.party);
  }

  #waitFor(object: KnownObject, item: Item): void {
    const waiting = this.#waiting.get(uidOf(object)) ?? new Set();
    this.#waiting.set(uidOf(object), waiting.add(uidOf(item.object)));
  }

  *#remove(item: Item, why: string): Steps<void> {
    const uid = uidOf(item.object);
    this.#items.set(uid, undefined);
    this.#note(item, 'gone', why);
    for (const dependent of item.dependents) this.#queue.add(dependent);
    for (const owner of item.owners) {
      this.#item(owner.uid)?.dependents.delete(uid);
      this.#queue.add(owner.uid);
    }
    for (const { object, why: because } of consequencesOf(item.object, 'gone', this.#world))
      yield* this.delete(object, 'Background', because);
    for (const each of this.#waiting.get(uid) ?? []) {
      const waiting = this.#item(each);
      if (waiting) yield* this.#release(waiting, `${nameOf(item.object)} is gone`);
    }
  }

  #note({ object }: Item, what: DeletionStep['what'], why: string): void {
    this.#steps.push({ object, what, why });
  }

  #replaced(goes: readonly KnownObject[]): Map<string, KnownObject> {
    const replaced = new Map<string, KnownObject>();
    for (const object of goes) {
      const reference = controllerOf(object);
      const item = reference && this.#item(reference.uid);
      if (item && !item.deleting) replaced.set(uidOf(object), item.object);
    }
    return replaced;
  }
}

const textOf = ({ kind, name }: OwnerReference): string => `${kind} ${name}`;

function itemOf(object: KnownObject, world: World): Item {
  const { name = '', ownerReferences = [], finalizers = [], deletionTimestamp } = object.metadata;
  return {
    object,
    owners: ownerReferences,
    finalizers,
    deleting: deletionTimestamp !== undefined,
    dependents: new Set(world.dependentsOf(object).map(uidOf)),
    content: object.kind === 'Namespace' ? [...world.in(name)] : [],
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
