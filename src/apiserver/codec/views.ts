/**
 * How a stored entry looks: decoded once per version, serialized once per version and shared by every response and
 * watcher that needs it. Entries are immutable, so what is made of one is kept for as long as the entry lives.
 */
import { groupVersionOf, type ApiObject, type ObjectMeta, type Resource, type Scheme } from '../../schema/index.ts';
import { atOnce, deepFreeze, inTurns, isObject, must, sortKeys, type Steps } from '../../std/index.ts';
import type { Entry, StorageEvent } from '../../storage/index.ts';

/** One object in one version: frozen, with its JSON text made on first use. */
export interface View {
  readonly object: ApiObject;
  /** JSON without a line end. */
  readonly json: () => string;
  /** Whether that text has been made. */
  readonly isWritten: () => boolean;
  /** Kept by codecs for their own representations: Protobuf bytes, YAML text, a Table row. */
  readonly cache: Map<string, unknown>;
}

export interface Views {
  /** The entry as `resource` (any version of its kind) shows it. Where a webhook converts, only what is `ready` can be shown. */
  of(entry: Entry, resource: Resource): View;
  /** Takes what was just stored as what is to be shown of it, so that its text is not read again. `form` is frozen with it. */
  take(entry: Entry, resource: Resource, form: ApiObject): void;
  /** Whether `of` has nobody to wait for. */
  has(entry: Entry, resource: Resource): boolean;
  /**
   * Makes entries ready to be shown: where a webhook converts, it is asked about all at once that it was not asked about
   * before, and what is large is read in steps. Undefined where there is nothing to wait for; rejects with a StatusError.
   */
  ready(entries: readonly Entry[], resource: Resource): Promise<void> | undefined;
  /** Makes the JSON of entries that are ready, in steps where it is long. Undefined where there is nothing to wait for. */
  written(entries: readonly Entry[], resource: Resource): Promise<void> | undefined;
  /** What a watcher sees of a deletion: the last state, at the revision of its removal. */
  ofDeleted(event: StorageEvent, resource: Resource): View;
  /** A view of an object that is not stored (dry run, virtual kinds). */
  fresh(object: ApiObject): View;
}

export function createViews(scheme: Scheme): Views {
  const known = new WeakMap<object, Map<Resource, View>>();
  const viewsOf = (owner: object): Map<Resource, View> => {
    let views = known.get(owner);
    if (!views) known.set(owner, (views = new Map()));
    return views;
  };
  const at = (owner: object, text: string, revision: number, resource: Resource): View =>
    viewsOf(owner).get(resource) ?? atOnce(make(owner, text, revision, resource));
  function* make(owner: object, text: string, revision: number, resource: Resource): Steps<View> {
    const views = viewsOf(owner);
    const known = views.get(resource);
    if (known) return known;
    const read =
      resource === resource.hub
        ? restored(resource, inHubVersion(scheme, resource, parseStored(text)))
        : scheme.convert((yield* make(owner, text, revision, resource.hub)).object, resource.hub, resource);
    yield;
    const view = viewOf(shownOf(resource, resource === resource.hub ? withRevision(read, String(revision)) : read));
    views.set(resource, view);
    return view;
  }
  function* makeAll(entries: readonly Entry[], resource: Resource): Steps<void> {
    for (const entry of entries) {
      yield* make(entry, entry.value, entry.revision, resource);
      yield;
    }
  }
  const of = (entry: Entry, resource: Resource): View => at(entry, entry.value, entry.revision, resource);
  const conversions = new Conversions(viewsOf);
  return {
    of,
    take: (entry, { hub }, form) => {
      // What is custom or restored is another than it is stored as; what is large is read in steps.
      if (hub.custom || hub.declaration.restore || entry.value.length > LARGE || viewsOf(entry).has(hub)) return;
      viewsOf(entry).set(hub, viewOf(deepFreeze(withRevision(form, String(entry.revision)))));
    },
    has: (entry, resource) => conversions.has(entry, resource),
    ready: (entries, resource) => {
      if (resource.custom?.remote) return conversions.ready(entries, resource);
      const large = entries.filter((entry) => entry.value.length > LARGE && !viewsOf(entry).has(resource));
      return large.length > 0 ? inTurns(makeAll(large, resource)) : undefined;
    },
    written: (entries, resource) => {
      const large = entries.filter((entry) => entry.value.length > LARGE);
      return large.length > 0 ? inTurns(writeAll(large.map((entry) => of(entry, resource)))) : undefined;
    },
    ofDeleted: (event, resource) => {
      const { previous, revision } = event;
      // The last state has been shown already, or converted by a webhook that is not asked again: only the revision is new.
      const seen = previous && (resource.custom?.remote ? of(previous, resource) : viewsOf(previous).get(resource));
      if (!seen) return at(event, previous?.value ?? '{}', revision, resource);
      const view =
        viewsOf(event).get(resource) ?? viewOf(shownOf(resource, withRevision(seen.object, String(revision))));
      viewsOf(event).set(resource, view);
      return view;
    },
    fresh: viewOf,
  };
}

