export * from './conditions.ts';
export * from './controller.ts';
export { Flags } from './flags.ts';
export type * from './issuance.ts';
export { isConflict, Loop, wakeOn, wakingBy, type Again, type LoopOptions, type LoopView, type Run } from './loop.ts';
export {
  runControllers,
  type ControllersView,
  type ControllerView,
  type ManagerOptions,
  type RunningControllers,
} from './manager.ts';
export * from './owners.ts';
export * from './pods.ts';
export { podSelectorOf } from './selectors.ts';
export { sameStatus } from './status.ts';
export * from './writes.ts';
