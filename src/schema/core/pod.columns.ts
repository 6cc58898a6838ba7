/** The table row of a pod: one word for the state of all its containers. */
import { getOwn } from '../../std/index.ts';
import type { Column } from '../define/index.ts';
import { age, integer, name, text, wide } from '../meta/columns.ts';
import type { ContainerStatus } from './containerStatus.ts';
import type { Pod } from './pod.ts';

const orNone = (value: string | undefined): string => value || '<none>';

export const podColumns: readonly Column<Pod>[] = [
  name,
  text('Ready', 'Containers that are ready, of all that there are.', (pod) => {
    return `${podState(pod).ready}/${pod.spec.containers?.length ?? 0}`;
  }),
  text('Status', 'What the pod does, or what keeps it from doing it.', (pod) => podState(pod).reason),
  integer('Restarts', 'How often containers of the pod were restarted.', (pod) => podState(pod).restarts),
  age,
  wide('IP', 'Address of the pod.', (pod) => orNone(pod.status.podIPs?.[0]?.ip ?? pod.status.podIP)),
  wide('Node', 'Node on which the pod runs.', (pod) => orNone(pod.spec.nodeName)),
  wide('Nominated Node', 'Node on which room is made for the pod.', (pod) => orNone(pod.status.nominatedNodeName)),
  wide('Readiness Gates', 'Conditions beside its containers that the pod waits for: those that hold, of all.', gates),
];

function gates({ spec, status }: Pod): string {
  if (!spec.readinessGates?.length) return '<none>';
  const holds = (type: string): boolean =>
    status.conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
  const held = spec.readinessGates.filter((gate) => holds(gate.conditionType)).length;
  return `${held}/${spec.readinessGates.length}`;
}

/** The row conditions of a terminated pod. */
export function podRowConditions({ status }: Pod): readonly object[] | undefined {
  const message = getOwn(MESSAGES, status.phase ?? '');
  return message === undefined ? undefined : [{ type: 'Completed', status: 'True', reason: status.phase, message }];
}

const MESSAGES: Readonly<Record<string, string>> = {
  Succeeded: 'The pod has completed successfully.',
  Failed: 'The pod failed.',
};

interface PodState {
  readonly reason: string;
  readonly ready: number;
  readonly restarts: number;
}

/** The state of a pod in one word, as every client shows it. */
export function podState(pod: Pod): PodState {
  const state = initState(pod) ?? runState(pod);
  if (pod.metadata.deletionTimestamp === undefined) return state;
  return { ...state, reason: pod.status.reason === 'NodeLost' ? 'Unknown' : 'Terminating' };
}

/** The first init container that is not done yet speaks for the pod. */
function initState({ spec, status }: Pod): PodState | undefined {
  const statuses = status.initContainerStatuses ?? [];
  const current = statuses.findIndex(({ state }) => state.terminated?.exitCode !== 0);
  const container = statuses[current];
  if (!container) return undefined;
  const restarts = statuses.slice(0, current + 1).reduce((sum, { restartCount }) => sum + restartCount, 0);
  const waiting = container.state.waiting?.reason;
  const ended = endOf(container);
  const progress = `${current}/${spec.initContainers?.length ?? 0}`;
  const reason = ended ?? (waiting && waiting !== 'PodInitializing' ? waiting : progress);
  return { reason: `Init:${reason}`, ready: 0, restarts };
}

/** How a container ended; undefined while it has not. */
function endOf({ state: { terminated } }: ContainerStatus): string | undefined {
  if (!terminated) return undefined;
  return terminated.reason ?? (terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`);
}

/** The first container that waits or has ended speaks for the pod; else its phase does. */
function runState({ status }: Pod): PodState {
  const statuses = status.containerStatuses ?? [];
  const running = statuses.filter(
    (container) => container.ready && troubleOf(container) === undefined && container.state.running,
  );
  const trouble = statuses.map(troubleOf).find((reason) => reason !== undefined);
  const restarts = statuses.reduce((sum, { restartCount }) => sum + restartCount, 0);
  const reason = trouble ?? status.reason ?? status.phase ?? '';
  const stillRuns = reason === 'Completed' && running.length > 0;
  return { reason: stillRuns ? (isReady(status) ? 'Running' : 'NotReady') : reason, ready: running.length, restarts };
}

const troubleOf = (container: ContainerStatus): string | undefined =>
  container.state.waiting?.reason ?? endOf(container);

const isReady = ({ conditions }: Pod['status']): boolean =>
  conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
