import type { StopSignal } from '../../std/index.ts';
import { OutOfMemory } from '../errors.ts';
import type { Stream } from './stream.ts';

/** Bytes that a program may gather at once. */
export const MEMORY_LIMIT = 16 * 1024 * 1024;

export function concatenate(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1) return chunks[0] as Uint8Array;
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Everything up to the end of a stream. */
export async function readAll(stream: Stream, signal?: StopSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const chunk = await stream.read(signal);
    if (!chunk) return concatenate(chunks);
    size += chunk.length;
    if (size > MEMORY_LIMIT) throw new OutOfMemory();
    chunks.push(chunk);
  }
}

const NEWLINE = 10;

/** The bytes up to and with the next newline, or what is left before the end; undefined at the end. The rest stays unread. */
export async function readLine(stream: Stream, signal?: StopSignal): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const chunk = await stream.read(signal);
    if (!chunk) return chunks.length > 0 ? concatenate(chunks) : undefined;
    const end = chunk.indexOf(NEWLINE);
    chunks.push(end < 0 ? chunk : chunk.subarray(0, end + 1));
    if (end >= 0) {
      stream.unread(chunk.subarray(end + 1));
      return concatenate(chunks);
    }
    size += chunk.length;
    if (size > MEMORY_LIMIT) throw new OutOfMemory();
  }
}
