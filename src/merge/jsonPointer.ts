/** JSON pointers as in JSON patch (RFC 6901, with the reference's leniency). */
import { isObject } from '../std/index.ts';
import { unprocessable } from './failures.ts';

export type Container = Record<string, unknown> | unknown[];

/** The target of a pointer: a key of an existing object or list. */
export interface Place {
  readonly container: Container;
  readonly key: string;
}

/**
 * The tokens of a pointer. Text before the first slash is ignored, as in the reference; a pointer without a slash has
 * no tokens and no target.
 */
export function tokens(pointer: string): readonly string[] {
  return pointer.split('/').slice(1).map(unescape);
}

/** `~1` is a slash, `~0` a tilde; read left to right, so that `~01` is `~1`. */
function unescape(token: string): string {
  return token.replace(/~[01]/g, (escape) => (escape === '~1' ? '/' : '~'));
}

/** Finds the container of the last token; undefined if the path does not exist. */
export function locate(document: Container, pointer: string): Place | undefined {
  const path = tokens(pointer);
  const key = path.at(-1);
  if (key === undefined) return undefined;
  let container: Container = document;
  for (const token of path.slice(0, -1)) {
    const next = child(container, token);
    if (!Array.isArray(next) && !isObject(next)) return undefined;
    container = next;
  }
  return { container, key };
}

function child(container: Container, token: string): unknown {
  if (!Array.isArray(container)) return Object.hasOwn(container, token) ? container[token] : undefined;
  const index = parseIndex(token);
  return index === undefined ? undefined : container.at(index);
}

/** An index in the reference's syntax: decimal, signed; undefined for anything else. */
function parseIndex(token: string): number | undefined {
  return /^[+-]?\d+$/.test(token) ? Number(token) : undefined;
}

/**
 * The index that `token` means in a list with `size` positions. Negative ones count from the end: -1 is the last.
 * Throws if there is no such position, so that a large index can't enlarge a list.
 */
export function position(token: string, size: number): number {
  const index = parseIndex(token);
  if (index === undefined) throw unprocessable(`${JSON.stringify(token)} is not a list index`);
  if (index >= size || index < -size) throw unprocessable(`invalid index referenced: ${token}`);
  return index < 0 ? index + size : index;
}
