import type { Process, Program } from '../process.ts';
import { readAll } from '../streams/index.ts';
import { openFile } from '../files/index.ts';
import { attempt, out, readOptions } from './tool.ts';

const WIDTH = 16;
const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
const isShown = (byte: number): boolean => byte >= 32 && byte < 127;

/** Prints bytes in hexadecimal: pairs, or with `-C` single bytes beside their characters. */
export const hexdump: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'Cv', 'n');
  const most = Number(options.value('n') ?? Infinity);
  return attempt(process, options.rest[0] ?? 'stdin', async () => {
    const bytes = (await inputOf(process, options.rest)).subarray(0, Math.min(most, Number.MAX_SAFE_INTEGER));
    const canonical = options.has('C');
    const line = canonical ? canonicalLine : pairLine;
    await out(process, dump(bytes, line, canonical ? 8 : 7, options.has('v')));
  });
};

/** Prints bytes in groups: `-t x1` in hexadecimal, `-c` as characters, else as octal pairs. `-A n` leaves out the offsets. */
export const od: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'vcx', 'tAN');
  const most = Number(options.value('N') ?? Infinity);
  return attempt(process, options.rest[0] ?? 'stdin', async () => {
    const bytes = (await inputOf(process, options.rest)).subarray(0, Math.min(most, Number.MAX_SAFE_INTEGER));
    const line = options.has('c') ? characterLine : options.value('t')?.startsWith('x1') ? byteLine : octalLine;
    const text = dump(bytes, line, 7, options.has('v'), 8);
    await out(process, options.value('A') === 'n' ? text.replace(/^\d{7}/gm, '').replace(/\n$/, '') : text);
  });
};

async function inputOf(process: Process, paths: readonly string[]): Promise<Uint8Array> {
  if (paths.length === 0) return readAll(process.stdin);
  const parts: Uint8Array[] = [];
  for (const path of paths) {
    const stream = openFile(process, path, { read: true });
    parts.push(await readAll(stream));
    stream.release();
  }
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

type Line = (bytes: Uint8Array) => string;

/** Lines that repeat the one before are shown as a star. */
function dump(bytes: Uint8Array, line: Line, digits: number, all: boolean, radix = 16): string {
  const offset = (at: number): string => at.toString(radix).padStart(digits, '0');
  const lines: string[] = [];
  let last: string | undefined;
  for (let at = 0; at < bytes.length; at += WIDTH) {
    const text = line(bytes.subarray(at, at + WIDTH));
    if (all || text !== last) lines.push(`${offset(at)}${text}`);
    else if (lines.at(-1) !== '*') lines.push('*');
    last = text;
  }
  if (bytes.length > 0) lines.push(offset(bytes.length));
  return lines.map((text) => `${text}\n`).join('');
}

function canonicalLine(bytes: Uint8Array): string {
  const half = (from: number): string =>
    Array.from({ length: 8 }, (_, i) => (from + i < bytes.length ? `${hex(bytes[from + i] ?? 0, 2)} ` : '   ')).join(
      '',
    );
  const text = Array.from(bytes, (byte) => (isShown(byte) ? String.fromCharCode(byte) : '.')).join('');
  return `  ${half(0)} ${half(8)} |${text}|`;
}

const pairs = (bytes: Uint8Array, show: (pair: number) => string): string =>
  Array.from({ length: Math.ceil(bytes.length / 2) }, (_, i) => {
    const pair = (bytes[2 * i] ?? 0) | ((bytes[2 * i + 1] ?? 0) << 8);
    return ` ${show(pair)}`;
  }).join('');

const pairLine: Line = (bytes) => pairs(bytes, (pair) => hex(pair, 4));
const octalLine: Line = (bytes) => pairs(bytes, (pair) => pair.toString(8).padStart(6, '0'));
const byteLine: Line = (bytes) => Array.from(bytes, (byte) => ` ${hex(byte, 2)}`).join('');

const NAMED = new Map([
  [0, '\\0'],
  [9, '\\t'],
  [10, '\\n'],
  [13, '\\r'],
]);

const characterLine: Line = (bytes) =>
  Array.from(bytes, (byte) => {
    const text = NAMED.get(byte) ?? (isShown(byte) ? String.fromCharCode(byte) : byte.toString(8).padStart(3, '0'));
    return ` ${text.padStart(3)}`;
  }).join('');
