/**
 * CustomResourceDefinitions while the cluster runs: established ones are served, conflicting ones wait, and deleting
 * one deletes its objects.
 */
import { StatusError, type ApiObject, type Resource, type Scheme } from '../../schema/index.ts';
import { deepEqual, rfc3339 } from '../../std/index.ts';
import type { StorageEvent, Watch } from '../../storage/index.ts';
import { collectionRange } from '../registry/keys.ts';
import { isTrue, statusOf, withCondition } from './conditions.ts';
import type { Condition, Definition } from './definition.ts';
import { deleteInstances, Leaving, storingResource } from './leaving.ts';
import { definitionResource } from './definitionResource.ts';
import { createLoop, type Loop } from './loop.ts';
import { ask, type LoopServer } from './request.ts';

/** Returns the resources of a definition, one for each served version, valid until `retired` aborts. */
export type ResourcesOf = (names: Scheme['names'], definition: Definition, retired: AbortSignal) => readonly Resource[];

/** How long watches continue after their definition has changed, so that they deliver earlier events. */
const DRAIN_MS = 1_000;

export interface Definitions {
  stop(): Promise<void>;
}

/** Serves existing definitions and follows storage. `served` is called whenever the served resources change. */
export function startDefinitions(server: LoopServer, resourcesOf: ResourcesOf, served: () => void): Definitions {
  const follower = new Follower(server, resourcesOf, served);
  follower.start();
  return { stop: () => follower.stop() };
}

const cleanupFinalizer = 'customresourcecleanup.apiextensions.{domain}';

class Follower {
  readonly #server: LoopServer;
  readonly #resourcesOf: ResourcesOf;
  readonly #served: () => void;
  readonly #resource: Resource;
  readonly #definitions = new Map<string, Definition>();
  /** Definitions that wait until their objects are deleted. */
  readonly #leaving = new Map<string, Leaving>();
  /** Each aborts when its definition changes how objects are served. */
  readonly #lives = new Map<string, AbortController>();
  readonly #loop: Loop;
  #watch: Watch | undefined;

  constructor(server: LoopServer, resourcesOf: ResourcesOf, served: () => void) {
    this.#server = server;
    this.#resourcesOf = resourcesOf;
    this.#served = served;
    this.#resource = definitionResource(server);
    this.#loop = createLoop(server.clock, () => this.#settleAll());
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
    for (const leaving of this.#leaving.values()) leaving.stop();
    await this.#loop.stop();
  }

  /** Only decoded definitions are stored. */
  #decode(object: ApiObject): Definition {
    return object as Definition;
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
    const life = this.#lifeOf(definition, old);
    this.#server.scheme.addCustom(this.#resourcesOf(this.#server.names, definition, life));
    this.#served();
  }

  /** Deleting a definition changes the verbs of its objects, but not the objects. */
  #lifeOf(definition: Definition, old: Definition | undefined): AbortSignal {
    const name = nameOf(definition);
    if (!old || !showsTheSame(old, definition)) this.#endLife(name);
    const life = this.#lives.get(name) ?? new AbortController();
    this.#lives.set(name, life);
    return life.signal;
  }

  #endLife(name: string): void {
    const life = this.#lives.get(name);
    this.#lives.delete(name);
    if (life) this.#server.clock.setTimeout(() => life.abort(), DRAIN_MS);
  }

  #drop(definition: Definition): void {
    this.#definitions.delete(nameOf(definition));
    this.#leaving.get(nameOf(definition))?.stop();
    this.#leaving.delete(nameOf(definition));
    this.#unserve(definition);
  }

  #unserve(definition: Definition | undefined): void {
    if (!definition || !isTrue(definition, 'Established')) return;
    this.#endLife(nameOf(definition));
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
    if (definition.metadata.deletionTimestamp !== undefined) return this.#leave(definition);
    const group = [...this.#definitions.values()].filter((each) => each.spec.group === definition.spec.group);
    await this.#writeStatus(definition, statusOf(definition, group, rfc3339(clock.now()), names));
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

  /**
   * Deletes the objects, and removes the definition's finalizer once none is left. Definitions do not wait for each
   * other.
   */
  #leave(definition: Definition): void {
    const name = nameOf(definition);
    let leaving = this.#leaving.get(name);
    if (!leaving) {
      leaving = new Leaving(this.#server, () => this.#finalize(name));
      this.#leaving.set(name, leaving);
    }
    leaving.look(definition);
  }

  async #finalize(name: string): Promise<void> {
    const definition = this.#definitions.get(name);
    const finalizer = this.#server.names.fill(cleanupFinalizer);
    const finalizers = definition?.metadata.finalizers ?? [];
    if (!definition || !finalizers.includes(finalizer)) return;
    const started = await this.#terminating(definition, IN_PROGRESS);
    if (!started) return this.#leaving.get(name)?.wakeLater();
    const established = isTrue(started, 'Established');
    if (established && !(await this.#emptied(started))) return;
    const done = await this.#terminating(started, established ? COMPLETED : NEVER_ESTABLISHED);
    if (!done) return this.#leaving.get(name)?.wakeLater();
    const left = finalizers.filter((other) => other !== finalizer);
    const next = { ...done, metadata: { ...done.metadata, finalizers: left } };
    if (!(await ask(this.#server, 'PUT', this.#path(definition), next))) this.#leaving.get(name)?.wakeLater();
  }

  /** Whether no object is left. If deletion fails, the definition's status says why, and it is retried. */
  async #emptied(definition: Definition): Promise<boolean> {
    const leaving = this.#leaving.get(nameOf(definition));
    const resource = storingResource(this.#server, definition);
    if (!resource) return true;
    leaving?.follow(resource);
    try {
      return await deleteInstances(this.#server, resource);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const message = `could not list instances: ${error.message}`;
      await this.#terminating(definition, { status: 'True', reason: 'InstanceDeletionFailed', message });
      leaving?.wakeLater();
      return false;
    }
  }

  #terminating(definition: Definition, condition: Omit<Condition, 'type'>): Promise<Definition | undefined> {
    const now = rfc3339(this.#server.clock.now());
    const conditions = withCondition(definition.status.conditions ?? [], { type: 'Terminating', ...condition }, now);
    return this.#writeStatus(definition, { ...definition.status, conditions });
  }
}

const IN_PROGRESS = {
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};
const COMPLETED = { status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances' };
const NEVER_ESTABLISHED = { status: 'False', reason: 'NeverEstablished', message: 'it never had objects' };

const nameOf = (definition: Definition): string => definition.metadata.name ?? '';

/** Whether two states of a definition serve the same resources; the status changes more often than the spec. */
const servesTheSame = (a: Definition, b: Definition): boolean =>
  showsTheSame(a, b) && isTrue(a, 'Terminating') === isTrue(b, 'Terminating');

const showsTheSame = (a: Definition, b: Definition): boolean =>
  deepEqual(a.spec, b.spec) && deepEqual(a.status.acceptedNames, b.status.acceptedNames);
