/** An export for sharing: the same lines, without secrets, keys and damaged rows. */
import { decodeText, encodeText, isObject } from '../std/index.ts';
import { withoutSecrets } from '../trace/index.ts';
import { isOwnKey } from './pki.ts';

const HIDDEN = '(hidden)';

/** The lines of an export, unchanged or with hidden secrets; chunks may be split within a line. */
export async function* withoutSecretLines(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let rest: Uint8Array = new Uint8Array();
  for await (const chunk of chunks) {
    const bytes = join(rest, chunk);
    const end = bytes.lastIndexOf(10) + 1;
    rest = bytes.slice(end);
    const lines = decodeText(bytes.subarray(0, end)).split('\n').slice(0, -1);
    if (lines.length > 0) yield encodeText(lines.map((line) => `${hideIn(line)}\n`).join(''));
  }
  if (rest.length > 0) yield encodeText(hideIn(decodeText(rest)));
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}

function hideIn(line: string): string {
  const value: unknown = JSON.parse(line);
  if (!isObject(value)) return line;
  if ('entry' in value) return JSON.stringify({ ...value, entry: shownEntry(value.entry) });
  if (Array.isArray(value.changes)) return JSON.stringify({ ...value, changes: value.changes.map(shownChange) });
  // The content of a damaged row is unknown.
  const { damage } = value;
  if (isObject(damage) && 'base64' in damage) return JSON.stringify({ damage: { ...damage, base64: HIDDEN } });
  return line;
}

const shownChange = (change: unknown): unknown =>
  isObject(change) && 'entry' in change ? { ...change, entry: shownEntry(change.entry) } : change;

function shownEntry(entry: unknown): unknown {
  if (!isObject(entry) || typeof entry.key !== 'string' || typeof entry.value !== 'string') return entry;
  if (isOwnKey(entry.key)) return { ...entry, value: HIDDEN };
  const object: unknown = JSON.parse(entry.value);
  const shown = withoutSecrets(object);
  return shown === object ? entry : { ...entry, value: JSON.stringify(shown) };
}
