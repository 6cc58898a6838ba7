export * from './conditions.ts';
export * from './controller.ts';
export { Flags } from './flags.ts';
export { isConflict, Loop, wakeOn, type LoopOptions, type Run } from './loop.ts';
export { runControllers, type ManagerOptions, type RunningControllers } from './manager.ts';
export * from './owners.ts';
export * from './pods.ts';
export { compiled, compiledLabels } from './selectors.ts';
export { sameStatus } from './status.ts';
