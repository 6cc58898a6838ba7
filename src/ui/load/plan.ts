/** What a load is made of: so many nodes, and Deployments that have so many pods. Pure. */
import type { Deployment, Draft, Node } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';

export interface LoadPlan {
  readonly nodes: number;
  readonly pods: number;
}

/** What is offered, from what every machine does to what takes half an hour and some gigabytes (docs/performance.md). */
export const presets: readonly LoadPlan[] = [
  { nodes: 100, pods: 1_000 },
  { nodes: 1_000, pods: 10_000 },
  { nodes: 5_000, pods: 150_000 },
];

export const MOST_NODES = 5_000;
export const MOST_PODS = 150_000;
/** What a node takes besides what runs on every node. */
const PODS_PER_NODE = 100;

/** Everything that a load makes has this label, and its pods this namespace. */
export const LABEL = 'simulation.vitrine.dev/load';
export const SELECTOR = `${LABEL}=true`;
export const NAMESPACE = 'load';

/** Where the namespace keeps what was asked for: what stands of a load that was stopped does not tell. */
export const PLAN = 'simulation.vitrine.dev/load-plan';

const labels = { [LABEL]: 'true' };
const ZONES = ['a', 'b', 'c'];

const isCount = (value: number, most: number): boolean => Number.isInteger(value) && value >= 0 && value <= most;

/** What is wrong with a plan; undefined where it can be made. */
export function problemWith({ nodes, pods }: LoadPlan): string | undefined {
  if (!isCount(nodes, MOST_NODES) || nodes === 0) return `Nodes: a whole number from 1 to ${count(MOST_NODES)}.`;
  if (!isCount(pods, MOST_PODS)) return `Pods: a whole number from 0 to ${count(MOST_PODS)}.`;
  if (pods > nodes * PODS_PER_NODE) return `${count(nodes)} nodes take ${count(nodes * PODS_PER_NODE)} pods at most.`;
  return undefined;
}

/** A number as people read it. */
export const count = (value: number): string => Math.round(value).toLocaleString('en');

export const nodeName = (index: number): string => `load-node-${index}`;

/** A node with a simulated agent, which reports the rest. */
export function nodeDraft(index: number, names: Names): Draft<Node> {
  const name = nodeName(index);
  return {
    metadata: {
      name,
      annotations: { 'simulation.vitrine.dev/agent': 'true' },
      labels: {
        ...labels,
        [names.fill('{label}/hostname')]: name,
        [names.fill('{label}/os')]: 'linux',
        [names.fill('{label}/arch')]: 'amd64',
        [names.fill('topology.{label}/region')]: 'local',
        [names.fill('topology.{label}/zone')]: `local-${ZONES[(index - 1) % ZONES.length]}`,
      },
    },
  };
}

/** How many pods each Deployment has, the last one the rest: few enough that each is soon there. */
export function replicasOf({ pods }: LoadPlan): readonly number[] {
  const size = Math.min(250, Math.max(10, Math.ceil(pods / 20)));
  const whole = Array.from({ length: Math.floor(pods / size) }, () => size);
  return pods % size === 0 ? whole : [...whole, pods % size];
}

/** How large each Deployment is to be, by its name. */
export const sizesOf = (plan: LoadPlan): ReadonlyMap<string, number> =>
  new Map(replicasOf(plan).map((replicas, index) => [deploymentName(index + 1), replicas]));

export const annotationsOf = ({ nodes, pods }: LoadPlan) => ({ [PLAN]: JSON.stringify({ nodes, pods }) });

/** The plan that an annotation keeps; undefined where somebody wrote something else there. */
export function planIn(text: string | undefined): LoadPlan | undefined {
  try {
    const { nodes, pods } = { ...(JSON.parse(text ?? 'null') as Partial<LoadPlan> | null) };
    if (nodes === undefined || pods === undefined || problemWith({ nodes, pods }) !== undefined) return undefined;
    return { nodes, pods };
  } catch {
    return undefined;
  }
}

/** Whether a load made this. */
export const isOfLoad = ({ metadata }: ApiObject): boolean => getOwn(metadata.labels, LABEL) === labels[LABEL];

export const namespaceDraft = (plan: LoadPlan) => ({
  metadata: { name: NAMESPACE, labels, annotations: annotationsOf(plan) },
});

const deploymentName = (index: number): string => `load-${index}`;

/** Pods that cost a cluster as little as a pod can: one container, no token, no time to end. */
export function deploymentDraft(app: string, replicas: number): Draft<Deployment> {
  return {
    metadata: { name: app, namespace: NAMESPACE, labels: { ...labels, app } },
    spec: {
      replicas,
      selector: { matchLabels: { app } },
      template: {
        metadata: { labels: { ...labels, app } },
        spec: {
          automountServiceAccountToken: false,
          terminationGracePeriodSeconds: 0,
          containers: [{ name: 'pause', image: 'pause:3.2' }],
        },
      },
    },
  };
}
