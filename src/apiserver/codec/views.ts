/**
 * The representations of a stored entry: decoded once per version, serialized once per version, and shared by every
 * response and watcher. Entries are immutable, so their representations are kept as long as the entry.
 */
import { groupVersionOf, type ApiObject, type ObjectMeta, type Resource, type Scheme } from '../../schema/index.ts';
import { atOnce, deepFreeze, inTurns, isObject, must, sortKeys, type Steps } from '../../std/index.ts';
import { valueLength, type Entry, type StorageEvent } from '../../storage/index.ts';

/** One object in one version: frozen, with its JSON text created on first use. */
export class View {
  readonly object: ApiObject;
  /** With its line end, so that a response for a single object copies nothing. */
  #line: string | undefined;

  constructor(object: ApiObject) {
    this.object = object;
  }

  /** JSON without a line end. */
  json(): string {
    return this.line().slice(0, -1);
  }

  /** JSON with a line end. */
  line(): string {
    return (this.#line ??= this.lineOnce());
  }

  /** The line for the last expected reader: it is created if needed, and not cached. */
  lineOnce(): string {
    return this.#line ?? `${JSON.stringify(this.object)}\n`;
  }

  /** Whether the text has been created. */
  get isWritten(): boolean {
    return this.#line !== undefined;
  }
}

export interface Views {
  /** The entry in the version of `resource`. Entries that a webhook converts must be `ready`. */
  of(entry: Entry, resource: Resource): View;
  /**
   * Registers the form of a stored object as its representation, so that the text is not parsed again. `form` is
   * frozen.
   */
  take(entry: Entry, resource: Resource, form: ApiObject): void;
  /** Whether `of` can answer synchronously. */
  has(entry: Entry, resource: Resource): boolean;
  /**
   * Prepares entries for `of`: entries that a webhook has not converted yet are sent in one review, and large ones are
   * parsed in steps. Undefined if there is nothing to wait for; rejects with a StatusError.
   */
  ready(entries: readonly Entry[], resource: Resource): Promise<void> | undefined;
  /** Serializes ready entries, in steps if they are long. Undefined if there is nothing to wait for. */
  written(entries: readonly Entry[], resource: Resource): Promise<void> | undefined;
  /** The object in a DELETED event: the last state, at the revision of the deletion. */
  ofDeleted(event: StorageEvent, resource: Resource): View;
  /** No more readers are expected for this entry: its representation is dropped after many others have passed. */
  passed(entry: Entry, resource: Resource): void;
  /** A view of an object that is not stored (dry run, virtual kinds). */
  fresh(object: ApiObject): View;
}

/** The representation of an entry or event in one version of its kind. */
interface Shown {
  readonly resource: Resource;
  readonly view: View;
  readonly next: Shown | undefined;
}

/** Lets a class add a private field to an existing object. */
class Existing {
  constructor(object: object) {
    return object;
  }
}

/**
 * The representation is stored in a private field of the entry, which nobody else sees and no copy includes. With a
 * WeakMap every version ever written would have a slot in one large table, which each garbage collection walks through.
 */
class Showing extends Existing {
  #shown: Shown | undefined;

  static get(owner: object, resource: Resource): View | undefined {
    let shown = #shown in owner ? owner.#shown : undefined;
    while (shown && shown.resource !== resource) shown = shown.next;
    return shown?.view;
  }

  static add(owner: object, resource: Resource, view: View): View {
    const showing = #shown in owner ? owner : new Showing(owner);
    showing.#shown = { resource, view, next: showing.#shown };
    return view;
  }

  static forget(owner: object): void {
    if (#shown in owner) owner.#shown = undefined;
  }
}

/**
 * The number of outdated entries and deletions that keep their representation, because watches that lag behind may still read them. Older
 * ones are decoded again when they are read.
 */
const PASSED = 512;

export function createViews(scheme: Scheme): Views {
  let passed: object[] = [];
  const pass = (owner: object): void => {
    if (passed.push(owner) < 2 * PASSED) return;
    for (const old of passed.slice(0, PASSED)) Showing.forget(old);
    passed = passed.slice(PASSED);
  };
  const of = (entry: Entry, resource: Resource): View =>
    Showing.get(entry, resource) ?? atOnce(make(entry, entry.value, entry.revision, resource));
  function* make(owner: object, text: string, revision: number, resource: Resource): Steps<View> {
    const known = Showing.get(owner, resource);
    if (known) return known;
    const read =
      resource === resource.hub
        ? restored(resource, inHubVersion(scheme, resource, parseStored(text)))
        : scheme.convert((yield* make(owner, text, revision, resource.hub)).object, resource.hub, resource);
    yield;
    const shown = shownOf(resource, resource === resource.hub ? withRevision(read, String(revision)) : read);
    return Showing.get(owner, resource) ?? Showing.add(owner, resource, new View(shown));
  }
  function* makeAll(entries: readonly Entry[], resource: Resource): Steps<void> {
    for (const entry of entries) {
      yield* make(entry, entry.value, entry.revision, resource);
      yield;
    }
  }
  const conversions = new Conversions();
  return {
    of,
    take: (entry, { hub }, form) => {
      // Custom and restored objects differ from their stored form; large ones are parsed in steps.
      if (hub.custom || hub.declaration.restore || isLarge(entry) || Showing.get(entry, hub)) return;
      Showing.add(entry, hub, new View(deepFreeze(withRevision(form, String(entry.revision)))));
    },
    has: (entry, resource) => conversions.has(entry, resource),
    ready: (entries, resource) => {
      if (resource.custom?.remote) return conversions.ready(entries, resource);
      const large = entries.filter((entry) => isLarge(entry) && !Showing.get(entry, resource));
      return large.length > 0 ? inTurns(makeAll(large, resource)) : undefined;
    },
    written: (entries, resource) => {
      const large = entries.filter(isLarge);
      return large.length > 0 ? inTurns(writeAll(large.map((entry) => of(entry, resource)))) : undefined;
    },
    ofDeleted: (event, resource) => {
      const { previous, revision } = event;
      const known = Showing.get(event, resource);
      if (known) return known;
      // History keeps the event for minutes, but it is sent to watches at once.
      if (!resource.custom) pass(event);
      // The last state has a representation already, or a webhook has converted it and is not called again: only the
      // revision is new.
      const seen = previous && (resource.custom?.remote ? of(previous, resource) : Showing.get(previous, resource));
      if (!seen) return atOnce(make(event, previous?.value ?? '{}', revision, resource));
      const shown = shownOf(resource, withRevision(seen.object, String(revision)));
      return Showing.add(event, resource, new View(shown));
    },
    passed: (entry, { custom }) => {
      // The representation of webhook-converted objects exists only here.
      if (!custom) pass(entry);
    },
    fresh: (object) => new View(object),
  };
}

/** Above this size, reading or writing takes long enough to delay others. */
const LARGE = 64 * 1024;

const isLarge = (entry: Entry): boolean => valueLength(entry) > LARGE;

function* writeAll(views: readonly View[]): Steps<void> {
  for (const view of views) {
    if (view.isWritten) continue;
    view.line();
    yield;
  }
}

/** Views created by a webhook: finished and pending ones. */
class Conversions {
  readonly #underWay = new WeakMap<Entry, Map<Resource, Promise<void>>>();

