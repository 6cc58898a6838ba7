import { getOwn } from '../../std/index.ts';
import type { Program } from '../process.ts';
import { out } from './tool.ts';

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\',
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  e: '\x1b',
};

/** What `\n`, `\t`, `\0101`, `\x41` stand for. `\c` ends the output. */
export function unescape(text: string): { readonly text: string; readonly ended: boolean } {
  const end = text.search(/(?<!\\)(?:\\\\)*\\c/);
  const kept = end < 0 ? text : text.slice(0, text.indexOf('\\c', end));
  const result = kept.replace(/\\(x[0-9a-fA-F]{1,2}|0[0-7]{1,3}|[0-7]{1,3}|[\s\S])/g, (whole, code: string) => {
    if (/^x./.test(code)) return String.fromCharCode(parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCharCode(parseInt(code, 8) & 255);
    return getOwn(ESCAPES, code) ?? whole;
  });
  return { text: result, ended: end >= 0 };
}

export const echo: Program = async (process) => {
  let words = process.args.slice(1);
  let [newline, escapes] = [true, false];
  for (; /^-[neE]+$/.test(words[0] ?? ''); words = words.slice(1)) {
    newline &&= !words[0]?.includes('n');
    if (words[0]?.includes('e')) escapes = true;
  }
  const text = words.join(' ');
  const shown = escapes ? unescape(text) : { text, ended: false };
  await out(process, shown.text + (newline && !shown.ended ? '\n' : ''));
  return 0;
};
