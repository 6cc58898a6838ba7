import { getOwn, decodeText, encodeText } from '../../std/index.ts';
import type { Process, Program } from '../process.ts';
import { readAll } from '../streams/index.ts';
import { eachInput, fail, LineWriter, linesOf, out, readLines, readOptions } from './tool.ts';

export const wc: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'lwcmL', '', ['lines', 'words', 'bytes', 'chars']);
  const every = !options.has('l', 'w', 'c', 'm', 'lines', 'words', 'bytes', 'chars');
  const totals = [0, 0, 0];
  const isPlain =
    [options.has('l', 'lines'), options.has('w', 'words'), options.has('c', 'm', 'bytes', 'chars')].filter(Boolean)
      .length === 1;
  const show = (counts: readonly number[], name: string): Promise<void> => {
    const [lines, words, bytes] = counts;
    const shown = [
      ...(every || options.has('l', 'lines') ? [lines] : []),
      ...(every || options.has('w', 'words') ? [words] : []),
      ...(every || options.has('c', 'm', 'bytes', 'chars') ? [bytes] : []),
    ];
    const text = shown.map((value) => (isPlain ? String(value) : String(value).padStart(9))).join(isPlain ? ' ' : '');
    return out(process, `${text}${name === '-' ? '' : ` ${name}`}\n`);
  };
  const code = await eachInput(process, options.rest, async (stream, name) => {
    const bytes = await readAll(stream, process.killed);
    const text = decodeText(bytes);
    const counts = [
      text.split('\n').length - 1,
      text.split(/\s+/).filter(Boolean).length,
      options.has('m', 'chars') ? [...text].length : bytes.length,
    ];
    counts.forEach((count, i) => (totals[i] = (totals[i] ?? 0) + count));
    await show(counts, name);
  });
  if (options.rest.length > 1) await show(totals, 'total');
  return code;
};

/** Fields and places of `cut -f1,3-5`. */
function inRanges(list: string): (place: number) => boolean {
  const ranges = list.split(',').map((range) => {
    const [from = '', to = from] = range.split('-');
    return [Number(from || 1), range.endsWith('-') ? Infinity : Number(to)] as const;
  });
  return (place) => ranges.some(([from, to]) => place >= from && place <= to);
}

export const cut: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'sn', 'dfcb', [
    'delimiter=',
    'fields=',
    'characters=',
    'output-delimiter=',
  ]);
  const delimiter = options.value('d', 'delimiter') ?? '\t';
  const fields = options.value('f', 'fields');
  const wanted = inRanges(fields ?? options.value('c', 'b', 'characters') ?? '1-');
  const writer = new LineWriter(process);
  const code = await eachInput(process, options.rest, async (stream) => {
    for await (const line of linesOf(process, stream)) {
      if (fields === undefined) await writer.line([...line].filter((_, i) => wanted(i + 1)).join(''));
      else if (!line.includes(delimiter)) {
        if (!options.has('s')) await writer.line(line);
      } else
        await writer.line(
          line
            .split(delimiter)
            .filter((_, i) => wanted(i + 1))
            .join(options.value('output-delimiter') ?? delimiter),
        );
    }
  });
  await writer.flush();
  return code;
};

const CLASSES: Readonly<Record<string, string>> = {
  lower: 'a-z',
  upper: 'A-Z',
  digit: '0-9',
  alpha: 'A-Za-z',
  alnum: 'A-Za-z0-9',
  space: ' \\t\\n\\r\\f\\v',
  blank: ' \\t',
  punct: '!-/:-@[-`{-~',
};
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', f: '\f', v: '\v', '\\': '\\' };

/** The characters of a set of `tr`. */
function characters(set: string): string[] {
  const expanded = set.replace(/\[:(\w+):\]/g, (_, name: string) => getOwn(CLASSES, name) ?? '');
  const single = '(?:\\\\([0-7]{1,3}|[\\s\\S])|([\\s\\S]))';
  const found: string[] = [];
  const one = (escaped?: string, plain?: string): string =>
    escaped === undefined
      ? (plain ?? '')
      : /^[0-7]/.test(escaped)
        ? String.fromCharCode(parseInt(escaped, 8))
        : (getOwn(ESCAPES, escaped) ?? escaped);
  for (const match of expanded.matchAll(new RegExp(`${single}(?:-${single})?`, 'gu'))) {
    const from = one(match[1], match[2]);
    const to = match[3] === undefined && match[4] === undefined ? from : one(match[3], match[4]);
    for (let code = from.codePointAt(0) ?? 0; code <= (to.codePointAt(0) ?? 0); code++)
      found.push(String.fromCodePoint(code));
  }
  return found;
}

