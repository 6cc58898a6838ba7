export type { AccessQuestions } from './access.ts';
export { createCluster, type Cluster, type Host } from './createCluster.ts';
export { FlagError } from './flags.ts';
export { administrator } from './identities.ts';
export type { ClusterOptions } from './options.ts';
export { diskBackend, exportDatabase, removeDatabase, repairDatabase } from './database.ts';
export type { ServingFiles } from './serving.ts';
export type { Topic, TraceEvent } from '../trace/index.ts';
export { createTranslator, formats, isFormat } from '../schema/index.ts';
