import {
  configMaps,
  Informer,
  secrets,
  type Client,
  type ConfigMap,
  type ResourceRef,
  type Secret,
} from '../../client/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import type { Clock, Random } from '../../std/index.ts';

interface Watched<T extends ApiObject> {
  readonly informer: Informer<T>;
  readonly listeners: Set<() => void>;
}

export interface CacheOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly onProblem: (problem: unknown) => void;
}

/** The config maps and secrets that a node's pods refer to. Each is watched once, while a pod needs it. */
export class ObjectCache {
  readonly configMaps: Cache<ConfigMap>;
  readonly secrets: Cache<Secret>;

  constructor(options: CacheOptions) {
    this.configMaps = new Cache(configMaps, options);
    this.secrets = new Cache(secrets, options);
  }

  stop(): void {
    this.configMaps.stop();
    this.secrets.stop();
  }
}

/** Objects of one kind by namespace and name. */
export class Cache<T extends ApiObject> {
  readonly #ref: ResourceRef<T>;
  readonly #options: CacheOptions;
  readonly #watched = new Map<string, Watched<T>>();

  constructor(ref: ResourceRef<T>, options: CacheOptions) {
    this.#ref = ref;
    this.#options = options;
  }

  /** Calls `changed` for every change of an object until the returned function is called. */
  watch(namespace: string, name: string, changed: () => void): () => void {
    const key = `${namespace}/${name}`;
    const found = this.#watched.get(key) ?? this.#begin(namespace, name);
    this.#watched.set(key, found);
    found.listeners.add(changed);
    return () => {
      found.listeners.delete(changed);
      if (found.listeners.size > 0) return;
      found.informer.stop();
      this.#watched.delete(key);
    };
  }

  /** The current object; undefined if it does not exist. Only for watched objects. */
  async get(namespace: string, name: string): Promise<T | undefined> {
    const watched = this.#watched.get(`${namespace}/${name}`);
    await watched?.informer.synced;
    return watched?.informer.list()[0];
  }

  stop(): void {
    for (const { informer } of this.#watched.values()) informer.stop();
    this.#watched.clear();
  }

  #begin(namespace: string, name: string): Watched<T> {
    const { client, clock, random, onProblem } = this.#options;
    const listeners = new Set<() => void>();
    const notify = (): void => {
      for (const listener of [...listeners]) listener();
    };
    const selection = { namespace, fieldSelector: `metadata.name=${name}` };
    const informer = new Informer<T>({ resource: client.of(this.#ref), clock, random, selection, onProblem });
    informer.on({ added: notify, changed: notify, deleted: notify });
    informer.start();
    return { informer, listeners };
  }
}
