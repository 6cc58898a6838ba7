import type { ApiObject, OwnerReference } from '../../schema/index.ts';
import { deepEqual } from '../../std/index.ts';

/** The location and uid of an object. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly uid: string;
}

export interface GraphNode {
  identity: Identity;
  owners: readonly OwnerReference[];
  dependents: ReadonlySet<GraphNode>;
  /** Only known from the references of dependents; never observed. */
  virtual: boolean;
  beingDeleted: boolean;
  /** Being deleted, and waiting for its dependents. */
  deletingDependents: boolean;
}

/** Called when an object needs to be examined. */
export interface Findings {
  /** The object may have to be deleted. */
  readonly examine: (uid: string) => void;
  /** The same with a delay, because the last attempt has just failed. */
  readonly examineLater: (uid: string) => void;
  /** The object is being deleted, and its dependents are to be orphaned. */
  readonly orphan: (uid: string) => void;
  /** An object refers to an owner in another namespace. */
  readonly invalidOwner: (node: GraphNode, owner: OwnerReference) => void;
}

/** Most objects own nothing, and a set takes 150 bytes. */
const NO_DEPENDENTS: ReadonlySet<GraphNode> = new Set();

export const ORPHAN = 'orphan';
export const FOREGROUND = 'foregroundDeletion';

/** The maximum number of owners that are remembered as absent, so that their dependents need not look them up again. */
const MAX_ABSENT = 500;

/**
 * The ownership graph, as far as the watches have reported. An owner that was not observed yet is a virtual node until
 * it is observed or known to be absent.
 */
export class Graph {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #absent = new Set<string>();
  readonly #findings: Findings;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  isAbsent(identity: Identity): boolean {
    return this.#absent.has(coordinates(identity));
  }

  markAbsent(identity: Identity): void {
    this.#absent.add(coordinates(identity));
    const oldest = this.#absent.size > MAX_ABSENT ? this.#absent.values().next().value : undefined;
    if (oldest !== undefined) this.#absent.delete(oldest);
  }

  /** A watch reported the object. `old` is its previous state, if any. */
  observe(identity: Identity, object: ApiObject, old: ApiObject | undefined): void {
    const known = this.#nodes.get(identity.uid);
    if (known?.virtual) this.#becomeReal(known, identity);
    const owners = object.metadata.ownerReferences ?? [];
    const node = known ?? this.#insert(identity, object);
    if (known) this.#changeOwners(node, owners);
    if (isBeingDeleted(object)) node.beingDeleted = true;
    this.#transition(node, object, old);
  }

  /** A watch reported the deletion of the object. */
  remove(identity: Identity): void {
    const node = this.#nodes.get(identity.uid);
    if (node) this.#remove(node, identity);
  }

  /** The server answered that the object does not exist, although no watch reported its deletion. */
  removeUnseen(identity: Identity): void {
    const node = this.#nodes.get(identity.uid);
    if (!node) return;
    const [matching, others] = partition(node, identity);
    const isCertain = node.virtual ? others.length === 0 : sameIdentity(node.identity, identity);
    if (isCertain) return this.#remove(node, identity);
    // Its dependents refer to it in different places: only those that refer to this one are resolved.
    if (matching.length > 0) this.markAbsent(identity);
    for (const dependent of matching) this.#findings.examine(dependent.identity.uid);
    if (node.virtual && sameIdentity(node.identity, identity)) this.#lookElsewhere(node, others);
  }

  #becomeReal(node: GraphNode, identity: Identity): void {
    if (!sameIdentity(node.identity, identity)) {
      const [, mistaken] = partition(node, identity);
      for (const dependent of mistaken) this.#findings.examine(dependent.identity.uid);
      node.identity = identity;
    }
    node.virtual = false;
  }

  #insert(identity: Identity, object: ApiObject): GraphNode {
    const owners = object.metadata.ownerReferences ?? [];
    const beingDeleted = isBeingDeleted(object);
    const deletingDependents = beingDeleted && hasFinalizer(object, FOREGROUND);
    const node: GraphNode = {
      identity,
      owners,
      dependents: NO_DEPENDENTS,
      virtual: false,
      beingDeleted,
      deletingDependents,
    };
    this.#nodes.set(identity.uid, node);
    this.#link(node, owners);
    return node;
  }

  #changeOwners(node: GraphNode, owners: readonly OwnerReference[]): void {
    // Most changes leave them as they are, for instance each renewal of a node's lease.
    if (deepEqual(node.owners, owners)) return;
    const before = new Map(node.owners.map((owner) => [owner.uid, owner]));
    const after = new Map(owners.map((owner) => [owner.uid, owner]));
    for (const [uid, owner] of before) {
      // An owner that waits for its dependents may no longer be blocked by this one.
      if (owner.blockOwnerDeletion && !after.get(uid)?.blockOwnerDeletion && this.#nodes.has(uid))
        this.#findings.examine(uid);
    }
    node.owners = owners;
    this.#link(
      node,
      owners.filter((owner) => !before.has(owner.uid)),
    );
    for (const uid of before.keys()) if (!after.has(uid)) unlink(this.#nodes.get(uid), node);
  }

  #link(node: GraphNode, owners: readonly OwnerReference[]): void {
    let doubtful = false;
    for (const reference of owners) {
      const known = this.#nodes.get(reference.uid);
      const owner = known ?? this.#insertVirtual(reference, node.identity.namespace);
      link(owner, node);
      if (!known) this.#findings.examine(owner.identity.uid);
      else if (!doubtful) doubtful = this.#isDoubtful(node, reference, owner);
    }
    if (doubtful) this.#findings.examine(node.identity.uid);
  }

  #insertVirtual(reference: OwnerReference, namespace: string): GraphNode {
    const { apiVersion, kind, name, uid } = reference;
    const identity = { apiVersion, kind, name, uid, namespace };
    const node: GraphNode = {
      identity,
      owners: [],
      dependents: NO_DEPENDENTS,
      virtual: true,
      beingDeleted: false,
      deletingDependents: false,
    };
    this.#nodes.set(uid, node);
    return node;
  }

  /** Whether a reference may not mean the object with its uid. */
  #isDoubtful(node: GraphNode, reference: OwnerReference, owner: GraphNode): boolean {
    const elsewhere = owner.identity.namespace !== '' && owner.identity.namespace !== node.identity.namespace;
    if (elsewhere && !owner.virtual) this.#findings.invalidOwner(node, reference);
    return elsewhere || !refersTo(reference, owner.identity);
  }

  #transition(node: GraphNode, object: ApiObject, old: ApiObject | undefined): void {
    if (startsWith(ORPHAN, object, old)) return this.#findings.orphan(node.identity.uid);
    if (!startsWith(FOREGROUND, object, old)) return;
    node.deletingDependents = true;
    for (const dependent of node.dependents) this.#findings.examine(dependent.identity.uid);
    this.#findings.examine(node.identity.uid);
  }

  #remove(node: GraphNode, identity: Identity): void {
    this.#nodes.delete(node.identity.uid);
    for (const owner of node.owners) unlink(this.#nodes.get(owner.uid), node);
    if (node.dependents.size > 0) this.markAbsent(identity);
    for (const dependent of node.dependents) this.#findings.examine(dependent.identity.uid);
    for (const owner of node.owners)
      if (this.#nodes.get(owner.uid)?.deletingDependents) this.#findings.examine(owner.uid);
  }

  /** Tries the next place to which a dependent's reference points. */
  #lookElsewhere(node: GraphNode, dependents: readonly GraphNode[]): void {
    for (const dependent of dependents) {
      const reference = dependent.owners.find((owner) => owner.uid === node.identity.uid);
      if (!reference) continue;
      const { apiVersion, kind, name, uid } = reference;
      node.identity = { apiVersion, kind, name, uid, namespace: dependent.identity.namespace };
      return this.#findings.examineLater(uid);
    }
  }
}

