export { createApiServer, type Access, type ApiServer, type ApiServerOptions, type Security } from './server.ts';
export type { Together } from './together/index.ts';
export type { ComponentWrite } from './together/quiet.ts';
export type { Views } from './codec/views.ts';
export type { Origin } from './origin.ts';
export { apiServerParts } from './parts.ts';
export type { NodeStreams } from './streams/nodeStreams.ts';