export const tr: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'dscC', '', ['delete', 'squeeze-repeats', 'complement'], true);
  const [first = '', second = ''] = options.rest;
  const from = characters(first);
  const to = characters(second);
  const inSet = (char: string): boolean => from.includes(char) !== options.has('c', 'C', 'complement');
  const deletes = options.has('d', 'delete');
  const squeezed = options.has('s', 'squeeze-repeats')
    ? second === ''
      ? inSet
      : (char: string) => to.includes(char)
    : () => false;
  const change = (char: string): string => {
    if (to.length === 0 || deletes || !inSet(char)) return char;
    return (
      to[Math.min(options.has('c', 'C', 'complement') ? to.length - 1 : from.indexOf(char), to.length - 1)] ?? char
    );
  };
  let last = '';
  for (let bytes = await process.stdin.read(process.killed); bytes; bytes = await process.stdin.read(process.killed)) {
    let text = '';
    for (const char of decodeText(bytes)) {
      if (deletes && inSet(char)) continue;
      const changed = change(char);
      if (!(changed === last && squeezed(changed))) text += changed;
      last = changed;
    }
    await out(process, text);
  }
  return 0;
};

export const sort: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'nrubfghVszdiMc', 'ktoS', [
    'numeric-sort',
    'reverse',
    'unique',
    'key=',
    'field-separator=',
    'human-numeric-sort',
    'version-sort',
  ]);
  const { lines, code } = await readLines(process, options.rest);
  const separator = options.value('t', 'field-separator');
  const keys = options.values('k', 'key').map((key) => keyOf(key, separator));
  const global = `${options.has('n', 'g', 'h', 'numeric-sort') ? 'n' : ''}${options.has('V', 'version-sort') ? 'V' : ''}${options.has('f') ? 'f' : ''}`;
  const isReversed = options.has('r', 'reverse');
  const byKeys = (a: string, b: string): number => {
    for (const { of, flags } of keys.length > 0 ? keys : [{ of: (line: string) => line, flags: '' }]) {
      const modes = flags.replace('r', '') || global;
      const order = compare(of(a), of(b), modes);
      if (order !== 0) return flags.includes('r') || (flags === '' && isReversed) ? -order : order;
    }
    return 0;
  };
  const whole = (a: string, b: string): number =>
    byKeys(a, b) || (options.has('s') ? 0 : (isReversed ? -1 : 1) * compare(a, b, ''));
  const sorted = lines.sort(whole);
  const shown = options.has('u', 'unique')
    ? sorted.filter((line, i) => i === 0 || byKeys(sorted[i - 1] ?? '', line) !== 0)
    : sorted;
  const text = shown.map((line) => `${line}\n`).join('');
  const file = options.value('o');
  if (file === undefined) await out(process, text);
  else process.files.write(file, text);
  return code;
};

function keyOf(
  key: string,
  separator: string | undefined,
): { readonly of: (line: string) => string; readonly flags: string } {
  const [, from = '1', , to] = /^(\d+)(\.\d+)?[a-zA-Z]*(?:,(\d+))?/.exec(key) ?? [];
  const flags = key.replace(/[^a-zA-Z]/g, '');
  const of = (line: string): string => {
    const fields = separator === undefined ? line.trimStart().split(/\s+/) : line.split(separator);
    return fields.slice(Number(from) - 1, to === undefined ? undefined : Number(to)).join(separator ?? ' ');
  };
  return { of, flags };
}

const UNITS: Readonly<Record<string, number>> = { K: 1e3, M: 1e6, G: 1e9, T: 1e12 };

