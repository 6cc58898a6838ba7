/**
 * How a stored entry looks: decoded once per version, serialized once per version and shared by every response and
 * watcher that needs it. Entries are immutable, so what is made of one is kept for as long as the entry lives.
 */
import type { ApiObject, ObjectMeta, Resource, Scheme } from '../../schema/index.ts';
import { deepFreeze, isObject } from '../../std/index.ts';
import type { Entry, StorageEvent } from '../../storage/index.ts';

/** One object in one version: frozen, with its JSON text made on first use. */
export interface View {
  readonly object: ApiObject;
  /** JSON without a line end. */
  readonly json: () => string;
  /** Kept by codecs for their own representations: Protobuf bytes, YAML text, a Table row. */
  readonly cache: Map<string, unknown>;
}

export interface Views {
  /** The entry as `resource` (any version of its kind) shows it. */
  of(entry: Entry, resource: Resource): View;
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
  const at = (owner: object, text: string, revision: number, resource: Resource): View => {
    const views = viewsOf(owner);
    let view = views.get(resource);
    if (!view) views.set(resource, (view = make(owner, text, revision, resource)));
    return view;
  };
  const make = (owner: object, text: string, revision: number, resource: Resource): View => {
    if (resource === resource.hub) return viewOf(deepFreeze(withRevision(restored(resource, text), String(revision))));
    const hub = at(owner, text, revision, resource.hub).object;
    return viewOf(deepFreeze(scheme.convert(hub, resource.hub, resource)));
  };
  return {
    of: (entry, resource) => at(entry, entry.value, entry.revision, resource),
    ofDeleted: (event, resource) => at(event, event.previous?.value ?? '{}', event.revision, resource),
    fresh: viewOf,
  };
}

function viewOf(object: ApiObject): View {
  let text: string | undefined;
  return { object, json: () => (text ??= JSON.stringify(object)), cache: new Map() };
}

/** Reads what `storedText` wrote; only our own texts come here. */
function parseStored(text: string): ApiObject {
  const value: unknown = JSON.parse(text);
  return (isObject(value) ? value : {}) as ApiObject;
}

/** A stored object as its resource has it now: the definition of a custom one may have changed since. */
function restored({ custom }: Resource, text: string): ApiObject {
  const stored = parseStored(text);
  return custom ? custom.fromStored(stored) : stored;
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
  return { ...object, metadata: Object.assign(metadata, rest) as unknown as ObjectMeta };
}
