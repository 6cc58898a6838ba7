/** An external service that may filter nodes, score them, change victims or bind pods. */
import type { RemoteFetch } from '../../authn/index.ts';
import type { Node, Pod } from '../../client/index.ts';
import { getOwn, delay, isObject, type Clock } from '../../std/index.ts';
import type { NodeInfo } from '../framework/nodeInfo.ts';
import type { Snapshot } from '../framework/snapshot.ts';
import type { Candidate } from '../preemption.ts';
import type { ExtenderConfig } from './config.ts';

export interface ExtenderDeps {
  readonly fetch: RemoteFetch;
  readonly clock: Clock;
}

export interface ExtenderFiltered {
  readonly feasible: readonly NodeInfo[];
  /** The reasons for rejected nodes, by node name. */
  readonly failed: ReadonlyMap<string, string>;
}

/** The maximum score of extenders; the minimum is 0. */
export const HIGHEST_SCORE = 10;

/** One extender. Throws errors that contain its URL. */
export class Extender {
  readonly config: ExtenderConfig;
  readonly #deps: ExtenderDeps;

  constructor(config: ExtenderConfig, deps: ExtenderDeps) {
    this.config = config;
    this.#deps = deps;
  }

  get name(): string {
    return this.config.urlPrefix;
  }

  /** Whether it is called for a pod: for all, or those that use a resource that it manages. */
  isInterested({ spec }: Pod): boolean {
    const { managedResources } = this.config;
    if (managedResources.length === 0) return true;
    return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].some(({ resources }) =>
      managedResources.some(
        (name) => getOwn(resources?.requests, name) !== undefined || getOwn(resources?.limits, name) !== undefined,
      ),
    );
  }

  async filter(pod: Pod, feasible: readonly NodeInfo[]): Promise<ExtenderFiltered> {
    const { filterVerb } = this.config;
    if (filterVerb === '') return { feasible, failed: new Map() };
    const answer = await this.#call(filterVerb, { Pod: pod, ...this.#describe(feasible) });
    const problem = fieldOf(answer, 'error');
    if (typeof problem === 'string' && problem !== '') throw new Error(problem);
    const names = namesIn(answer);
    return {
      feasible: names ? feasible.filter(({ name }) => names.has(name)) : [],
      failed: textsOf(fieldOf(answer, 'failedNodes')),
    };
  }

  /** The score of each node, by name. */
  async prioritize(pod: Pod, feasible: readonly NodeInfo[]): Promise<ReadonlyMap<string, number>> {
    const { prioritizeVerb } = this.config;
    const answer = await this.#call(prioritizeVerb, { Pod: pod, ...this.#describe(feasible) });
    const scores = Array.isArray(answer) ? (answer as unknown[]) : [];
    return new Map(scores.map((each) => [textIn(each, 'host'), numberIn(each, 'score')]));
  }

  /** The accepted candidates, possibly with fewer victims. */
  async preempt(pod: Pod, candidates: readonly Candidate[], snapshot: Snapshot): Promise<readonly Candidate[]> {
    const { preemptVerb, nodeCacheCapable } = this.config;
    if (preemptVerb === '') return candidates;
    const victims = (candidate: Candidate, of: (pod: Pod) => unknown): unknown => ({
      Pods: candidate.victims.map(of),
      NumPDBViolations: candidate.violations,
    });
    const byNode = (of: (pod: Pod) => unknown): unknown =>
      Object.fromEntries(candidates.map((candidate) => [candidate.node, victims(candidate, of)]));
    const described = nodeCacheCapable
      ? { NodeNameToMetaVictims: byNode(({ metadata }) => ({ UID: metadata.uid })) }
      : { NodeNameToVictims: byNode((victim) => victim) };
    const answer = fieldOf(await this.#call(preemptVerb, { Pod: pod, ...described }), 'nodeNameToMetaVictims');
    return Object.entries(isObject(answer) ? answer : {}).map(([node, found]) => candidateFrom(node, found, snapshot));
  }

  /** Binds a pod instead of the scheduler; only for extenders with a `bindVerb`. */
  async bind({ metadata }: Pod, node: string): Promise<void> {
    const answer = await this.#call(this.config.bindVerb, {
      PodName: metadata.name,
      PodNamespace: metadata.namespace,
      PodUID: metadata.uid,
      Node: node,
    });
    const problem = fieldOf(answer, 'error');
    if (typeof problem === 'string' && problem !== '') throw new Error(problem);
  }

  #describe(nodes: readonly NodeInfo[]): object {
    if (this.config.nodeCacheCapable) return { NodeNames: nodes.map(({ name }) => name) };
    return { Nodes: { kind: 'NodeList', apiVersion: 'v1', metadata: {}, items: nodes.map(({ node }) => node) } };
  }

  async #call(verb: string, args: object): Promise<unknown> {
    const url = `${this.config.urlPrefix}/${verb}`;
    const abort = new AbortController();
    const request = new Request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(args),
      signal: abort.signal,
    });
    const late = new Error(`Post ${JSON.stringify(url)}: context deadline exceeded`);
    const tooLate = delay(this.#deps.clock, this.config.timeout, abort.signal).then(() => Promise.reject(late));
    try {
      return await Promise.race([this.#answer(request, verb), tooLate]);
    } finally {
      abort.abort(late);
      tooLate.catch(() => undefined);
    }
  }

  async #answer(request: Request, verb: string): Promise<unknown> {
    const response = await this.#deps.fetch(request, this.config.trust);
    if (response.status === 200) return (await response.json()) as unknown;
    await response.body?.cancel();
    throw new Error(`failed ${verb} with extender at URL ${this.config.urlPrefix}, code ${response.status}`);
  }
}

/** A field with a case-insensitive name, because existing extenders differ. */
function fieldOf(value: unknown, name: string): unknown {
  if (!isObject(value)) return undefined;
  const key = Object.keys(value).find((each) => each.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : getOwn(value, key);
}

const textIn = (value: unknown, name: string): string => {
  const found = fieldOf(value, name);
  return typeof found === 'string' ? found : '';
};

const numberIn = (value: unknown, name: string): number => {
  const found = fieldOf(value, name);
  return typeof found === 'number' ? Math.trunc(found) : 0;
};

/** The remaining nodes, as names or as objects. */
function namesIn(answer: unknown): ReadonlySet<string> | undefined {
  const names = fieldOf(answer, 'nodeNames');
  if (Array.isArray(names)) return new Set(names.filter((name) => typeof name === 'string'));
  const items = fieldOf(fieldOf(answer, 'nodes'), 'items');
  if (!Array.isArray(items)) return undefined;
  return new Set((items as readonly Partial<Node>[]).map((node) => node.metadata?.name ?? ''));
}

const textsOf = (value: unknown): ReadonlyMap<string, string> =>
  new Map(Object.entries(isObject(value) ? value : {}).map(([name, text]) => [name, String(text)]));

function candidateFrom(node: string, found: unknown, snapshot: Snapshot): Candidate {
  const pods = fieldOf(found, 'pods');
  const uids = Array.isArray(pods) ? pods.map((each) => textIn(each, 'uid')) : [];
  const victims = uids.map((uid) => {
    const info = snapshot.get(node)?.pods.find((other) => other.uid === uid);
    if (!info) throw new Error(`extender: pod (UID: ${uid}) not found on node ${node}`);
    return info.pod;
  });
  return { node, victims, violations: numberIn(found, 'numPDBViolations') };
}
