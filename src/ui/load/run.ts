/** Makes a load, a piece at a time, as the cluster keeps up with it; stops, and removes what was made. */
import {
  deployments,
  Informer,
  namespaces,
  nodes,
  type Client,
  type Deployment,
  type Node,
  type ResourceClient,
  type Selection,
} from '../../client/index.ts';
import { isReason, type ApiObject } from '../../schema/index.ts';
import { getOwn, inBackground } from '../../std/index.ts';
import { pageClock } from '../stores/liveObjects.ts';
import {
  deploymentDraft,
  deploymentName,
  namespaceDraft,
  NAMESPACE,
  nodeDraft,
  replicasOf,
  SELECTOR,
  type LoadPlan,
} from './plan.ts';

/** How much of something there is. */
export interface Extent {
  /** Asked for so far. */
  readonly asked: number;
  /** At work: nodes that are ready, pods that run. */
  readonly done: number;
}

export interface LoadFollower {
  nodes(extent: Extent): void;
  pods(extent: Extent): void;
  /** What a watch or list could not do; it is tried again. */
  problem(problem: unknown): void;
}

/** So many are asked for before they are at work: more would only wait, and be in the way of what people ask. */
const NODES_AHEAD = 50;
const PODS_AHEAD = 500;

const isReady = ({ status }: Node): boolean =>
  status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;

const readyPods = ({ status }: Deployment): number => status.readyReplicas ?? 0;

interface Summed<T extends ApiObject> {
  readonly resource: ResourceClient<T>;
  readonly selection: Selection;
  readonly signal: AbortSignal;
  /** What one object adds. */
  of(object: T): number;
  tell(sum: number): void;
  onProblem(problem: unknown): void;
}

/** Follows a collection, and keeps a sum over its objects; no event looks at more than its own object. */
class Sum<T extends ApiObject> {
  readonly #signal: AbortSignal;
  readonly #informer: Informer<T>;
  #sum = 0;
  /** Wakes who waits for a sum. */
  #wake: () => void = () => undefined;

  constructor({ resource, selection, signal, of, tell, onProblem }: Summed<T>) {
    this.#signal = signal;
    this.#informer = new Informer({ resource, clock: pageClock, selection, onProblem });
    const add = (by: number): void => {
      if (by === 0) return;
      this.#sum += by;
      tell(this.#sum);
      this.#wake();
    };
    this.#informer.on({
      added: (object) => add(of(object)),
      changed: (object, old) => add(of(object) - of(old)),
      deleted: (old) => add(-of(old)),
    });
    this.#informer.start();
    inBackground(
      this.#informer.synced.then(() => this.#wake()),
      onProblem,
    );
    signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  get value(): number {
    return this.#sum;
  }

  /** Resolves once the sum is known and at least `least`; rejects when the signal aborts. */
  async reaches(least: number): Promise<void> {
    for (;;) {
      this.#signal.throwIfAborted();
      if (this.#informer.hasSynced && this.#sum >= least) return;
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  stop(): void {
    this.#informer.stop();
  }
}

/** Makes an object, or leaves the one that is there. */
async function make(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (problem) {
    if (isReason(problem, 'AlreadyExists')) return false;
    throw problem;
  }
}

/** Makes the nodes; resolves when all of them are ready. Aborted, it rejects; what was made stays. */
export async function makeNodes(
  client: Client,
  { nodes: wanted }: LoadPlan,
  follower: LoadFollower,
  signal: AbortSignal,
): Promise<void> {
  let asked = 0;
  const resource = client.of(nodes);
  const ready = new Sum({
    ...{ resource, signal, selection: { labelSelector: SELECTOR } },
    of: (node) => (isReady(node) ? 1 : 0),
    tell: (done) => follower.nodes({ asked, done }),
    onProblem: (problem) => follower.problem(problem),
  });
  try {
    for (let index = 1; index <= wanted; index++) {
      await ready.reaches(index - NODES_AHEAD);
      await make(resource.create(nodeDraft(index, client.names)));
      asked = index;
    }
    await ready.reaches(wanted);
    follower.nodes({ asked, done: ready.value });
  } finally {
    ready.stop();
  }
}

/** Makes the Deployments; resolves when all of their pods run. Aborted, it rejects; what was made stays. */
export async function makePods(
  client: Client,
  plan: LoadPlan,
  follower: LoadFollower,
  signal: AbortSignal,
): Promise<void> {
  let asked = 0;
  await make(client.of(namespaces).create(namespaceDraft));
  const resource = client.of(deployments);
  const running = new Sum({
    ...{ resource, signal, selection: { namespace: NAMESPACE, labelSelector: SELECTOR } },
    of: readyPods,
    tell: (done) => follower.pods({ asked, done }),
    onProblem: (problem) => follower.problem(problem),
  });
  try {
    for (const [index, replicas] of replicasOf(plan).entries()) {
      await running.reaches(asked + replicas - PODS_AHEAD);
      await makeDeployment(resource, index + 1, replicas);
      asked += replicas;
    }
    await running.reaches(plan.pods);
    follower.pods({ asked, done: running.value });
  } finally {
    running.stop();
  }
}

/** One of an earlier load gets the size that this one asks for. */
async function makeDeployment(resource: ResourceClient<Deployment>, index: number, replicas: number): Promise<void> {
  if (await make(resource.create(deploymentDraft(index, replicas)))) return;
  const target = { metadata: { name: deploymentName(index), namespace: NAMESPACE } };
  await resource.patch(target, 'merge', { spec: { replicas } });
}

/** What is there of earlier loads. */
export async function survey(client: Client): Promise<LoadPlan> {
  const made = await client.metadataOf(nodes).list({ labelSelector: SELECTOR });
  const sets = await client.of(deployments).list({ namespace: NAMESPACE, labelSelector: SELECTOR });
  const pods = sets.items.reduce((sum, { spec }) => sum + (spec.replicas ?? 0), 0);
  return { nodes: made.items.length, pods };
}

/** Removes all that loads have made; resolves when it is gone. First the pods, so that no node loses pods that then wait. */
export async function removeLoad(client: Client, follower: LoadFollower): Promise<void> {
  await removeNamespace(client, follower);
  follower.pods({ asked: 0, done: 0 });
  await client.of(nodes).deleteCollection({ labelSelector: SELECTOR });
  follower.nodes({ asked: 0, done: 0 });
}

async function removeNamespace(client: Client, follower: LoadFollower): Promise<void> {
  const resource = client.of(namespaces);
  const onProblem = (problem: unknown): void => follower.problem(problem);
  const selection = { fieldSelector: `metadata.name=${NAMESPACE}` };
  const informer = new Informer({ resource, clock: pageClock, selection, onProblem });
  try {
    informer.start();
    await informer.synced;
    const there = informer.get(NAMESPACE);
    if (!there) return;
    if (!isLoad(there)) return await removeDeployments(client);
    await resource.delete(there);
    while (informer.get(NAMESPACE)) await informer.until(NAMESPACE, (seen) => seen === undefined);
  } finally {
    informer.stop();
  }
}

/** A namespace of that name that somebody else made stays. */
async function removeDeployments(client: Client): Promise<void> {
  const selection = { namespace: NAMESPACE, labelSelector: SELECTOR };
  await client.of(deployments).deleteCollection(selection, { propagationPolicy: 'Background' });
}

const isLoad = ({ metadata }: ApiObject): boolean =>
  Object.entries(namespaceDraft.metadata.labels).every(([key, value]) => getOwn(metadata.labels, key) === value);