function link(owner: GraphNode, dependent: GraphNode): void {
  if (owner.dependents.size === 0) owner.dependents = new Set([dependent]);
  else (owner.dependents as Set<GraphNode>).add(dependent);
}

function unlink(owner: GraphNode | undefined, dependent: GraphNode): void {
  if (owner?.dependents.has(dependent)) (owner.dependents as Set<GraphNode>).delete(dependent);
}

/** The dependents whose references mean `identity`, and the others. */
function partition(node: GraphNode, identity: Identity): readonly [matching: GraphNode[], others: GraphNode[]] {
  const matching: GraphNode[] = [];
  const others: GraphNode[] = [];
  for (const dependent of node.dependents) {
    const here = identity.namespace === '' || identity.namespace === dependent.identity.namespace;
    const means = here && dependent.owners.some((owner) => refersTo(owner, identity));
    (means ? matching : others).push(dependent);
  }
  return [matching, others];
}

function refersTo(reference: OwnerReference, identity: Identity): boolean {
  const { apiVersion, kind, name, uid } = identity;
  return (
    reference.uid === uid && reference.name === name && reference.kind === kind && reference.apiVersion === apiVersion
  );
}

function coordinates({ apiVersion, kind, namespace, name, uid }: Identity): string {
  return JSON.stringify([apiVersion, kind, namespace, name, uid]);
}

function sameIdentity(a: Identity, b: Identity): boolean {
  return coordinates(a) === coordinates(b);
}

export function hasFinalizer(object: ApiObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

export function isBeingDeleted(object: ApiObject): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

/** Whether the deletion of the object has just started with this finalizer. */
function startsWith(finalizer: string, object: ApiObject, old: ApiObject | undefined): boolean {
  const waits = (o: ApiObject): boolean => isBeingDeleted(o) && hasFinalizer(o, finalizer);
  return waits(object) && !(old && waits(old));
}

/** Dependents that block the deletion of an owner. */
export function blocking(node: GraphNode): GraphNode[] {
  const { uid } = node.identity;
  return [...node.dependents].filter((d) => d.owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion));
}
