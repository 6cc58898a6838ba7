/**
 * Deletes the objects of deleted definitions, each definition independently, because a webhook may have to convert the
 * objects.
 */
import type { Resource } from '../../schema/index.ts';
import { deepEqual, inBackground, throwToHost, type Timer } from '../../std/index.ts';
import type { Watch } from '../../storage/index.ts';
import { collectionRange } from '../registry/keys.ts';
import type { Definition } from './definition.ts';
import { createLoop, type Loop } from './loop.ts';
import { ask, type LoopServer } from './request.ts';

/** Milliseconds until a failed round is retried. */
const AGAIN_MS = 5_000;

/** A task that runs again whenever the definition or one of its objects changes, until it is stopped. */
export class Leaving {
  readonly #server: LoopServer;
  readonly #loop: Loop;
  /** The last observed state of the definition. */
  #seen: unknown;
  #watch: Watch | undefined;
  #timer: Timer | undefined;

  constructor(server: LoopServer, round: () => Promise<void>) {
    this.#server = server;
    this.#loop = createLoop(server.clock, round);
  }

  /** Runs again, unless only the status that a round itself writes has changed. */
  look({ spec, metadata, status }: Definition): void {
    const { resourceVersion: _revision, managedFields: _owners, ...rest } = metadata;
    const conditions = (status.conditions ?? []).filter(({ type }) => type !== 'Terminating');
    const seen = { spec, metadata: rest, conditions };
    if (deepEqual(seen, this.#seen)) return;
    this.#seen = seen;
    this.#loop.wake();
  }

  wakeLater(): void {
    const { clock } = this.#server;
    clock.clearTimeout(this.#timer);
    this.#timer = clock.setTimeout(() => this.#loop.wake(), AGAIN_MS, {
      what: 'API server: objects of a definition that goes are deleted',
    });
  }

  /** Runs again whenever one of these objects changes. */
  follow(resource: Resource): void {
    const { storage } = this.#server;
    this.#watch ??= storage.watch(
      { ...collectionRange(resource.hub, ''), from: storage.revision },
      () => this.#loop.wake(),
      () => undefined,
    );
  }

  /** It does not wait for the current round, because a webhook may never answer. */
  stop(): void {
    this.#watch?.close();
    this.#server.clock.clearTimeout(this.#timer);
    inBackground(this.#loop.stop(), throwToHost);
  }
}

/** The resource of a definition in its storage version, which needs no conversion if it is served. */
export function storingResource({ scheme }: LoopServer, { spec }: Definition): Resource | undefined {
  const served = (spec.versions ?? []).filter((version) => version.served);
  const version = served.find(({ storage }) => storage) ?? served[0];
  return version && scheme.byResource({ group: spec.group, version: version.name, resource: spec.names.plural });
}

/**
 * Deletes objects that are not being deleted yet; returns true once none is left. Rejects with a StatusError if they
 * can't be read.
 */
export async function deleteInstances(server: LoopServer, resource: Resource): Promise<boolean> {
  const { storage, views } = server;
  const range = collectionRange(resource.hub, '');
  const { entries } = storage.range(range);
  await views.ready(entries, resource);
  for (const entry of entries) {
    const { metadata } = views.of(entry, resource.hub).object;
    if (metadata.deletionTimestamp !== undefined) continue;
    const within = resource.namespaced ? `namespaces/${metadata.namespace ?? ''}/` : '';
    const name = encodeURIComponent(metadata.name ?? '');
    await ask(server, 'DELETE', `/apis/${resource.apiVersion}/${within}${resource.gvr.resource}/${name}`);
  }
  return storage.count(range.start, range.end) === 0;
}
