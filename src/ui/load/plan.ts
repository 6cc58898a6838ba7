/** What a load is made of: so many nodes, and Deployments that have so many pods. Pure. */
import type { Deployment, Draft, Node } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';

export interface LoadPlan {
  readonly nodes: number;
  readonly pods: number;
}

/** What is offered, from what every machine does to what takes an hour and all memory. */
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

export const namespaceDraft = { metadata: { name: NAMESPACE, labels } };

export const deploymentName = (index: number): string => `load-${index}`;

/** Pods that cost a cluster as little as a pod can: one container, no token, no time to end. */
export function deploymentDraft(index: number, replicas: number): Draft<Deployment> {
  const app = deploymentName(index);
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