/** What takes longer to read or write than others should wait for. */
const LARGE = 64 * 1024;

function* writeAll(views: readonly View[]): Steps<void> {
  for (const view of views) {
    if (view.isWritten()) continue;
    view.json();
    yield;
  }
}

/** Views that a webhook makes: those that are there, and those that are on their way. */
class Conversions {
  readonly #viewsOf: (owner: object) => Map<Resource, View>;
  readonly #underWay = new WeakMap<Entry, Map<Resource, Promise<void>>>();

  constructor(viewsOf: (owner: object) => Map<Resource, View>) {
    this.#viewsOf = viewsOf;
  }

  has(entry: Entry, resource: Resource): boolean {
    if (!resource.custom?.remote || this.#viewsOf(entry).has(resource)) return true;
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
    const shown = viewOf(shownOf(resource, withRevision(object, String(entry.revision))));
    this.#viewsOf(entry).set(resource, shown);
  }
}

/** The keys of custom objects are sorted, at every level, as in the reference. */
export const inOrder = ({ custom }: Resource, object: ApiObject): ApiObject =>
  custom ? (sortKeys(object) as ApiObject) : object;

/** An object as it is shown. */
const shownOf = (resource: Resource, object: ApiObject): ApiObject => deepFreeze(inOrder(resource, object));

function viewOf(object: ApiObject): View {
  let text: string | undefined;
  return {
    object,
    json: () => (text ??= JSON.stringify(object)),
    isWritten: () => text !== undefined,
    cache: new Map(),
  };
}

/** Reads what `storedText` wrote; only our own texts come here. */
function parseStored(text: string): ApiObject {
  const value: unknown = JSON.parse(text);
  return (isObject(value) ? value : {}) as ApiObject;
}

/** Other servers of the same storage, such as the reference, may write another version of a kind than is written here. */
function inHubVersion(scheme: Scheme, hub: Resource, stored: ApiObject): ApiObject {
  if (hub.custom || stored.apiVersion === undefined || stored.apiVersion === hub.apiVersion) return stored;
  const other = scheme.byKind({ ...groupVersionOf(stored.apiVersion), kind: hub.gvk.kind });
  if (!other || other.hub !== hub) return stored;
  return scheme.convert(scheme.decode(other.node, stored, 'stored') as ApiObject, other, hub);
}

/** A stored object as its resource has it now: the definition of a custom one may have changed since. May change `stored`. */
export function restored({ custom, declaration }: Resource, stored: ApiObject): ApiObject {
  if (custom) return custom.fromStored(stored);
  declaration.restore?.(stored);
  return stored;
}

/** The text under which an object is stored: everything but the revision, which is the entry's own. */
export function storedText(object: ApiObject): string {
  return JSON.stringify(withRevision(object, ''));
}

const BEFORE_REVISION = ['name', 'generateName', 'namespace', 'selfLink', 'uid'] as const;

/** A shallow copy whose metadata carries `revision` (none when empty), at the place where the field belongs. */
export function withRevision(object: ApiObject, revision: string): ApiObject {
  const { resourceVersion: _, ...rest } = object.metadata ?? {};
  const metadata: Record<string, unknown> = {};
  for (const name of BEFORE_REVISION) if (rest[name] !== undefined) metadata[name] = rest[name];
  if (revision !== '') metadata['resourceVersion'] = revision;
  return { ...object, metadata: Object.assign(metadata, rest) as ObjectMeta };
}
