import type { Transport, WatchEvent } from '../../src/client/index.ts';
import { apiVersionOf, keyOf, pathOf, type ResourceRef } from '../../src/client/index.ts';
import { mergePatch } from '../../src/merge/index.ts';
import type { Names } from '../../src/names/index.ts';
import type { ApiObject } from '../../src/schema/index.ts';
import { isObject, rfc3339, type Clock } from '../../src/std/index.ts';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read any field of any kind, and fail where it isn't
export type Loose = any;

/** A write that the server got. `path` begins with the resource, without group and version. */
export interface Write {
  readonly method: string;
  readonly path: string;
  readonly body: Loose;
}

/** How the server answers some writes. */
interface Refusal {
  readonly method: string;
  readonly path: RegExp;
  readonly code: number;
  readonly reason: string;
  times: number;
}

interface Place {
  readonly base: string;
  readonly namespace: string;
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
}

interface Past {
  readonly place: Place;
  readonly event: WatchEvent;
}

interface OpenWatch {
  readonly place: Place;
  readonly selects: (object: ApiObject) => boolean;
  readonly send: (event: WatchEvent) => void;
}

const VERBS = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];
const SUBRESOURCES = ['status', 'finalize'];

/**
 * An API server without validation, defaults and authorization: it keeps what it gets, tells watches, and notes all
 * writes. Strategic patches are applied as merge patches in which conditions and owners are merged by their key.
 */
export class SmallServer {
  /** All writes but events. */
  readonly writes: Write[] = [];
  /** `TYPE REASON MESSAGE` of each event, with the key of its object. */
  readonly events: { readonly about: string; readonly text: string; readonly by: string }[] = [];
  readonly #names: Names;
  readonly #clock: Clock;
  readonly #objects = new Map<string, ApiObject>();
  readonly #watches = new Set<OpenWatch>();
  readonly #history: Past[] = [];
  readonly #refusals: Refusal[] = [];
  /** By group and version, then by name. */
  readonly #served = new Map<string, Map<string, Loose>>();
  readonly #answers: { readonly path: RegExp; readonly of: (body: Loose) => Loose }[] = [];
  readonly #shown: { readonly path: RegExp; readonly of: (object: Loose) => Loose }[] = [];
  readonly #eventsByName = new Map<string, Loose>();
  #revision = 0;

  constructor(names: Names, clock: Clock) {
    this.#names = names;
    this.#clock = clock;
  }

  /**
   * Answers the next requests of that kind with an error, until they are allowed again by what is returned. The path of
   * a read is whole, that of a write begins with the resource.
   */
  refuse(method: string, path: RegExp, code: number, reason: string, times = Infinity): () => void {
    const refusal = { method, path, code, reason, times };
    this.#refusals.push(refusal);
    return () => (refusal.times = 0);
  }

  /** Answers creations at a path, which are not kept: reviews. */
  answer(path: RegExp, of: (body: Loose) => Loose): void {
    this.#answers.push({ path, of });
  }

  /** Shows another object to who reads one: what the caches have not seen yet. */
  show(path: RegExp, of: (object: Loose) => Loose): void {
    this.#shown.push({ path, of });
  }

