export type { Deferred } from './deferred.ts';
export { deferred } from './deferred.ts';
export type { Call, WireClient } from './client.ts';
export { createWireClient } from './client.ts';
export type { Answer, Batch, HeaderList, Post, Question, Realm } from './messages.ts';
export { userAgentHeader } from './messages.ts';
export type { Handler, WireServer } from './server.ts';
export { createWireServer } from './server.ts';
export { isRead, notServed, outcomeUnknown } from './unanswered.ts';
