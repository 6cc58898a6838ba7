import type { objects } from '../../schema/index.ts';
import { rfc3339 } from '../../std/index.ts';
import type { ContainerProcess } from './containerProcess.ts';
import type { LogBuffer } from './logBuffer.ts';

/** The state of one container of a pod, its restart count, and its previous run. */
export interface ContainerRecord {
  readonly name: string;
  /** The image that it runs or will run. */
  image: string;
  imageID: string;
  state: RecordedState;
  /** The previous run. */
  last: Ended | undefined;
  restarts: number;
  ready: boolean;
  started: boolean;
}

export interface Waiting {
  readonly is: 'waiting';
  readonly reason: string;
  readonly message?: string;
}

export interface Running {
  readonly is: 'running';
  readonly id: string;
  readonly since: number;
  /** Undefined if the container ran before its agent started, and has not started again yet. */
  readonly process: ContainerProcess | undefined;
}

export interface Ended {
  readonly is: 'ended';
  readonly id: string;
  readonly since: number;
  readonly at: number;
  readonly exitCode: number;
  readonly reason: string;
  readonly message?: string;
  readonly log?: LogBuffer;
}

export type RecordedState = Waiting | Running | Ended;

export function newRecord(container: Pick<objects.Container, 'name' | 'image'>, reason: string): ContainerRecord {
  return {
    name: container.name,
    image: container.image ?? '',
    imageID: '',
    state: { is: 'waiting', reason },
    last: undefined,
    restarts: 0,
    ready: false,
    started: false,
  };
}

/** The state in the form of a container status. */
export function stateOf(state: RecordedState): objects.ContainerState {
  if (state.is === 'waiting')
    return { waiting: { reason: state.reason, ...(state.message ? { message: state.message } : {}) } };
  if (state.is === 'running') return { running: { startedAt: rfc3339(state.since) } };
  return {
    terminated: {
      exitCode: state.exitCode,
      reason: state.reason,
      ...(state.message ? { message: state.message } : {}),
      startedAt: rfc3339(state.since),
      finishedAt: rfc3339(state.at),
      ...(state.id ? { containerID: state.id } : {}),
    },
  };
}

export function containerStatusOf(record: ContainerRecord): objects.ContainerStatus {
  const id = record.state.is === 'waiting' ? (record.last?.id ?? '') : record.state.id;
  return {
    name: record.name,
    state: stateOf(record.state),
    lastState: record.last ? stateOf(record.last) : {},
    ready: record.ready,
    restartCount: record.restarts,
    image: record.image,
    imageID: record.imageID,
    ...(id ? { containerID: id } : {}),
    started: record.started,
  };
}

export function endReason(exitCode: number, reason: string | undefined): string {
  return reason ?? (exitCode === 0 ? 'Completed' : 'Error');
}
