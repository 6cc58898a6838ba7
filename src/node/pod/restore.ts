import { timeOf, type objects } from '../../schema/index.ts';
import { imageOf } from '../images/index.ts';
import { newRecord, type ContainerRecord, type Ended, type RecordedState } from './record.ts';

/** What a pod's status tells of a container that ran before the agent was started again; it goes on from there. */
export function restore(container: objects.Container, status: objects.ContainerStatus): ContainerRecord {
  const record = newRecord(container, status.state?.waiting?.reason ?? 'ContainerCreating');
  const last = endedOf(status.lastState);
  return {
    ...record,
    imageID: status.imageID ?? '',
    state: stateOf(container, status) ?? record.state,
    last,
    restarts: status.restartCount ?? 0,
    ready: status.ready ?? false,
    started: status.started ?? false,
  };
}

function stateOf(container: objects.Container, status: objects.ContainerStatus): RecordedState | undefined {
  const since = timeOf(status.state?.running?.startedAt);
  if (since === undefined) return endedOf(status.state);
  const { command, args, env } = container;
  const variables = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value ?? '']));
  const program = imageOf(container.image ?? '').run({ command: command ?? [], args: args ?? [], env: variables });
  return { is: 'running', id: status.containerID ?? '', since, program };
}

function endedOf(state: objects.ContainerState | undefined): Ended | undefined {
  const terminated = state?.terminated;
  if (!terminated) return undefined;
  const { exitCode, reason = '', message, containerID = '' } = terminated;
  const [since, at] = [timeOf(terminated.startedAt) ?? 0, timeOf(terminated.finishedAt) ?? 0];
  return { is: 'ended', id: containerID, since, at, exitCode, reason, ...(message ? { message } : {}) };
}