  has(entry: Entry, resource: Resource): boolean {
    if (!resource.custom?.remote || Showing.get(entry, resource)) return true;
    const stored = parseStored(entry.value);
    if (stored.apiVersion !== resource.apiVersion) return false;
    this.#show(entry, resource, resource.custom.fromStored(stored));
    return true;
  }

  ready(entries: readonly Entry[], resource: Resource): Promise<void> | undefined {
    if (!resource.custom?.remote) return undefined;
    const missing = [...new Set(entries)].filter((entry) => !this.has(entry, resource));
    if (missing.length === 0) return undefined;
    const unasked = missing.filter((entry) => !this.#underWay.get(entry)?.has(resource));
    if (unasked.length > 0) this.#ask(unasked, resource);
    const awaited = new Set(missing.map((entry) => this.#underWay.get(entry)?.get(resource)));
    return Promise.all(awaited).then(() => undefined);
  }

  #ask(entries: readonly Entry[], resource: Resource): void {
    const converted = this.#convert(entries, resource).finally(() => {
      for (const entry of entries) this.#underWay.get(entry)?.delete(resource);
    });
    for (const entry of entries) {
      const promises = this.#underWay.get(entry) ?? new Map<Resource, Promise<void>>();
      this.#underWay.set(entry, promises.set(resource, converted));
    }
  }

  async #convert(entries: readonly Entry[], resource: Resource): Promise<void> {
    const remote = must(resource.custom?.remote, 'a webhook converts');
    const objects = await remote.fromStored(entries.map(({ value }) => parseStored(value)));
    entries.forEach((entry, i) => this.#show(entry, resource, must(objects[i], 'every object is converted')));
  }

  #show(entry: Entry, resource: Resource, object: ApiObject): void {
    if (Showing.get(entry, resource)) return;
    Showing.add(entry, resource, new View(shownOf(resource, withRevision(object, String(entry.revision)))));
  }
}

/** Custom objects have sorted keys at every level, as in the reference. */
export const inOrder = ({ custom }: Resource, object: ApiObject): ApiObject =>
  custom ? (sortKeys(object) as ApiObject) : object;

/** The representation of an object. */
const shownOf = (resource: Resource, object: ApiObject): ApiObject => deepFreeze(inOrder(resource, object));

/** Parses the output of `storedText`; no other texts come here. */
function parseStored(text: string): ApiObject {
  const value: unknown = JSON.parse(text);
  return (isObject(value) ? value : {}) as ApiObject;
}

/** Other servers on the same storage, such as the reference, may store another version of a kind. */
function inHubVersion(scheme: Scheme, hub: Resource, stored: ApiObject): ApiObject {
  if (hub.custom || stored.apiVersion === undefined || stored.apiVersion === hub.apiVersion) return stored;
  const other = scheme.byKind({ ...groupVersionOf(stored.apiVersion), kind: hub.gvk.kind });
  if (!other || other.hub !== hub) return stored;
  return scheme.convert(scheme.decode(other.node, stored, 'stored') as ApiObject, other, hub);
}

/** A stored object in its current form: the definition of a custom resource may have changed. May modify `stored`. */
export function restored({ custom, declaration }: Resource, stored: ApiObject): ApiObject {
  if (custom) return custom.fromStored(stored);
  declaration.restore?.(stored);
  return stored;
}

/** The stored text of an object: everything but the revision, which the entry has. */
export function storedText(object: ApiObject): string {
  return JSON.stringify(withRevision(object, ''));
}

const BEFORE_REVISION = ['name', 'generateName', 'namespace', 'selfLink', 'uid'] as const;

/** A shallow copy with `revision` in its metadata (none if empty), at the position of the field. */
export function withRevision(object: ApiObject, revision: string): ApiObject {
  const { resourceVersion: _, ...rest } = object.metadata ?? {};
  const metadata: Record<string, unknown> = {};
  for (const name of BEFORE_REVISION) if (rest[name] !== undefined) metadata[name] = rest[name];
  if (revision !== '') metadata['resourceVersion'] = revision;
  return { ...object, metadata: Object.assign(metadata, rest) as ObjectMeta };
}
