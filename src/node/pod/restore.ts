import { timeOf, type objects } from '../../schema/index.ts';
import type { LogBuffer } from './logBuffer.ts';
import { newRecord, type ContainerRecord, type Ended, type RecordedState } from './record.ts';

/** The record of a container that ran before its agent started, restored from the pod's status. */
export function restore(
  container: objects.Container,
  status: objects.ContainerStatus,
  logOf: (id: string) => LogBuffer | undefined,
): ContainerRecord {
  const record = newRecord(container, status.state?.waiting?.reason ?? 'ContainerCreating');
  const last = withLog(endedOf(status.lastState), logOf);
  const state = stateOf(status);
  return {
    ...record,
    imageID: status.imageID ?? '',
    state: (state?.is === 'ended' ? withLog(state, logOf) : state) ?? record.state,
    last,
    restarts: status.restartCount ?? 0,
    ready: status.ready ?? false,
    started: status.started ?? false,
  };
}

/** Adds the saved log. */
function withLog(ended: Ended | undefined, logOf: (id: string) => LogBuffer | undefined): Ended | undefined {
  const log = ended && logOf(ended.id);
  log?.close();
  return ended && (log ? { ...ended, log } : ended);
}

function stateOf(status: objects.ContainerStatus): RecordedState | undefined {
  const since = timeOf(status.state?.running?.startedAt);
  if (since !== undefined) return { is: 'running', id: status.containerID ?? '', since, process: undefined };
  // It waits for a restart that is not counted yet.
  if (status.state?.waiting?.reason === 'CrashLoopBackOff') return endedOf(status.lastState);
  return endedOf(status.state);
}

function endedOf(state: objects.ContainerState | undefined): Ended | undefined {
  const terminated = state?.terminated;
  if (!terminated) return undefined;
  const { exitCode, reason = '', message, containerID = '' } = terminated;
  const [since, at] = [timeOf(terminated.startedAt) ?? 0, timeOf(terminated.finishedAt) ?? 0];
  return { is: 'ended', id: containerID, since, at, exitCode, reason, ...(message ? { message } : {}) };
}
