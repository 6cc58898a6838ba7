/**
 * CustomResourceDefinitions while the cluster runs: what is established is served, what clashes waits, what is deleted
 * takes its objects along.
 */
import type { ApiObject, Resource, Scheme } from '../../schema/index.ts';
import { deepEqual, must, rfc3339 } from '../../std/index.ts';
import type { StorageEvent, Watch } from '../../storage/index.ts';
import type { Server } from '../context.ts';
import { collectionRange } from '../registry/keys.ts';
import { isTrue, statusOf, withCondition, type Condition, type Definition } from './conditions.ts';
import { createLoop } from './loop.ts';
import { ask } from './request.ts';

/** What a definition adds to the scheme, one resource for each version that it serves. */
export type ResourcesOf = (names: Scheme['names'], definition: Definition) => readonly Resource[];

export interface Definitions {
  stop(): Promise<void>;
}

/** Serves what is there, and follows storage from then on. `served` is called whenever what is served changed. */
export function startDefinitions(server: Server, resourcesOf: ResourcesOf, served: () => void): Definitions {
  const follower = new Follower(server, resourcesOf, served);
  follower.start();
  return { stop: () => follower.stop() };
}

export const cleanupFinalizer = 'customresourcecleanup.apiextensions.{domain}';

function definitionResource({ names, scheme }: Server): Resource {
  const group = names.fill('apiextensions.{domain}');
  return must(
    scheme.byResource({ group, version: 'v1', resource: 'customresourcedefinitions' }),
    'definitions are served',
  );
}

/** Whether any definition is stored. */
export function hasDefinitions(server: Server): boolean {
  const { start, end } = collectionRange(definitionResource(server), '');
  return server.storage.count(start, end) > 0;
}

class Follower {
  readonly #server: Server;
  readonly #resourcesOf: ResourcesOf;
  readonly #served: () => void;
  readonly #resource: Resource;
  readonly #definitions = new Map<string, Definition>();
  /** Watches of the objects of definitions that wait for them to go. */
  readonly #leaving = new Map<string, Watch>();
  readonly #loop = createLoop(() => this.#settleAll());
  #watch: Watch | undefined;

  constructor(server: Server, resourcesOf: ResourcesOf, served: () => void) {
    this.#server = server;
    this.#resourcesOf = resourcesOf;
    this.#served = served;
    this.#resource = definitionResource(server);
  }

  start(): void {
    const { storage } = this.#server;
    const range = collectionRange(this.#resource, '');
    const { entries, revision } = storage.range(range);
    for (const entry of entries) this.#set(this.#decode(this.#server.views.of(entry, this.#resource).object));
    this.#loop.wake();
    this.#watch = storage.watch(
      { ...range, from: revision },
      (events) => this.#follow(events),
      () => undefined,
    );
  }

  async stop(): Promise<void> {
    this.#watch?.close();
    for (const watch of this.#leaving.values()) watch.close();
    await this.#loop.stop();
  }

  /** Only decoded definitions are stored. */
  #decode(object: ApiObject): Definition {
    return object as unknown as Definition;
  }

