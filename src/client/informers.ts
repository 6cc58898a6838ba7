import type { Clock, Random } from '../std/index.ts';
import type { ApiObject } from '../schema/index.ts';
import type { Client, Selection } from './client.ts';
import { Informer } from './informer.ts';
import { pathOf, type ResourceRef } from './resources.ts';

export interface InformersOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random?: Random;
  readonly onProblem?: (problem: unknown, resource: string) => void;
}

/** The state of a cache, for inspection. */
export interface InformerView {
  /** The path of its lists and watches. */
  readonly path: string;
  readonly synced: boolean;
  /** The newest revision that it has received. */
  readonly revision: string;
  readonly objects: number;
}

/** Without a selection the name is the path alone. */
const nameOfKey = (key: string): string => key.replace(/\?+$/, '');

/** Shares one informer per resource and selection. */
export class Informers {
  readonly #options: InformersOptions;
  readonly #informers = new Map<string, Informer>();
  readonly #metadata = new Map<string, Informer>();
  #started = false;
  /** While set, it collects the paths of all requested informers. */
  asking: Set<string> | undefined;

  constructor(options: InformersOptions) {
    this.#options = options;
  }

  /** The informer of a resource; it starts immediately if the others have started. */
  of<T extends ApiObject>(ref: ResourceRef<T>, selection: Selection = {}): Informer<T> {
    const key = this.#key(ref, selection);
    // The key identifies the resource, and with it the type of its objects.
    const informer: unknown = this.#obtain(this.#informers, key, ref, () => this.#make(ref, selection));
    return informer as Informer<T>;
  }

  /** An informer with at least the metadata: the full one if it exists. */
  metadataOf(ref: ResourceRef): Informer {
    const key = this.#key(ref, {});
    const full = this.#informers.get(key);
    if (full) this.asking?.add(nameOfKey(key));
    return full ?? this.#obtain(this.#metadata, key, ref, () => this.#make(ref, {}, true));
  }

  /** Stops the metadata informer of a resource that is no longer served. */
  dropMetadataOf(ref: ResourceRef): void {
    const key = this.#key(ref, {});
    this.#metadata.get(key)?.stop();
    this.#metadata.delete(key);
  }

  start(): void {
    this.#started = true;
    for (const informer of this.#all()) informer.start();
  }

  async synced(): Promise<void> {
    await Promise.all(Array.from(this.#informers.values(), (informer) => informer.synced));
  }

  view(): readonly InformerView[] {
    const of = ([path, informer]: [string, Informer]): InformerView => ({
      path: nameOfKey(path),
      synced: informer.hasSynced,
      revision: informer.revision,
      objects: informer.size,
    });
    return [...this.#informers, ...this.#metadata].map(of);
  }

  stop(): void {
    for (const informer of this.#all()) informer.stop();
  }

  #all(): Informer[] {
    return [...this.#informers.values(), ...this.#metadata.values()];
  }

  #key(ref: ResourceRef, selection: Selection): string {
    const { labelSelector = '', fieldSelector = '', namespace } = selection;
    return [pathOf(ref, this.#options.client.names, namespace), labelSelector, fieldSelector].join('?');
  }

  #obtain(known: Map<string, Informer>, key: string, ref: ResourceRef, make: () => Informer): Informer {
    this.asking?.add(nameOfKey(key));
    const found = known.get(key);
    if (found) return found;
    const informer = make();
    // Nearly every loop looks up objects by namespace.
    if (ref.namespaced) informer.addIndex('namespace', (object) => [object.metadata.namespace ?? '']);
    known.set(key, informer);
    if (this.#started) informer.start();
    return informer;
  }

  #make(ref: ResourceRef, selection: Selection, metadataOnly = false): Informer {
    const { client, clock, random, onProblem } = this.#options;
    const resource = metadataOnly ? client.metadataOf(ref) : client.of(ref);
    return new Informer({
      resource,
      clock,
      selection,
      ...(random ? { random } : {}),
      ...(onProblem ? { onProblem: (problem: unknown) => onProblem(problem, ref.resource) } : {}),
    });
  }
}
