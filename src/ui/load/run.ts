/** Makes a load, a piece at a time, as the cluster keeps up with it; stops, and removes what was made. */
import {
  deployments,
  Informer,
  namespaces,
  nodes,
  pods,
  type Client,
  type Deployment,
  type Draft,
  type Node,
  type ResourceClient,
  type Selection,
} from '../../client/index.ts';
import { isReason, type ApiObject } from '../../schema/index.ts';
import { getOwn, inBackground } from '../../std/index.ts';
import { pageClock } from '../stores/liveObjects.ts';
import {
  annotationsOf,
  deploymentDraft,
  isOfLoad,
  namespaceDraft,
  NAMESPACE,
  nodeDraft,
  nodeName,
  PLAN,
  planIn,
  SELECTOR,
  sizesOf,
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

/** What earlier loads have left. */
export interface Found {
  readonly plan: LoadPlan;
  readonly made: LoadPlan;
}

const NAMED = `metadata.name=${NAMESPACE}`;

/** So many are asked for before they are at work: more would only wait, and be in the way of what people ask. */
const NODES_AHEAD = 50;
const PODS_AHEAD = 500;
/** Made at once, so that they share a write to disk; writes begin a while apart under load. */
const NODES_AT_ONCE = 10;

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

/** Makes an object; answers with the one that is there where there is one, which a load must have made. */
async function make<T extends ApiObject>(resource: ResourceClient<T>, draft: Draft<T>): Promise<T> {
  try {
    return await resource.create(draft);
  } catch (problem) {
    if (!isReason(problem, 'AlreadyExists')) throw problem;
  }
  const { name = '', namespace } = draft.metadata ?? {};
  const there = await resource.get(name, namespace);
  if (isOfLoad(there)) return there;
  const which = `${resource.ref.kind} ${namespace === undefined ? name : `${namespace}/${name}`}`;
  throw new Error(`The ${which} was not made by a load, and stays as it is. Remove it, then go on.`);
}

/** Makes the namespace of the load, and keeps there what was asked for. One that somebody else made stays as it is. */
export async function keepPlan(client: Client, plan: LoadPlan): Promise<void> {
  const resource = client.of(namespaces);
  try {
    await resource.create(namespaceDraft(plan));
  } catch (problem) {
    if (!isReason(problem, 'AlreadyExists')) throw problem;
    const there = await resource.get(NAMESPACE);
    if (isOfLoad(there)) await resource.patch(there, 'merge', { metadata: { annotations: annotationsOf(plan) } });
  }
}

/** Takes away what a larger load made beyond this plan: first pods, then nodes, with the pods that stand on them. */
export async function takeLeftovers(client: Client, plan: LoadPlan, signal: AbortSignal): Promise<void> {
  await shrinkDeployments(client.of(deployments), sizesOf(plan), signal);
  const wanted = new Set(numbered(1, plan.nodes).map(nodeName));
  const made = await client.metadataOf(nodes).list({ labelSelector: SELECTOR });
  for (const node of made.items) {
    if (wanted.has(node.metadata.name ?? '')) continue;
    signal.throwIfAborted();
    await client.of(nodes).delete(node);
    const fieldSelector = `spec.nodeName=${node.metadata.name}`;
    await client.of(pods).deleteCollection({ namespace: NAMESPACE, labelSelector: SELECTOR, fieldSelector });
  }
}

async function shrinkDeployments(
  resource: ResourceClient<Deployment>,
  sizes: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<void> {
  const made = await resource.list({ namespace: NAMESPACE, labelSelector: SELECTOR });
  for (const deployment of made.items) {
    signal.throwIfAborted();
    const size = sizes.get(deployment.metadata.name ?? '');
    if (size === undefined) await resource.delete(deployment, { propagationPolicy: 'Background' });
    else if ((deployment.spec.replicas ?? 1) > size) await scale(resource, deployment, size);
  }
}

const scale = (resource: ResourceClient<Deployment>, target: Deployment, replicas: number): Promise<Deployment> =>
  resource.patch(target, 'merge', { spec: { replicas } });

const numbered = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

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
    while (asked < wanted) {
      const [first, last] = [asked + 1, Math.min(asked + NODES_AT_ONCE, wanted)];
      await ready.reaches(last - NODES_AHEAD);
      await Promise.all(numbered(first, last).map((index) => make(resource, nodeDraft(index, client.names))));
      asked = last;
    }
    await ready.reaches(wanted);
    follower.nodes({ asked, done: ready.value });
  } finally {
    ready.stop();
  }
}

