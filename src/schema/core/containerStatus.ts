import { always, bool, int32, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';

export const ContainerStateWaiting = struct('api.core.v1.ContainerStateWaiting', {
  reason: opt(1, string),
  message: opt(2, string),
});
export type ContainerStateWaiting = Infer<typeof ContainerStateWaiting>;

export const ContainerStateRunning = struct('api.core.v1.ContainerStateRunning', {
  startedAt: opt(1, time),
});
export type ContainerStateRunning = Infer<typeof ContainerStateRunning>;

export const ContainerStateTerminated = struct('api.core.v1.ContainerStateTerminated', {
  exitCode: always(1, int32),
  signal: opt(2, int32),
  reason: opt(3, string),
  message: opt(4, string),
  startedAt: opt(5, time),
  finishedAt: opt(6, time),
  containerID: opt(7, string),
});
export type ContainerStateTerminated = Infer<typeof ContainerStateTerminated>;

export const ContainerState = struct('api.core.v1.ContainerState', {
  waiting: ptr(1, ContainerStateWaiting),
  running: ptr(2, ContainerStateRunning),
  terminated: ptr(3, ContainerStateTerminated),
});
export type ContainerState = Infer<typeof ContainerState>;

export const ContainerStatus = struct('api.core.v1.ContainerStatus', {
  name: always(1, string),
  state: opt(2, ContainerState),
  lastState: opt(3, ContainerState),
  ready: always(4, bool),
  restartCount: always(5, int32),
  image: always(6, string),
  imageID: always(7, string),
  containerID: opt(8, string),
  started: ptr(9, bool),
});
export type ContainerStatus = Infer<typeof ContainerStatus>;
