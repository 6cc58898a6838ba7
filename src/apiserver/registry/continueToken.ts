/** The continue token of a paged list: the next key and the revision. Opaque to clients. */
import { status } from '../../schema/index.ts';
import { decodeText, encodeText, fromBase64, isObject, toBase64Url } from '../../std/index.ts';

export interface Continuation {
  /** The first key of the next page. */
  readonly key: string;
  /** The snapshot's revision; -1 means the newest, after the snapshot was compacted. */
  readonly revision: number;
}

const VERSION = 'v1';

export function encodeContinue(continuation: Continuation, prefix: string, domain: string): string {
  const token = {
    v: `meta.${domain}/${VERSION}`,
    rv: continuation.revision,
    start: continuation.key.slice(prefix.length),
  };
  return toBase64Url(encodeText(JSON.stringify(token)));
}

/** Parses a token for the collection under `prefix`; throws 400 if it is invalid. */
export function decodeContinue(text: string, prefix: string, domain: string): Continuation {
  const bad = (why: string): Error => status.badRequest(`invalid continue token: continue key is not valid: ${why}`);
  const padded = text
    .replace(/-/g, '+')
    .replace(/_/g, '/')
    .padEnd(Math.ceil(text.length / 4) * 4, '=');
  const bytes = /^[A-Za-z0-9_-]*$/.test(text) ? fromBase64(padded) : undefined;
  if (!bytes) throw bad('not base64url');
  const token = parse(decodeText(bytes), bad);
  if (token['v'] !== `meta.${domain}/${VERSION}`) throw bad(`version ${JSON.stringify(token['v'])} is not recognized`);
  const revision = token['rv'];
  const start = token['start'];
  if (typeof revision !== 'number' || !Number.isInteger(revision) || revision === 0)
    throw bad('incorrect encoded start resourceVersion');
  if (typeof start !== 'string' || start === '' || climbs(start)) throw bad(`start key ${JSON.stringify(start)}`);
  return { key: prefix + start.replace(/^\//, ''), revision };
}

function parse(text: string, bad: (why: string) => Error): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Reported as the error below.
  }
  throw bad('not a token');
}

/** A start key must stay within the collection. */
const climbs = (start: string): boolean =>
  start
    .replace(/\0$/, '')
    .replace(/^\//, '')
    .split('/')
    .some((part) => part === '' || part === '.' || part === '..');
