/** A text that is being typed, and the place in it. Every function gives a new one. */
import { after, before } from './width.ts';

export interface Buffer {
  readonly text: string;
  /** Where the next character goes. */
  readonly at: number;
}

export const EMPTY: Buffer = { text: '', at: 0 };

export const bufferOf = (text: string): Buffer => ({ text, at: text.length });

export const insert = ({ text, at }: Buffer, added: string): Buffer => ({
  text: text.slice(0, at) + added + text.slice(at),
  at: at + added.length,
});

/** Takes out what lies between two places. */
export const cut = ({ text }: Buffer, from: number, to: number): Buffer => ({
  text: text.slice(0, from) + text.slice(to),
  at: from,
});

const to = (buffer: Buffer, at: number): Buffer => ({ ...buffer, at });

export const left = (buffer: Buffer): Buffer => to(buffer, before(buffer.text, buffer.at));
export const right = (buffer: Buffer): Buffer => to(buffer, after(buffer.text, buffer.at));

/** The beginning of the line that the place is in. */
export const lineStart = ({ text, at }: Buffer): number => text.lastIndexOf('\n', at - 1) + 1;

export function lineEnd({ text, at }: Buffer): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

export const home = (buffer: Buffer): Buffer => to(buffer, lineStart(buffer));
export const end = (buffer: Buffer): Buffer => to(buffer, lineEnd(buffer));

/** Where the word before the place begins; `end` is what ends a word. */
export function wordStart({ text, at }: Buffer, ends = /[^\p{L}\p{N}_]/u): number {
  let start = at;
  while (start > 0 && ends.test(text.charAt(start - 1))) start--;
  while (start > 0 && !ends.test(text.charAt(start - 1))) start--;
  return start;
}

/** Where the word behind the place ends. */
export function wordEnd({ text, at }: Buffer): number {
  const ends = /[^\p{L}\p{N}_]/u;
  let stop = at;
  while (stop < text.length && ends.test(text.charAt(stop))) stop++;
  while (stop < text.length && !ends.test(text.charAt(stop))) stop++;
  return stop;
}

export const wordLeft = (buffer: Buffer): Buffer => to(buffer, wordStart(buffer));
export const wordRight = (buffer: Buffer): Buffer => to(buffer, wordEnd(buffer));

/** Swaps the two characters before the place, or around it. */
export function swap({ text, at }: Buffer): Buffer {
  const middle = at === text.length ? before(text, at) : at;
  const first = before(text, middle);
  const last = after(text, middle);
  if (first === middle) return { text, at };
  return {
    text: text.slice(0, first) + text.slice(middle, last) + text.slice(first, middle) + text.slice(last),
    at: last,
  };
}

/** The place one line above or below; undefined where there is none. */
export function vertical(buffer: Buffer, by: -1 | 1): Buffer | undefined {
  const start = lineStart(buffer);
  const column = buffer.at - start;
  if (by < 0) {
    if (start === 0) return undefined;
    const above = lineStart(to(buffer, start - 1));
    return to(buffer, Math.min(above + column, start - 1));
  }
  const stop = lineEnd(buffer);
  if (stop === buffer.text.length) return undefined;
  return to(buffer, Math.min(stop + 1 + column, lineEnd(to(buffer, stop + 1))));
}