function compare(a: string, b: string, modes: string): number {
  const order = (x: string | number, y: string | number): number => (x < y ? -1 : x > y ? 1 : 0);
  if (modes.includes('V')) return a.localeCompare(b, 'en', { numeric: true });
  if (/[ngh]/.test(modes)) {
    const value = (text: string): number =>
      (parseFloat(text) || 0) * (getOwn(UNITS, /^\s*[-\d.]+([KMGT])/i.exec(text)?.[1]?.toUpperCase() ?? '') ?? 1);
    return order(value(a), value(b));
  }
  return modes.includes('f') ? order(a.toUpperCase(), b.toUpperCase()) : order(a, b);
}

export const uniq: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'cdui', 'fsw');
  const { lines, code } = await readLines(process, options.rest.slice(0, 1));
  const groups: { line: string; count: number }[] = [];
  const key = (line: string): string => (options.has('i') ? line.toLowerCase() : line);
  for (const line of lines) {
    const last = groups[groups.length - 1];
    if (last && key(last.line) === key(line)) last.count += 1;
    else groups.push({ line, count: 1 });
  }
  const shown = groups.filter(({ count }) => (options.has('d') ? count > 1 : options.has('u') ? count === 1 : true));
  await out(
    process,
    shown.map(({ line, count }) => `${options.has('c') ? `${String(count).padStart(7)} ` : ''}${line}\n`).join(''),
  );
  return code;
};

export const seq: Program = async (process) => {
  const options = readOptions(
    process.args.slice(1).map((word) => word.replace(/^(-[\d.].*)$/, '=$1')),
    'w',
    's',
  );
  const words = options.rest.map((word) => word.replace(/^=/, ''));
  const numbers = words.map(Number);
  if (numbers.length === 0 || numbers.some(Number.isNaN)) return fail(process, 'invalid number');
  const [first, step, last] =
    numbers.length === 1
      ? [1, 1, numbers[0] ?? 0]
      : numbers.length === 2
        ? [numbers[0] ?? 1, 1, numbers[1] ?? 0]
        : [numbers[0] ?? 1, numbers[1] ?? 1, numbers[2] ?? 0];
  if (step === 0) return fail(process, 'zero increment');
  const digits = Math.max(...words.map((word) => word.split('.')[1]?.length ?? 0));
  const width = options.has('w') ? Math.max(first.toFixed(digits).length, last.toFixed(digits).length) : 0;
  const separator = options.value('s') ?? '\n';
  const writer = new LineWriter(process);
  const count = Math.floor((last - first) / step + 1e-9);
  for (let i = 0; i <= count; i++) {
    const slice = process.step();
    if (slice) await slice;
    await writer.write((i > 0 ? separator : '') + (first + i * step).toFixed(digits).padStart(width, '0'));
  }
  if (count >= 0) await writer.write('\n');
  await writer.flush();
  return 0;
};

export const tac: Program = async (process) => {
  const { lines, code } = await readLines(process, process.args.slice(1));
  await out(
    process,
    lines
      .reverse()
      .map((line) => `${line}\n`)
      .join(''),
  );
  return code;
};

export const rev: Program = async (process) => {
  const { lines, code } = await readLines(process, process.args.slice(1));
  await out(process, lines.map((line) => `${[...line].reverse().join('')}\n`).join(''));
  return code;
};

export const tee: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'ai', '', ['append']);
  const append = options.has('a', 'append');
  for (const path of options.rest) if (!append || !process.files.tryFind(path)) process.files.write(path, '');
  for (let bytes = await process.stdin.read(process.killed); bytes; bytes = await process.stdin.read(process.killed)) {
    for (const path of options.rest) appendTo(process, path, bytes);
    await out(process, bytes);
  }
  return 0;
};

function appendTo(process: Process, path: string, bytes: Uint8Array): void {
  const node = process.files.open(path);
  if (node.type === 'file') node.writeAt(node.size, bytes, process.system.clock.now());
}

export const yes: Program = async (process) => {
  const text = encodeText(`${process.args.slice(1).join(' ') || 'y'}\n`.repeat(64));
  for (;;) {
    const slice = process.step();
    if (slice) await slice;
    await out(process, text);
  }
};
