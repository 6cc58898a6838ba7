import type { JsonRequestInit } from '../std/index.ts';

/** How a client reaches an API server: a fetch bound to an identity. */
export type Transport = (path: string, init?: JsonRequestInit) => Promise<Response>;

/**
 * When a component's request starts while others wait: `background` after them, `health` by turns with all of them, however
 * many they are, because nodes depend on it. In order of arrival by default.
 */
export type Precedence = 'background' | 'health';