  #follow(events: readonly StorageEvent[]): void {
    for (const { entry, previous } of events) {
      if (entry) this.#set(this.#decode(this.#server.views.of(entry, this.#resource).object));
      else if (previous) this.#drop(this.#decode(this.#server.views.of(previous, this.#resource).object));
    }
    this.#loop.wake();
  }

  #set(definition: Definition): void {
    const old = this.#definitions.get(nameOf(definition));
    this.#definitions.set(nameOf(definition), definition);
    if (!isTrue(definition, 'Established')) return this.#unserve(old);
    if (old && isTrue(old, 'Established') && servesTheSame(old, definition)) return;
    this.#server.scheme.addCustom(this.#resourcesOf(this.#server.names, definition));
    this.#served();
  }

  #drop(definition: Definition): void {
    this.#definitions.delete(nameOf(definition));
    this.#leaving.get(nameOf(definition))?.close();
    this.#leaving.delete(nameOf(definition));
    this.#unserve(definition);
  }

  #unserve(definition: Definition | undefined): void {
    if (!definition || !isTrue(definition, 'Established')) return;
    this.#server.scheme.removeCustom(definition.spec.group, definition.spec.names.plural);
    this.#served();
  }

  async #settleAll(): Promise<void> {
    for (const name of [...this.#definitions.keys()]) {
      const definition = this.#definitions.get(name);
      if (definition) await this.#settle(definition);
    }
  }

  async #settle(definition: Definition): Promise<void> {
    const { names, clock } = this.#server;
    if (definition.metadata.deletionTimestamp !== undefined) return this.#finalize(definition);
    const others = [...this.#definitions.values()].filter(
      (other) => other !== definition && other.spec.group === definition.spec.group,
    );
    await this.#writeStatus(definition, statusOf(definition, others, rfc3339(clock.now()), names));
  }

  async #writeStatus(definition: Definition, status: Definition['status']): Promise<Definition | undefined> {
    const next = this.#normalized({ ...definition, status });
    if (deepEqual(next.status, this.#normalized(definition).status)) return definition;
    const written = await ask(this.#server, 'PUT', `${this.#path(definition)}/status`, next);
    if (!written) return undefined;
    this.#set(this.#decode(written));
    return this.#decode(written);
  }

  #normalized(definition: Definition): Definition {
    return this.#decode(this.#server.scheme.decode(this.#resource.node, definition) as ApiObject);
  }

  #path(definition: Definition): string {
    return `/apis/${this.#resource.apiVersion}/customresourcedefinitions/${nameOf(definition)}`;
  }

  /** Deletes the objects; once none is left, lets the definition go. */
  async #finalize(definition: Definition): Promise<void> {
    const finalizer = this.#server.names.fill(cleanupFinalizer);
    const finalizers = definition.metadata.finalizers ?? [];
    if (!finalizers.includes(finalizer)) return;
    const started = await this.#terminating(definition, IN_PROGRESS);
    if (!started) return;
    const established = isTrue(started, 'Established');
    if (established && !(await this.#emptied(started))) return;
    const done = await this.#terminating(started, established ? COMPLETED : NEVER_ESTABLISHED);
    if (!done) return;
    const left = finalizers.filter((other) => other !== finalizer);
    await ask(this.#server, 'PUT', this.#path(definition), {
      ...done,
      metadata: { ...done.metadata, finalizers: left },
    });
  }

  #terminating(definition: Definition, condition: Omit<Condition, 'type'>): Promise<Definition | undefined> {
    const now = rfc3339(this.#server.clock.now());
    const conditions = withCondition(definition.status.conditions ?? [], { type: 'Terminating', ...condition }, now);
    return this.#writeStatus(definition, { ...definition.status, conditions });
  }

  /** Whether no object is left; asks those that are there to go, and looks again when one of them changes. */
  async #emptied(definition: Definition): Promise<boolean> {
    const { storage, scheme } = this.#server;
    const { group, names, versions } = definition.spec;
    const version = versions?.find(({ served }) => served)?.name ?? '';
    const resource = scheme.byResource({ group, version, resource: names.plural });
    if (!resource) return true;
    const range = collectionRange(resource.hub, '');
    const { entries } = storage.range(range);
    if (!this.#leaving.has(nameOf(definition))) {
      const watch = storage.watch(
        { ...range, from: storage.revision },
        () => this.#loop.wake(),
        () => undefined,
      );
      this.#leaving.set(nameOf(definition), watch);
    }
    for (const entry of entries) {
      const { metadata } = this.#server.views.of(entry, resource.hub).object;
      if (metadata.deletionTimestamp !== undefined) continue;
      const within = resource.namespaced ? `namespaces/${metadata.namespace ?? ''}/` : '';
      await ask(
        this.#server,
        'DELETE',
        `/apis/${resource.apiVersion}/${within}${names.plural}/${encodeURIComponent(metadata.name ?? '')}`,
      );
    }
    return storage.count(range.start, range.end) === 0;
  }
}

const IN_PROGRESS = { status: 'True', reason: 'InstanceDeletionInProgress', message: 'its objects are being deleted' };
const COMPLETED = { status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances' };
const NEVER_ESTABLISHED = { status: 'False', reason: 'NeverEstablished', message: 'it never had objects' };

const nameOf = (definition: Definition): string => definition.metadata.name ?? '';

/** Whether two states of a definition serve the same; its status changes more often than its spec. */
function servesTheSame(a: Definition, b: Definition): boolean {
  return (
    deepEqual(a.spec, b.spec) &&
    deepEqual(a.status.acceptedNames, b.status.acceptedNames) &&
    isTrue(a, 'Terminating') === isTrue(b, 'Terminating')
  );
}
