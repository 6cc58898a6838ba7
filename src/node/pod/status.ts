import type { Pod } from '../../client/index.ts';
import { qosClassOf, type objects } from '../../schema/index.ts';
import { rfc3339 } from '../../std/index.ts';
import { containerStatusOf, type ContainerRecord } from './record.ts';

/** The data from which a pod's status is derived. */
export interface PodState {
  readonly pod: Pod;
  readonly init: readonly ContainerRecord[];
  readonly main: readonly ContainerRecord[];
  /** They do not affect the pod's phase and conditions. */
  readonly ephemeral: readonly ContainerRecord[];
  readonly startTime: number;
  readonly hostIP: string;
  readonly podIP: string | undefined;
  /** Why the agent ended the pod, if it did: its deadline, an eviction. */
  readonly failed: Failure | undefined;
}

export interface Failure {
  readonly reason: string;
  readonly message: string;
  /** The status contains only this: the pod never started, or was evicted. */
  readonly isBare?: boolean;
}

type PodStatus = objects.PodStatus;
type PodCondition = objects.PodCondition;

/** The phase derived from the containers. */
export function phaseOf({ pod, init, main, failed }: PodState): string {
  if (failed) return 'Failed';
  const restart = pod.spec.restartPolicy ?? 'Always';
  const initFailed = init.some(({ state }) => state.is === 'ended' && state.exitCode !== 0);
  if (initFailed && restart === 'Never') return 'Failed';
  if (!init.every(hasSucceeded)) return 'Pending';
  const waiting = main.filter(({ state }) => state.is === 'waiting');
  if (waiting.some(({ last }) => last === undefined)) return 'Pending';
  if (waiting.length > 0 || main.some(({ state }) => state.is === 'running')) return 'Running';
  if (restart === 'Always') return 'Running';
  if (main.every(hasSucceeded)) return 'Succeeded';
  return restart === 'Never' ? 'Failed' : 'Running';
}

function hasSucceeded({ state }: ContainerRecord): boolean {
  return state.is === 'ended' && state.exitCode === 0;
}

/** The status to write; unchanged conditions keep their time. */
export function podStatus(state: PodState, now: number): Partial<PodStatus> {
  const { pod, init, main, ephemeral, hostIP, podIP, failed } = state;
  const phase = phaseOf(state);
  if (failed?.isBare) return { phase, ...failure(failed), startTime: rfc3339(state.startTime) };
  return {
    phase,
    conditions: conditionsOf(state, phase, now),
    ...(failed ? failure(failed) : {}),
    hostIP,
    ...(podIP === undefined ? {} : { podIP, podIPs: [{ ip: podIP }] }),
    startTime: rfc3339(state.startTime),
    ...(init.length > 0 ? { initContainerStatuses: init.map(containerStatusOf) } : {}),
    containerStatuses: main.map(containerStatusOf),
    ...(ephemeral.length > 0 ? { ephemeralContainerStatuses: ephemeral.map(ephemeralStatusOf) } : {}),
    qosClass: qosClassOf(pod.spec),
  };
}

const failure = ({ reason, message }: Failure): Partial<PodStatus> => ({ reason, message });

/** Ephemeral containers report neither readiness nor start. */
function ephemeralStatusOf(record: ContainerRecord): objects.ContainerStatus {
  const { started: _, ...status } = containerStatusOf(record);
  return { ...status, ready: false };
}

/** The status as a patch: conditions are merged by type, so an outdated reason has to be removed explicitly. */
export function asPatch(status: Partial<PodStatus>): unknown {
  if (!status.conditions) return { ...Object.fromEntries(FIELDS.map((field) => [field, null])), ...status };
  const conditions = (status.conditions ?? []).map((condition) => ({ reason: null, message: null, ...condition }));
  return { ...status, conditions };
}

/** Fields that a bare status does not have. */
const FIELDS: readonly (keyof PodStatus)[] = [
  'conditions',
  'containerStatuses',
  'ephemeralContainerStatuses',
  'hostIP',
  'initContainerStatuses',
  'podIP',
  'podIPs',
  'qosClass',
];

interface Verdict {
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
}

function conditionsOf(state: PodState, phase: string, now: number): PodCondition[] {
  const containers = containersReady(state, phase);
  const wanted: readonly (readonly [string, Verdict])[] = [
    ['Initialized', initialized(state, phase)],
    ['Ready', readiness(state, containers)],
    ['ContainersReady', containers],
    ['PodScheduled', { status: 'True' }],
  ];
  return wanted.map(([type, verdict]) => {
    const known = state.pod.status.conditions?.find((condition) => condition.type === type);
    const since =
      known?.status === verdict.status && known.lastTransitionTime ? known.lastTransitionTime : rfc3339(now);
    return { type, ...verdict, lastProbeTime: null, lastTransitionTime: since };
  });
}

function initialized({ init }: PodState, phase: string): Verdict {
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  const open = init.filter((record) => !hasSucceeded(record)).map((record) => record.name);
  if (open.length === 0) return { status: 'True' };
  return {
    status: 'False',
    reason: 'ContainersNotInitialized',
    message: `containers with incomplete status: [${open.join(' ')}]`,
  };
}

function containersReady({ main }: PodState, phase: string): Verdict {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  const unready = main.filter((record) => !record.ready).map((record) => record.name);
  if (unready.length === 0) return { status: 'True' };
  return {
    status: 'False',
    reason: 'ContainersNotReady',
    message: `containers with unready status: [${unready.join(' ')}]`,
  };
}

/** A pod is ready when its containers are ready and the conditions of its readiness gates are true. */
function readiness({ pod }: PodState, containers: Verdict): Verdict {
  if (containers.status === 'False') return containers;
  const holds = (type: string): boolean =>
    pod.status.conditions?.some((c) => c.type === type && c.status === 'True') ?? false;
  const open = (pod.spec.readinessGates ?? []).map((gate) => gate.conditionType).filter((type) => !holds(type));
  if (open.length === 0) return { status: 'True' };
  const message = open
    .map(
      (type) => `corresponding condition of pod readiness gate ${JSON.stringify(type)} does not exist or is not true.`,
    )
    .join(', ');
  return { status: 'False', reason: 'ReadinessGatesNotReady', message };
}
