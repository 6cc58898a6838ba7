import { apiVersionOf, identityOf, type DiscoveredResource } from '../../client/index.ts';
import { isReason, type ApiObject, type OwnerReference } from '../../schema/index.ts';
import type { Waking } from '../../trace/index.ts';
import { wakingBy, type ControllerContext, type Loop } from '../runtime/index.ts';
import { blocking, FOREGROUND, Graph, ORPHAN, type GraphNode, type Identity } from './graph.ts';
import type { AnyObjects } from './objects.ts';
import { judge, waitsForDependents, type Owners, type Verdict } from './verdict.ts';

/** Performs what the graph finds: deletes objects without owners, and releases orphans. */
export class Collector {
  readonly graph: Graph;
  readonly #context: ControllerContext;
  readonly #objects: AnyObjects;
  readonly #examined: Loop;
  readonly #orphaned: Loop;
  /** The change that is being processed. */
  #waking: (() => Waking) | undefined;

  constructor(context: ControllerContext, objects: AnyObjects, ready: () => Promise<void>) {
    const workers = context.flags.number('concurrent-gc-syncs');
    this.#context = context;
    this.#objects = objects;
    this.#examined = context.loop({ workers, reconcile: (uid) => ready().then(() => this.#examine(uid)) });
    this.#orphaned = context.loop({
      workers,
      name: 'garbagecollector/orphan',
      reconcile: (uid) => ready().then(() => this.#orphan(uid)),
    });
    this.graph = new Graph({
      examine: (uid) => this.#examined.add(uid, this.#waking),
      examineLater: (uid) => this.#examined.addRateLimited(uid),
      orphan: (uid) => this.#orphaned.add(uid, this.#waking),
      invalidOwner: (node, owner) => this.#reportInvalid(node, owner),
    });
  }

  /** Processes a change of an object in the graph; the resulting work has it as its cause. */
  take(object: ApiObject, what: 'added' | 'changed' | 'deleted', change: () => void): void {
    this.#waking = () => wakingBy(object, what);
    change();
    this.#waking = undefined;
  }

  /** The identity of an object of this resource in the graph. */
  identify(resource: DiscoveredResource, object: ApiObject): Identity {
    const apiVersion = apiVersionOf(resource, this.#context.names);
    return { apiVersion, kind: resource.kind, ...identityOf(object) };
  }

  async #examine(uid: string): Promise<void> {
    const node = this.graph.get(uid);
    // An object that is being deleted needs no deletion; its dependents are checked after it.
    if (!node || (node.beingDeleted && !node.deletingDependents)) return;
    const { identity } = node;
    const latest = await this.#objects.get(identity);
    if (!latest) return this.graph.removeUnseen(identity);
    if (node.deletingDependents) return this.#waitForDependents(node);
    const owners = await this.#classify(identity, latest.metadata.ownerReferences ?? []);
    if (owners) await this.#carryOut(node, judge(node, latest, owners), latest);
    // An object that was created and deleted while its watch was reconnecting would stay in the graph for ever.
    if (node.virtual) this.#examined.addRateLimited(uid);
  }

  async #waitForDependents(node: GraphNode): Promise<void> {
    const dependents = blocking(node);
    if (dependents.length === 0) {
      await this.#objects.removeFinalizer(node.identity, FOREGROUND);
      return;
    }
    this.#trace(node.identity, 'waiting', `for ${dependents.length} dependents to be deleted`);
    for (const dependent of dependents) if (!dependent.deletingDependents) this.#examined.add(dependent.identity.uid);
  }

  /** Undefined if a reference can't be resolved: from a cluster-scoped object to a namespaced one. */
  async #classify(identity: Identity, references: readonly OwnerReference[]): Promise<Owners | undefined> {
    const owners = { solid: [] as OwnerReference[], dangling: [] as OwnerReference[], waiting: [] as OwnerReference[] };
    for (const reference of references) {
      const owner = await this.#findOwner(identity, reference);
      if (owner === 'unreachable') return undefined;
      if (owner === undefined) owners.dangling.push(reference);
      else (waitsForDependents(owner) ? owners.waiting : owners.solid).push(reference);
    }
    return owners;
  }

  async #findOwner(dependent: Identity, reference: OwnerReference): Promise<ApiObject | 'unreachable' | undefined> {
    const { apiVersion, kind, name, uid } = reference;
    const anywhere = { apiVersion, kind, name, uid, namespace: '' };
    const beside = { ...anywhere, namespace: dependent.namespace };
    const isAbsent = this.graph.isAbsent(anywhere) || this.graph.isAbsent(beside);
    if (isAbsent && dependent.namespace !== '') return undefined;
    const { namespaced } = await this.#objects.resourceOf(apiVersion, kind);
    if (namespaced && dependent.namespace === '') return 'unreachable';
    if (isAbsent) return undefined;
    const place = namespaced ? beside : anywhere;
    const owner = await this.#objects.get(place);
    if (!owner) {
      this.graph.markAbsent(place);
      this.#trace(dependent, 'absent-owner', `${kind} ${name} is not there`);
    }
    return owner;
  }

  async #carryOut(node: GraphNode, verdict: Verdict, latest: ApiObject): Promise<void> {
    const { identity } = node;
    if (verdict.do === 'keep' || (latest.metadata.ownerReferences ?? []).length === 0) return;
    if (verdict.do === 'disown') {
      this.#trace(identity, 'orphaned', 'it has other owners than those that are gone');
      return this.#objects.disown(identity, verdict.owners);
    }
    if (verdict.unblock) await this.#objects.unblock(identity);
    this.#trace(identity, 'deleted', verdict.why);
    try {
      await this.#objects.delete(identity, verdict.policy);
    } catch (problem) {
      // Deleted, or replaced by an object of the same name: the watch will report it.
      if (!isReason(problem, 'NotFound') && !isReason(problem, 'Conflict')) throw problem;
    }
  }

  async #orphan(uid: string): Promise<void> {
    const owner = this.graph.get(uid);
    if (!owner) return;
    await Promise.all(Array.from(owner.dependents, (dependent) => this.#letGo(dependent.identity, uid)));
    await this.#objects.removeFinalizer(owner.identity, ORPHAN);
  }

  #letGo(dependent: Identity, owner: string): Promise<void> {
    this.#trace(dependent, 'orphaned', 'its owner is deleted without its dependents');
    return this.#objects.disown(dependent, [owner]);
  }

  #reportInvalid(node: GraphNode, owner: OwnerReference): void {
    const { apiVersion, kind, ...metadata } = node.identity;
    const owned = `ownerRef [${owner.apiVersion}/${owner.kind}, namespace: ${metadata.namespace}, name: ${owner.name}, uid: ${owner.uid}]`;
    const message = `${owned} does not exist in namespace ${JSON.stringify(metadata.namespace)}`;
    this.#context.recorder.record({ apiVersion, kind, metadata }, 'Warning', 'OwnerRefInvalidNamespace', message);
  }

  #trace(
    { kind, namespace, name }: Identity,
    what: 'orphaned' | 'deleted' | 'waiting' | 'absent-owner',
    why: string,
  ): void {
    if (!this.#context.tracer.wants('gc')) return;
    this.#context.tracer.emit({
      topic: 'gc',
      object: `${kind} ${namespace === '' ? name : `${namespace}/${name}`}`,
      what,
      why,
    });
  }
}
