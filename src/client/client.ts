import type { Names } from '../names/index.ts';
import { Part, WholeResponse, type Gathered, type StopSignal } from '../std/index.ts';
import type { ApiObject } from '../schema/index.ts';
import { requestJson, request, type Query, type RequestOptions } from './request.ts';
import { apiVersionOf, pathOf, type Draft, type ResourceRef } from './resources.ts';
import type { Transport } from './types.ts';
import type { Connected } from './connect.ts';

/** Identifies an object; an object itself is a valid target. */
export interface Target {
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}

export interface Selection {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

export interface ListOptions extends Selection {
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
}

export interface WatchOptions extends Selection {
  readonly resourceVersion?: string;
  readonly bookmarks?: boolean;
  readonly timeoutSeconds?: number;
  readonly signal?: StopSignal;
}

export interface List<T> {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly T[];
}

export interface WriteOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly subresource?: string;
}

export interface PatchOptions extends WriteOptions {
  readonly force?: boolean;
  /** Its sort, if a server may answer it together with others. */
  readonly gathered?: Gathered;
}

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground';
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: boolean;
}

const PATCH_TYPES: Readonly<Record<PatchType, string>> = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

export interface ClientOptions {
  readonly transport: Transport;
  readonly names: Names;
  /** The client program; its first word becomes the field manager of its writes. */
  readonly userAgent?: string;
}

/** Loaded on demand, because few clients connect to containers. */
export const connecting = new Part(() => import('./connect.ts'));