  /** Lists a resource in discovery. Those of the objects that a test puts are there already. */
  serve(ref: ResourceRef, subresources: readonly string[] = []): void {
    const version = apiVersionOf(ref, this.#names);
    const resources = this.#served.get(version) ?? new Map<string, Loose>();
    this.#served.set(version, resources);
    for (const name of [ref.resource, ...subresources.map((each) => `${ref.resource}/${each}`)])
      resources.set(name, { name, singularName: '', namespaced: ref.namespaced, kind: ref.kind, verbs: VERBS });
  }

  /** No longer lists it. */
  unserve(ref: ResourceRef): void {
    this.#served.get(apiVersionOf(ref, this.#names))?.delete(ref.resource);
  }

  /** Creates or replaces an object as another client would. */
  put<T extends ApiObject>(ref: ResourceRef<T>, object: Loose): T {
    if (!this.#served.get(apiVersionOf(ref, this.#names))?.has(ref.resource)) this.serve(ref);
    const metadata = { creationTimestamp: rfc3339(this.#clock.now()), uid: `uid-${object.metadata.name}` };
    const whole = { apiVersion: apiVersionOf(ref, this.#names), kind: ref.kind, ...object };
    return this.#store(this.#pathOf(ref, object), { ...whole, metadata: { ...metadata, ...object.metadata } }) as T;
  }

  /** Changes fields of an object, as a merge patch of another client would. */
  change<T extends ApiObject>(ref: ResourceRef<T>, key: string, patch: Loose): T {
    const path = this.#pathTo(ref, key);
    return this.#store(path, mergePatch(this.#found(path), patch) as ApiObject) as T;
  }

  remove(ref: ResourceRef, key: string): void {
    this.#drop(this.#pathTo(ref, key));
  }

  get<T extends ApiObject>(ref: ResourceRef<T>, key: string): Loose {
    return this.#objects.get(this.#pathTo(ref, key));
  }

  #eventsIn(namespace: string): Loose[] {
    return [...this.#eventsByName.values()].filter((event) => event.metadata.namespace === namespace);
  }

  list(ref: ResourceRef): Loose[] {
    const base = pathOf(ref, this.#names);
    return [...this.#objects].filter(([path]) => collectionOf(placeOf(path)) === base).map(([, object]) => object);
  }

  readonly transport: Transport = async (path, init = {}) => {
    const url = new URL(path, 'http://server');
    const place = placeOf(url.pathname);
    const method = init.method ?? 'GET';
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Loose) : undefined;
    await Promise.resolve();
    if (method === 'GET')
      return this.#refusal(method, url.pathname) ?? this.#read(place, url, init.signal ?? undefined);
    const short = url.pathname.slice(place.base.length + 1);
    if (place.resource === 'events') return this.#event(method === 'POST' ? body.metadata.name : place.name, body);
    this.writes.push({ method, path: short, body });
    const refusal = this.#refusal(method, short);
    if (refusal) return refusal;
    const answer = this.#answers.find((each) => each.path.test(short));
    if (answer) return Response.json(answer.of(body), { status: 201 });
    const isStrategic = new Headers(init.headers).get('content-type')?.includes('strategic') ?? false;
    return this.#write(isStrategic ? 'STRATEGIC' : method, place, url.pathname, body);
  };

  #refusal(method: string, path: string): Response | undefined {
    const refusal = this.#refusals.find((each) => each.method === method && each.path.test(path) && each.times > 0);
    if (!refusal) return undefined;
    refusal.times -= 1;
    return status(refusal.code, refusal.reason);
  }

  #read(place: Place, url: URL, signal: AbortSignal | undefined): Response {
    if (place.resource === '') return this.#discovery(url.pathname);
    if (url.searchParams.get('watch') === 'true') return this.#watch(place, url, signal);
    if (place.resource === 'events') return Response.json({ kind: 'List', items: this.#eventsIn(place.namespace) });
    const path = url.pathname;
    if (place.name !== '') {
      const object = this.#objects.get(place.subresource === '' ? path : path.slice(0, path.lastIndexOf('/')));
      const shown: Loose = this.#shown.find((each) => each.path.test(path))?.of(object);
      if (shown) return Response.json(shown);
      if (!object) return status(404, 'NotFound');
      return Response.json(place.subresource === 'scale' ? scaleOf(object) : object);
    }
    const selects = selection(url);
    const items = [...this.#objects].filter(([each]) => isWithin(placeOf(each), place)).map(([, object]) => object);
    return Response.json({
      kind: 'List',
      metadata: { resourceVersion: String(this.#revision) },
      items: items.filter(selects),
    });
  }

  #discovery(path: string): Response {
    const versions = [...this.#served.keys()].filter((version) => version !== 'v1');
    const groups = [...new Set(versions.map((version) => version.split('/')[0]))].map((name) => {
      const own = versions.filter((version) => version.startsWith(`${name}/`));
      const listed = own.map((groupVersion) => ({ groupVersion, version: groupVersion.split('/')[1] }));
      return { name, versions: listed, preferredVersion: listed[0] };
    });
    if (path === '/apis') return Response.json({ kind: 'APIGroupList', groups });
    const resources = [...(this.#served.get(path.replace(/^\/apis?\//, ''))?.values() ?? [])];
    return Response.json({ kind: 'APIResourceList', resources });
  }

  #watch(place: Place, url: URL, signal: AbortSignal | undefined): Response {
    const from = Number(url.searchParams.get('resourceVersion'));
    const selects = selection(url);
    const missed = this.#history.filter(
      ({ place: each, event: { object } }) =>
        isWithin(each, place) && selects(object) && Number(object.metadata.resourceVersion) > from,
    );
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const send = (event: WatchEvent): void =>
          controller.enqueue(new TextEncoder().encode(`${JSON.stringify(event)}\n`));
        for (const { event } of missed) send(event);
        const watch = { place, selects, send };
        this.#watches.add(watch);
        signal?.addEventListener('abort', () => {
          this.#watches.delete(watch);
          controller.error(new DOMException('aborted', 'AbortError'));
        });
      },
    });
    return new Response(body);
  }

  #write(method: string, place: Place, path: string, body: Loose): Response {
    if (method === 'POST' && place.name === '') return this.#create(path, body);
    if (method === 'DELETE' && place.name === '') return this.#deleteAll(place, body);
    const target = place.subresource === '' ? path : path.slice(0, path.length - place.subresource.length - 1);
    const before = this.#objects.get(target);
    if (method === 'POST') return Response.json(body, { status: 201 });
    if (!before) return status(404, 'NotFound');
    if (method === 'DELETE') return this.#delete(target, before, body);
    const given = body.metadata?.resourceVersion as string | undefined;
    if (given && given !== before.metadata.resourceVersion) return status(409, 'Conflict');
    if (body.metadata?.uid && body.metadata.uid !== before.metadata.uid) return status(409, 'Conflict');
    const after = afterWrite(method, before, body);
    return Response.json(this.#store(target, replaced(before, after, place.subresource)));
  }

  #create(collection: string, body: Loose): Response {
    const name: string = body.metadata.name ?? `${body.metadata.generateName}${this.#revision + 1}`;
    const path = `${collection}/${name}`;
    if (this.#objects.has(path)) return status(409, 'AlreadyExists');
    const creationTimestamp = rfc3339(this.#clock.now());
    const namespace = placeOf(path).namespace;
    const metadata = {
      ...body.metadata,
      name,
      uid: this.#uidFor(path, name),
      creationTimestamp,
      ...(namespace && { namespace }),
    };
    return Response.json(this.#store(path, { status: statusOf(body.kind), ...body, metadata }), { status: 201 });
  }

  /** An object of the name of one that is gone is another. */
  #uidFor(path: string, name: string): string {
    const before = ({ place, event }: Past): boolean =>
      event.type === 'DELETED' && place.name === name && isWithin(place, placeOf(path));
    const count = this.#history.filter(before).length;
    return count === 0 ? `uid-${name}` : `uid-${name}-${count + 1}`;
  }

  #delete(path: string, before: ApiObject, options: Loose): Response {
    const { uid } = options?.preconditions ?? {};
    if (uid !== undefined && uid !== before.metadata.uid) return status(409, 'Conflict');
    if ((before.metadata.finalizers ?? []).length === 0) return Response.json(this.#drop(path));
    const deletionTimestamp = rfc3339(this.#clock.now());
    return Response.json(this.#store(path, { ...before, metadata: { ...before.metadata, deletionTimestamp } }));
  }

  #deleteAll(place: Place, options: Loose): Response {
    for (const [path, object] of [...this.#objects])
      if (isWithin(placeOf(path), place)) this.#delete(path, object, options);
    return Response.json({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' });
  }

  /** A repeated event is patched. */
  #event(name: string, patch: Loose): Response {
    const body = { ...this.#eventsByName.get(name), ...patch };
    this.#eventsByName.set(name, body);
    const regarding = body.involvedObject ?? body.regarding;
    const about = `${regarding?.kind} ${keyOf({ metadata: regarding ?? {} })}`;
    const text = [body.type, body.reason, body.message ?? body.note].join(' ');
    this.events.push({ about, text, by: body.source?.component ?? body.reportingController });
    return Response.json(body, { status: 201 });
  }

  #store(path: string, object: ApiObject): ApiObject {
    const type = this.#objects.has(path) ? 'MODIFIED' : 'ADDED';
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#revision) } };
    const { finalizers = [], deletionTimestamp } = stored.metadata;
    const before = this.#objects.get(path);
    // An object that was being deleted goes with its last finalizer.
    if (deletionTimestamp && (before?.metadata.finalizers ?? []).length > 0 && finalizers.length === 0)
      return this.#drop(path);
    this.#objects.set(path, stored);
    this.#tell(path, { type, object: stored });
    return stored;
  }

  #drop(path: string): ApiObject {
    const before = this.#found(path);
    this.#objects.delete(path);
    const metadata = { ...before.metadata, resourceVersion: String(++this.#revision) };
    this.#tell(path, { type: 'DELETED', object: { ...before, metadata } });
    return before;
  }

  #tell(path: string, event: WatchEvent): void {
    const place = placeOf(path);
    this.#history.push({ place, event });
    for (const watch of this.#watches)
      if (isWithin(place, watch.place) && watch.selects(event.object)) watch.send(event);
  }

  #found(path: string): ApiObject {
    const found = this.#objects.get(path);
    if (!found) throw new Error(`there is no ${path}`);
    return found;
  }

  #pathOf(ref: ResourceRef, object: Loose): string {
    return pathOf(ref, this.#names, object.metadata.namespace, object.metadata.name);
  }

  #pathTo(ref: ResourceRef, key: string): string {
    const [name = '', namespace = ''] = key.split('/').reverse();
    return pathOf(ref, this.#names, namespace, name);
  }
}

/** The status of a new object; the number of replicas is a required field. */
const statusOf = (kind: string): Loose => (kind === 'ReplicaSet' ? { replicas: 0 } : {});

function placeOf(path: string): Place {
  const found =
    /^(\/api\/v1|\/apis\/[^/]+\/[^/]+)(?:\/namespaces\/([^/]+)(?=\/.))?(?:\/([^/]+))?(?:\/([^/]+))?(?:\/(.+))?$/.exec(
      path,
    );
  const [, base = path, namespace = '', resource = '', name = '', subresource = ''] = found ?? [];
  if (namespace !== '' && SUBRESOURCES.includes(resource))
    return { base, namespace: '', resource: 'namespaces', name: namespace, subresource: resource };
  return { base, namespace, resource, name, subresource };
}

const collectionOf = ({ base, resource }: Place): string => `${base}/${resource}`;

const isWithin = (place: Place, wanted: Place): boolean =>
  collectionOf(place) === collectionOf(wanted) && (wanted.namespace === '' || place.namespace === wanted.namespace);

/** What a list or a watch is limited to by fields: `metadata.name=a`. */
function selection(url: URL): (object: Loose) => boolean {
  const wanted = (url.searchParams.get('fieldSelector') ?? '').split(',').filter(Boolean);
  const valueOf = (object: Loose, path: string): unknown =>
    path.split('.').reduce<Loose>((value, name) => value?.[name], object);
  return (object) => wanted.every((each) => valueOf(object, each.split('=')[0] ?? '') === each.split('=')[1]);
}

function status(code: number, reason: string): Response {
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: reason, reason, code };
  return Response.json(body, { status: code });
}

const scaleOf = (object: Loose): Loose => ({
  kind: 'Scale',
  apiVersion: 'autoscaling/v1',
  metadata: object.metadata,
  spec: { replicas: object.spec.replicas },
  status: { replicas: object.status?.replicas ?? 0, selector: object.status?.selector },
});

/** What a write of a subresource changes. */
function replaced(before: Loose, after: Loose, subresource: string): ApiObject {
  if (subresource === 'status') {
    const metadata = { ...after.metadata, labels: before.metadata.labels, uid: before.metadata.uid };
    return { ...before, metadata, status: after.status };
  }
  if (subresource === 'scale') return { ...before, spec: { ...before.spec, replicas: after.spec.replicas } };
  return { ...after, metadata: { ...after.metadata, uid: before.metadata.uid } };
}

const KEYS: Readonly<Record<string, string>> = { conditions: 'type', ownerReferences: 'uid' };

function afterWrite(method: string, before: Loose, body: Loose): Loose {
  if (method === 'PUT') return { ...body };
  const merged = mergePatch(before, body) as Loose;
  return method === 'PATCH' ? merged : withLists(before, body, merged);
}

/** Lists with a key are merged item by item. */
function withLists(before: Loose, patch: Loose, merged: Loose): Loose {
  if (!isObject(patch) || !isObject(merged)) return merged;
  const result: Record<string, unknown> = { ...merged };
  for (const [name, value] of Object.entries(patch)) {
    const key = KEYS[name];
    if (key && Array.isArray(value)) result[name] = mergedList(before?.[name] ?? [], value, key);
    else if (isObject(value)) result[name] = withLists(before?.[name], value, (merged as Loose)[name]);
  }
  return result;
}

function mergedList(before: readonly Loose[], changes: readonly Loose[], key: string): Loose[] {
  const all = new Map<unknown, Loose>(before.map((item) => [item[key], item]));
  for (const change of changes) {
    if (change.$patch === 'delete') all.delete(change[key]);
    else all.set(change[key], { ...all.get(change[key]), ...change });
  }
  return [...all.values()];
}
