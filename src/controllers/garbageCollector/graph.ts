import type { ApiObject, OwnerReference } from '../../schema/index.ts';

/** Where an object is to be found, and which one is meant. */
export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  /** Empty for objects without a namespace. */
  readonly namespace: string;
  readonly uid: string;
}

export interface GraphNode {
  identity: Identity;
  owners: readonly OwnerReference[];
  readonly dependents: Set<GraphNode>;
  /** Known only from what dependents say of their owner; never seen itself. */
  virtual: boolean;
  beingDeleted: boolean;
  /** Being deleted, and waiting for its dependents to go first. */
  deletingDependents: boolean;
}

/** What the graph finds that somebody has to look into. */
export interface Findings {
  /** Whether this object should go may have changed. */
  readonly examine: (uid: string) => void;
  /** The same, but not at once: the last look has only just failed. */
  readonly examineLater: (uid: string) => void;
  /** The object is being deleted, and its dependents are to live on without it. */
  readonly orphan: (uid: string) => void;
  /** An object names an owner in another namespace than its own. */
  readonly invalidOwner: (node: GraphNode, owner: OwnerReference) => void;
}

export const ORPHAN = 'orphan';
export const FOREGROUND = 'foregroundDeletion';

/** Owners that are known to be gone, so that each of their dependents need not ask again. */
const ABSENT_AT_MOST = 500;

/**
 * Who owns whom, as far as the watches have told. An owner that nobody has seen yet stands in the graph as a virtual
 * node until it is seen or known to be absent.
 */
export class Graph {
  readonly #nodes = new Map<string, GraphNode>();
  readonly #absent = new Set<string>();
  readonly #findings: Findings;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  get size(): number {
    return this.#nodes.size;
  }

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid);
  }

  isAbsent(identity: Identity): boolean {
    return this.#absent.has(coordinates(identity));
  }

  markAbsent(identity: Identity): void {
    this.#absent.add(coordinates(identity));
    const oldest = this.#absent.size > ABSENT_AT_MOST ? this.#absent.values().next().value : undefined;
    if (oldest !== undefined) this.#absent.delete(oldest);
  }

  /** A watch has shown the object. `old` is what it showed before, if anything. */
  observe(identity: Identity, object: ApiObject, old: ApiObject | undefined): void {
    const known = this.#nodes.get(identity.uid);
    if (known?.virtual) this.#becomeReal(known, identity);
    const owners = object.metadata.ownerReferences ?? [];
    const node = known ?? this.#insert(identity, object);
    if (known) this.#changeOwners(node, owners);
    if (isBeingDeleted(object)) node.beingDeleted = true;
    this.#transition(node, object, old);
  }

  /** A watch has shown that the object is gone. */
  remove(identity: Identity): void {
    const node = this.#nodes.get(identity.uid);
    if (node) this.#remove(node, identity);
  }

  /** The server has answered that there is no such object, though no watch has said so. */
  removeUnseen(identity: Identity): void {
    const node = this.#nodes.get(identity.uid);
    if (!node) return;
    const [matching, others] = partition(node, identity);
    const isCertain = node.virtual ? others.length === 0 : sameIdentity(node.identity, identity);
    if (isCertain) return this.#remove(node, identity);
    // Its dependents disagree about where it is to be found: only those that looked in this place know now.
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
      dependents: new Set(),
      virtual: false,
      beingDeleted,
      deletingDependents,
    };
    this.#nodes.set(identity.uid, node);
    this.#link(node, owners);
    return node;
  }

  #changeOwners(node: GraphNode, owners: readonly OwnerReference[]): void {
    const before = new Map(node.owners.map((owner) => [owner.uid, owner]));
    const after = new Map(owners.map((owner) => [owner.uid, owner]));
    for (const [uid, owner] of before) {
      // An owner that waits for its dependents may no longer have to wait for this one.
      if (owner.blockOwnerDeletion && !after.get(uid)?.blockOwnerDeletion && this.#nodes.has(uid))
        this.#findings.examine(uid);
    }
    node.owners = owners;
    this.#link(
      node,
      owners.filter((owner) => !before.has(owner.uid)),
    );
    for (const uid of before.keys()) if (!after.has(uid)) this.#nodes.get(uid)?.dependents.delete(node);
  }

  #link(node: GraphNode, owners: readonly OwnerReference[]): void {
    let doubtful = false;
    for (const reference of owners) {
      const known = this.#nodes.get(reference.uid);
      const owner = known ?? this.#insertVirtual(reference, node.identity.namespace);
      owner.dependents.add(node);
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
      dependents: new Set(),
      virtual: true,
      beingDeleted: false,
      deletingDependents: false,
    };
    this.#nodes.set(uid, node);
    return node;
  }

  /** Whether a reference may not mean the object that has its uid. */
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
    for (const owner of node.owners) this.#nodes.get(owner.uid)?.dependents.delete(node);
    if (node.dependents.size > 0) this.markAbsent(identity);
    for (const dependent of node.dependents) this.#findings.examine(dependent.identity.uid);
    for (const owner of node.owners)
      if (this.#nodes.get(owner.uid)?.deletingDependents) this.#findings.examine(owner.uid);
  }

  /** Goes on with the next place in which a dependent says that the owner is to be found. */
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

/** Whether the object has just begun to be deleted with this finalizer on it. */
function startsWith(finalizer: string, object: ApiObject, old: ApiObject | undefined): boolean {
  const waits = (o: ApiObject): boolean => isBeingDeleted(o) && hasFinalizer(o, finalizer);
  return waits(object) && !(old && waits(old));
}

/** Dependents that keep an owner that waits for its dependents from going. */
export function blocking(node: GraphNode): GraphNode[] {
  const { uid } = node.identity;
  return [...node.dependents].filter((d) => d.owners.some((owner) => owner.uid === uid && owner.blockOwnerDeletion));
}
