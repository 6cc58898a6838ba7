import type { JsonRequestInit } from '../std/index.ts';

/** How a client reaches an API server: a fetch bound to an identity. */
export type Transport = (path: string, init?: JsonRequestInit) => Promise<Response>;
