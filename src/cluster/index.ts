export type { AccessQuestions } from './access.ts';
export { createCluster, type Cluster, type Host } from './createCluster.ts';
export { checkFlags, describeFlags, FlagError, type FlagsCheck, type FlagsView } from './flags/index.ts';
export { administrator } from './identities.ts';
export { etcdLayout, type EtcdLayout } from './etcdLayout.ts';
export type { Past } from './past.ts';
export { requireForms, type ClusterOptions } from './options.ts';
export { programParts } from './parts.ts';
export { diskBackend, exportDatabase, removeDatabase, repairDatabase, restoreDatabase } from './database.ts';
export { checksum, DamagedError, GoneError, openShared, WriteError } from '../storage/index.ts';
export type {
  Backend,
  Batch,
  Engine,
  EngineListener,
  EngineState,
  Entry,
  Op,
  Row,
  Salvage,
  Storage,
  StorageCondition,
  Table,
} from '../storage/index.ts';
export { withoutSecretLines } from './optional.ts';
export type { ControllersView } from '../controllers/index.ts';
export type { RemoteQuestions, SchedulingQuestions } from '../scheduler/index.ts';
export type { IdTokenWish } from '../authn/index.ts';
export { problemEvent, senderOf } from '../trace/index.ts';
export type {
  BodyEvent,
  Breakpoint,
  BriefEvent,
  BriefStage,
  Delivery,
  Held,
  LeftOut,
  RequestEvent,
  Topic,
  TraceEvent,
  Tracer,
  WatchEvent,
  WebhookCall,
  WholeRequest,
} from '../trace/index.ts';
export { createTranslator, formats, isFormat, PROOF_HEADER } from '../schema/index.ts';
export type { Job, Limits, Run, Sandbox } from '../webhooks/index.ts';
export type { Pair, ServingFiles } from './serving.ts';
