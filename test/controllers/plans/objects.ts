import type { Deployment, Pod, ReplicaSet, StatefulSet, DaemonSet, Node, Job } from '../../../src/client/index.ts';

/** Times of the tests: minutes after noon, as the API writes them and in milliseconds. */
export const NOON = Date.parse('2026-01-01T12:00:00Z');
export const minute = (n: number): string => new Date(NOON + n * 60_000).toISOString().replace('.000', '');
export const at = (minutes: number): number => NOON + minutes * 60_000;

/** What a test says of a pod. */
export interface PodTraits {
  readonly phase?: string;
  readonly node?: string;
  readonly ready?: boolean;
  /** Minute at which it became ready or unready. */
  readonly since?: number;
  readonly created?: number;
  readonly started?: number;
  readonly restarts?: number;
  readonly leaving?: boolean;
  readonly labels?: Record<string, string>;
  readonly uses?: Record<string, string>;
  readonly requests?: Record<string, string>;
}

export function pod(name: string, traits: PodTraits = {}): Pod {
  const { phase = 'Running', node, ready, since, created = 0, started, restarts = 0, leaving, labels, uses } = traits;
  const annotations = Object.entries(uses ?? {}).map(([key, value]) => [`simulation.vitrine.dev/${key}`, value]);
  const transition = since === undefined ? {} : { lastTransitionTime: minute(since) };
  return {
    metadata: {
      name,
      namespace: 'ns',
      uid: `uid-${name}`,
      creationTimestamp: minute(created),
      ...(leaving ? { deletionTimestamp: minute(0) } : {}),
      ...(labels ? { labels } : {}),
      annotations: Object.fromEntries(annotations) as Record<string, string>,
    },
    spec: {
      ...(node ? { nodeName: node } : {}),
      containers: [{ name: 'c', resources: traits.requests ? { requests: traits.requests } : {} }],
    },
    status: {
      phase,
      ...(started === undefined ? {} : { startTime: minute(started) }),
      conditions: ready === undefined ? [] : [{ type: 'Ready', status: ready ? 'True' : 'False', ...transition }],
      containerStatuses: [{ name: 'c', restartCount: restarts, ready: ready ?? false, image: '', imageID: '' }],
    },
  } as unknown as Pod;
}

/** A running and ready pod. */
export const readyPod = (name: string, traits: PodTraits = {}): Pod =>
  pod(name, { ready: true, since: 0, started: 0, ...traits });

export const namesOf = (objects: readonly { metadata: { name?: string } }[]): string[] =>
  objects.map(({ metadata }) => metadata.name ?? '');

export function replicaSet(
  name: string,
  size: number,
  traits: {
    readonly available?: number;
    readonly ready?: number;
    readonly created?: number;
    readonly annotations?: Record<string, string>;
    readonly template?: object;
    readonly conditions?: object[];
  } = {},
): ReplicaSet {
  const { available = size, ready = available, created = 0, annotations = {}, template = {}, conditions = [] } = traits;
  return {
    metadata: {
      name,
      namespace: 'ns',
      uid: `uid-${name}`,
      creationTimestamp: minute(created),
      annotations,
      generation: 1,
    },
    spec: { replicas: size, selector: { matchLabels: { app: 'web' } }, template },
    status: { replicas: size, readyReplicas: ready, availableReplicas: available, observedGeneration: 1, conditions },
  } as unknown as ReplicaSet;
}

export function deployment(replicas: number, spec: object = {}, status: object = {}, annotations = {}): Deployment {
  const rollingUpdate = { maxSurge: '25%', maxUnavailable: '25%' };
  return {
    metadata: { name: 'web', namespace: 'ns', uid: 'uid-web', generation: 1, annotations },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } } },
      strategy: { type: 'RollingUpdate', rollingUpdate },
      progressDeadlineSeconds: 600,
      ...spec,
    },
    status,
  } as unknown as Deployment;
}

export function statefulSet(replicas: number, spec: object = {}, status: object = {}): StatefulSet {
  return {
    metadata: { name: 'db', namespace: 'ns', uid: 'uid-db', generation: 3 },
    spec: {
      replicas,
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      template: {},
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      podManagementPolicy: 'OrderedReady',
      ...spec,
    },
    status: { replicas: 0, ...status },
  } as unknown as StatefulSet;
}

export function daemonSet(spec: object = {}): DaemonSet {
  return {
    metadata: { name: 'agent', namespace: 'ns', uid: 'uid-agent', generation: 2 },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      template: { spec: {} },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      ...spec,
    },
    status: { observedGeneration: 1 },
  } as unknown as DaemonSet;
}

export function node(name: string, taints: object[] = [], labels: Record<string, string> = {}): Node {
  return { metadata: { name, labels }, spec: { taints }, status: {} } as unknown as Node;
}

export function job(spec: object = {}, status: object = {}): Job {
  return {
    metadata: { name: 'j', namespace: 'ns', uid: 'uid-j' },
    spec: { parallelism: 1, completions: 1, backoffLimit: 6, template: { spec: { restartPolicy: 'Never' } }, ...spec },
    status,
  } as unknown as Job;
}
