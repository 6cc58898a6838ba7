export type { PageHost } from './host.ts';
export { createPageHost } from './host.ts';
export { BootError } from './connection.ts';
export type { KnownCluster } from './known.ts';
export type { RunningCluster } from './cluster.ts';
export type { Vitrine } from './vitrine.ts';
export { exposeVitrine } from './vitrine.ts';