/** Makes the Deployments, in the namespace that `keepPlan` made; resolves when all of their pods run. Aborted, it rejects; what was made stays. */
export async function makePods(
  client: Client,
  plan: LoadPlan,
  follower: LoadFollower,
  signal: AbortSignal,
): Promise<void> {
  let asked = 0;
  const resource = client.of(deployments);
  const sizes = sizesOf(plan);
  const running = new Sum({
    ...{ resource, signal, selection: { namespace: NAMESPACE, labelSelector: SELECTOR } },
    of: (deployment) => Math.min(readyPods(deployment), sizes.get(deployment.metadata.name ?? '') ?? 0),
    tell: (done) => follower.pods({ asked, done }),
    onProblem: (problem) => follower.problem(problem),
  });
  try {
    for (const [name, replicas] of sizes) {
      await running.reaches(asked + replicas - PODS_AHEAD);
      const there = await make(resource, deploymentDraft(name, replicas));
      // One of an earlier load gets the size that this one asks for.
      if (there.spec.replicas !== replicas) await scale(resource, there, replicas);
      asked += replicas;
    }
    await running.reaches(plan.pods);
    follower.pods({ asked, done: running.value });
  } finally {
    running.stop();
  }
}

/** What is there of earlier loads, and what was asked for; undefined where there is nothing. */
export async function survey(client: Client): Promise<Found | undefined> {
  const [space] = (await client.metadataOf(namespaces).list({ fieldSelector: NAMED, labelSelector: SELECTOR })).items;
  const nodesMade = await client.metadataOf(nodes).list({ labelSelector: SELECTOR });
  const sets = await client.of(deployments).list({ namespace: NAMESPACE, labelSelector: SELECTOR });
  const podsMade = sets.items.reduce((sum, { spec }) => sum + (spec.replicas ?? 0), 0);
  const made = { nodes: nodesMade.items.length, pods: podsMade };
  if (!space && made.nodes + sets.items.length === 0) return undefined;
  return { plan: planIn(getOwn(space?.metadata.annotations, PLAN)) ?? made, made };
}

/** Removes all that loads have made; resolves when it is gone, and rejects when the signal aborts. First the pods, so that no node loses pods that then wait. */
export async function removeLoad(client: Client, follower: LoadFollower, signal: AbortSignal): Promise<void> {
  await removeNamespace(client, follower, signal);
  signal.throwIfAborted();
  follower.pods({ asked: 0, done: 0 });
  await client.of(nodes).deleteCollection({ labelSelector: SELECTOR });
  follower.nodes({ asked: 0, done: 0 });
}

async function removeNamespace(client: Client, follower: LoadFollower, signal: AbortSignal): Promise<void> {
  const resource = client.of(namespaces);
  const onProblem = (problem: unknown): void => follower.problem(problem);
  const informer = new Informer({ resource, clock: pageClock, selection: { fieldSelector: NAMED }, onProblem });
  const given = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  inBackground(
    given.then(() => informer.stop()),
    onProblem,
  );
  try {
    informer.start();
    await Promise.race([informer.synced, given]);
    signal.throwIfAborted();
    const there = informer.get(NAMESPACE);
    if (!there) return;
    if (!isOfLoad(there)) return await removeDeployments(client);
    await resource.delete(there);
    while (informer.get(NAMESPACE)) {
      signal.throwIfAborted();
      await informer.until(NAMESPACE, (seen) => seen === undefined);
    }
  } finally {
    informer.stop();
  }
}

/** A namespace of that name that somebody else made stays. */
async function removeDeployments(client: Client): Promise<void> {
  const selection = { namespace: NAMESPACE, labelSelector: SELECTOR };
  await client.of(deployments).deleteCollection(selection, { propagationPolicy: 'Background' });
}