/** A client of one API server with one identity. Every method rejects with a StatusError if the server refuses. */
export class Client {
  readonly names: Names;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.names = options.names;
    this.#options = options;
  }

  /** The operations on one resource. */
  of<T extends ApiObject>(ref: ResourceRef<T>): ResourceClient<T> {
    return new ResourceClient(this, ref);
  }

  /** The same operations for objects reduced to their metadata. */
  metadataOf(ref: ResourceRef): ResourceClient<ApiObject> {
    return new ResourceClient(this, ref, true);
  }

  /** A request by path, for paths that are not resources: discovery, versions, reviews. */
  json(path: string, options: RequestOptions = {}): Promise<unknown> {
    return requestJson(this.#options.transport, path, this.#complete(options));
  }

  /** Like `json`, for answers that are read as a stream or as text. */
  raw(path: string, options: RequestOptions = {}): Promise<Response> {
    return request(this.#options.transport, path, this.#complete(options));
  }

  /** Opens a connection with several streams (see `connect`), for exec, attach and portforward. */
  async connect(path: string, subprotocols: readonly string[], signal?: AbortSignal): Promise<Connected> {
    const { connect } = await connecting.load();
    return connect(this.#options.transport, path, subprotocols, this.#complete(signal ? { signal } : {}));
  }

  #complete<O extends RequestOptions>(options: O): O {
    const { userAgent } = this.#options;
    return userAgent === undefined ? options : { ...options, userAgent };
  }
}

/** The standard operations on one resource type. */
export class ResourceClient<T extends ApiObject> {
  readonly ref: ResourceRef<T>;
  readonly #client: Client;
  readonly #metadataOnly: boolean;

  constructor(client: Client, ref: ResourceRef<T>, metadataOnly = false) {
    this.#client = client;
    this.#metadataOnly = metadataOnly;
    this.ref = ref;
  }

  get(name: string, namespace?: string, subresource?: string): Promise<T> {
    return this.#json(this.#path(namespace, name, subresource), this.#accept());
  }

  async list(options: ListOptions = {}): Promise<List<T>> {
    const { namespace, ...query } = options;
    const response = await this.#client.raw(this.#path(namespace), {
      query,
      ...this.#accept('PartialObjectMetadataList'),
    });
    // In one process with the server the list's objects are available directly, complete and shared by all readers.
    if (response instanceof WholeResponse && response.shared && 'list' in response.shared)
      return response.shared.list as List<T>;
    const list = (await response.json()) as List<T>;
    const kind = list.kind.replace(/List$/, '');
    // An empty list may be null.
    const items = list.items ?? [];
    // Items of a typed list omit the kind and version of the list; caches and recorders need them on each item.
    for (const item of items) {
      item.apiVersion ??= list.apiVersion;
      item.kind ??= kind;
    }
    return { ...list, items };
  }

  /** Opens a watch, to be read by `readWatch` or `follow`. It ends when the server closes it or `signal` aborts. */
  watch({ namespace, bookmarks, signal, ...rest }: WatchOptions = {}): Promise<Response> {
    const query: Query = { watch: true, ...(bookmarks ? { allowWatchBookmarks: true } : {}), ...rest };
    return this.#client.raw(this.#path(namespace), { query, ...this.#accept(), ...(signal ? { signal } : {}) });
  }

  create(object: Draft<T>, options: WriteOptions & { readonly namespace?: string } = {}): Promise<T> {
    const namespace = options.namespace ?? object.metadata?.namespace;
    const body = this.#bodyOf(object);
    return this.#json(this.#path(namespace), { method: 'POST', body, query: writeQuery(options) });
  }

  /** Creates an object whose answer nobody needs. It may be sent after other requests, and together with others like it. */
  async record(object: Draft<T>): Promise<void> {
    const body = this.#bodyOf(object);
    await this.#client.raw(this.#path(object.metadata?.namespace), { method: 'POST', body, gathered: 'events' });
  }

  update(object: T, options: WriteOptions = {}): Promise<T> {
    const body = {
      ...object,
      apiVersion: object.apiVersion ?? apiVersionOf(this.ref, this.#client.names),
      kind: object.kind ?? this.ref.kind,
    };
    return this.#json(this.#pathTo(object, options.subresource), { method: 'PUT', body, query: writeQuery(options) });
  }

  updateStatus(object: T, options: WriteOptions = {}): Promise<T> {
    return this.update(object, { ...options, subresource: 'status' });
  }

  patch(target: Target, type: PatchType, body: unknown, options: PatchOptions = {}): Promise<T> {
    const query = { ...writeQuery(options), force: options.force };
    return this.#json(this.#pathTo(target, options.subresource), {
      method: 'PATCH',
      body,
      query,
      contentType: PATCH_TYPES[type],
      gathered: options.gathered,
    });
  }

  /** Returns the object if finalizers or a grace period keep it, or a Status if it is deleted. */
  delete(target: Target, options: DeleteOptions = {}): Promise<ApiObject> {
    return this.#json(this.#pathTo(target), { method: 'DELETE', body: deleteBody(options) });
  }

  /** Does not read the list of what was deleted. */
  async deleteCollection(selection: Selection = {}, options: DeleteOptions = {}): Promise<void> {
    const { namespace, ...query } = selection;
    const response = await this.#client.raw(this.#path(namespace), {
      method: 'DELETE',
      body: deleteBody(options),
      query,
    });
    if (!(response instanceof WholeResponse)) await response.body?.cancel();
  }

  /** POST to a subresource: binding, eviction, token. */
  post<R = ApiObject>(target: Target, subresource: string, body: unknown, gathered?: Gathered): Promise<R> {
    return this.#json(this.#pathTo(target, subresource), { method: 'POST', body, gathered });
  }

  #bodyOf(object: Draft<T>): unknown {
    return { apiVersion: apiVersionOf(this.ref, this.#client.names), kind: this.ref.kind, ...object };
  }

  #path(namespace = '', name = '', subresource = ''): string {
    return pathOf(this.ref, this.#client.names, namespace, name, subresource);
  }

  #pathTo(target: Target, subresource = ''): string {
    return this.#path(target.metadata.namespace, target.metadata.name, subresource);
  }

  #accept(kind = 'PartialObjectMetadata'): Pick<RequestOptions, 'accept'> {
    if (!this.#metadataOnly) return {};
    return { accept: `application/json;as=${kind};g=meta.${this.#client.names.domain};v=v1` };
  }

  // The server's answer is trusted to have the type of the request, as in generated clients.
  #json<R = T>(path: string, options?: RequestOptions): Promise<R> {
    return this.#client.json(path, options) as Promise<R>;
  }
}

function writeQuery(options: WriteOptions): Query {
  return {
    ...(options.dryRun ? { dryRun: 'All' } : {}),
    ...(options.fieldManager ? { fieldManager: options.fieldManager } : {}),
  };
}

function deleteBody(options: DeleteOptions): unknown {
  const { dryRun, ...rest } = options;
  return { apiVersion: 'v1', kind: 'DeleteOptions', ...rest, ...(dryRun ? { dryRun: ['All'] } : {}) };
}
