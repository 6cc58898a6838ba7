import { decodeText, encodeText } from '../../std/index.ts';
import { problemText, SystemError } from '../errors.ts';
import { openFile } from '../files/index.ts';
import type { Process } from '../process.ts';
import { readLine, type Stream } from '../streams/index.ts';

/** Writes a text to the standard output. */
export const out = (process: Process, text: string | Uint8Array): Promise<void> =>
  process.stdout.write(typeof text === 'string' ? encodeText(text) : text);

/** The name under which a program was started, without its directory. */
export const nameOf = ({ args: [name = ''] }: Process): string => name.slice(name.lastIndexOf('/') + 1);

/** Reports a problem as programs do, `cat: …`; returns the exit code. */
export async function fail(process: Process, message: string, code = 1): Promise<number> {
  await process.stderr.write(encodeText(`${nameOf(process)}: ${message}\n`));
  return code;
}

/** Does something with a path; a system call that fails is reported. Returns the exit code. */
export async function attempt(process: Process, prefix: string, run: () => unknown): Promise<number> {
  try {
    await run();
    return 0;
  } catch (problem) {
    return fail(process, `${prefix}: ${problemText(problem)}`);
  }
}

export interface Options {
  has(...names: string[]): boolean;
  /** The last value of an option. */
  value(...names: string[]): string | undefined;
  /** All values of an option. */
  values(...names: string[]): readonly string[];
  /** The words that aren't options. */
  readonly rest: readonly string[];
  /** The first option that isn't known. */
  readonly unknown: string | undefined;
}

/**
 * Parses options like getopt. `flags` are the letters without a value, `valued` those with one; long options are given
 * by name: `count=` has a value. `inOrder`: the first argument that is not an option ends them.
 */
export function readOptions(
  args: readonly string[],
  flags: string,
  valued = '',
  long: readonly string[] = [],
  inOrder = false,
): Options {
  const found: (readonly [string, string])[] = [];
  const rest: string[] = [];
  let unknown: string | undefined;
  const words = [...args];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--') {
      rest.push(...words);
      break;
    }
    if (word.startsWith('--')) {
      const [name = '', value] = splitOnce(word.slice(2), '=');
      const takesValue = long.includes(`${name}=`);
      if (!takesValue && !long.includes(name)) unknown ??= word;
      found.push([name, value ?? (takesValue ? (words.shift() ?? '') : '')]);
    } else if (/^-./.test(word)) unknown = readLetters(word.slice(1), flags, valued, words, found) ?? unknown;
    else {
      rest.push(word);
      if (inOrder) rest.push(...words.splice(0));
    }
  }
  const values = (...names: string[]): string[] =>
    found.filter(([name]) => names.includes(name)).map(([, value]) => value);
  return {
    rest,
    unknown,
    values,
    has: (...names) => values(...names).length > 0,
    value: (...names) => values(...names).pop(),
  };
}

function readLetters(
  letters: string,
  flags: string,
  valued: string,
  words: string[],
  found: (readonly [string, string])[],
): string | undefined {
  let unknown: string | undefined;
  for (let i = 0; i < letters.length; i++) {
    const letter = letters.charAt(i);
    if (valued.includes(letter)) {
      found.push([letter, letters.slice(i + 1) || (words.shift() ?? '')]);
      break;
    }
    if (!flags.includes(letter)) unknown ??= `-${letter}`;
    found.push([letter, '']);
  }
  return unknown;
}

export function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Opens each named file, `-` being the standard input, and hands it on; those that can't be opened are reported. */
export async function eachInput(
  process: Process,
  names: readonly string[],
  use: (stream: Stream, name: string) => Promise<void>,
): Promise<number> {
  let code = 0;
  for (const name of names.length > 0 ? names : ['-']) {
    try {
      const stream = name === '-' ? process.stdin.retain() : openFile(process, name, { read: true });
      try {
        // Files are read with the patience of the process, not of the stream.
        await use(name === '-' ? process.stdin : stream, name);
      } finally {
        stream.release();
      }
    } catch (problem) {
      if (problem instanceof SystemError && problem.code === 'EPIPE') throw problem;
      code = await fail(process, cannotOpen(name, problem));
    }
  }
  return code;
}

const cannotOpen = (name: string, problem: unknown): string => {
  const text = problemText(problem);
  return problem instanceof SystemError && problem.code === 'EISDIR'
    ? `read error: ${text}`
    : `can't open '${name}': ${text}`;
};

/** The lines of a stream without their ends. */
export async function* linesOf(process: Process, stream: Stream): AsyncGenerator<string> {
  for (;;) {
    const bytes = await readLine(stream, process.killed);
    if (!bytes) return;
    const slice = process.step();
    if (slice) await slice;
    yield decodeText(bytes).replace(/\n$/, '');
  }
}

/** All lines of the named files. Reports those that can't be opened. */
export async function readLines(
  process: Process,
  names: readonly string[],
): Promise<{ readonly lines: string[]; readonly code: number }> {
  const lines: string[] = [];
  const code = await eachInput(process, names, async (stream) => {
    for await (const line of linesOf(process, stream)) lines.push(line);
  });
  return { lines, code };
}

/** Writes lines together, so that long outputs cost few writes. */
export class LineWriter {
  readonly #process: Process;
  #text = '';

  constructor(process: Process) {
    this.#process = process;
  }

  async line(text: string): Promise<void> {
    await this.write(`${text}\n`);
  }

  async write(text: string): Promise<void> {
    this.#text += text;
    if (this.#text.length > 4096) await this.flush();
  }

  async flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    if (text !== '') await out(this.#process, text);
  }
}

/** `1.5s`, `2m`, `infinity` in milliseconds; undefined if invalid. */
export function parseTime(text: string): number | undefined {
  if (/^inf(inity)?$/.test(text)) return Infinity;
  const [, amount, unit = 's'] = /^(\d*\.\d+|\d+\.?)([smhd]?)$/.exec(text) ?? [];
  if (amount === undefined) return undefined;
  return Number(amount) * ({ s: 1, m: 60, h: 3600, d: 86400 }[unit || 's'] ?? 1) * 1000;
}

/** `10k`, `3M` in units; undefined if invalid. */
export function parseSize(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+)([bkKmMgG]?)(?:i?B)?$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return Number(digits) * ({ '': 1, b: 512, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }[unit.toLowerCase()] ?? 1);
}
