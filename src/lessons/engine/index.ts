export { clusterNameOf, clusterOptionsOf, type LessonClusterOptions } from './options.ts';
export { LessonRun, type RunOptions, type RunState, type TaskState } from './run.ts';
export { readPath } from './fields.ts';
export type { LessonCluster } from './surroundings.ts';
