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

/** Who needs an object. */
export interface Watcher {
  /** Called for every change of the object. */
  refresh(): void;
}

/** An object while somebody needs it. */
export interface Watched {
  /** The last one to leave ends the watch. */
  leave(watcher: Watcher): void;
}

interface Entry<T extends ApiObject> extends Watched {
  readonly informer: Informer<T>;
  readonly watchers: Set<Watcher>;
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
  readonly #watched = new Map<string, Entry<T>>();

  constructor(ref: ResourceRef<T>, options: CacheOptions) {
    this.#ref = ref;
    this.#options = options;
  }

  /** Watches an object for somebody until he leaves; twice is the same as once. */
  watch(namespace: string, name: string, watcher: Watcher): Watched {
    const found = this.#watched.get(`${namespace}/${name}`) ?? this.#begin(namespace, name);
    found.watchers.add(watcher);
    return found;
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

  #begin(namespace: string, name: string): Entry<T> {
    const { client, clock, random, onProblem } = this.#options;
    const watchers = new Set<Watcher>();
    const notify = (): void => {
      for (const watcher of [...watchers]) watcher.refresh();
    };
    const selection = { namespace, fieldSelector: `metadata.name=${name}` };
    const informer = new Informer<T>({ resource: client.of(this.#ref), clock, random, selection, onProblem });
    informer.on({ added: notify, changed: notify, deleted: notify });
    informer.start();
    const key = `${namespace}/${name}`;
    const leave = (watcher: Watcher): void => {
      watchers.delete(watcher);
      if (watchers.size > 0) return;
      informer.stop();
      if (this.#watched.get(key) === entry) this.#watched.delete(key);
    };
    const entry = { informer, watchers, leave };
    this.#watched.set(key, entry);
    return entry;
  }
}
