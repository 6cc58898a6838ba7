import type { JsonRequestInit } from '../std/index.ts';

/** How a client reaches an API server: a fetch bound to an identity. */
export type Transport = (path: string, init?: JsonRequestInit) => Promise<Response>;

/**
 * When a component's request is sent while others wait. In order of arrival by default; `background`: after the others;
 * `health`: the next but one, however many wait, because nodes depend on it.
 */
export type Precedence = 'background' | 'health';
