import type { Program } from '../process.ts';
import { unescape } from './echo.ts';
import { fail, out } from './tool.ts';

/** A width begins with no zero, which is a flag. */
const DIRECTIVE = /%(%|([-+ 0#]*)(\*|[1-9]\d*)?(?:\.(\*|\d+))?([diouxXeEfgGcsbq]))/g;

/** The maximum width of a field, because wide ones would use the host's memory. */
const WIDEST = 1_000_000;

/** A width or precision that was given as digits or by a word. */
const bounded = (text: string | undefined): number =>
  Math.max(-WIDEST, Math.min(WIDEST, Math.trunc(Number(text ?? 0)) || 0));

/** Fills a format with words, again and again until all are used. */
export function format(template: string, words: readonly string[]): string {
  const left = [...words];
  let result = '';
  do {
    const before = left.length;
    result += template.replace(
      DIRECTIVE,
      (_, whole: string, flags = '', width?: string, precision?: string, type = '') => {
        if (whole === '%') return '%';
        const size = width === '*' ? left.shift() : width;
        const digits = precision === '*' ? left.shift() : precision;
        return pad(one(type, left.shift() ?? '', flags, precisionOf(digits)), flags, bounded(size), type);
      },
    );
    if (left.length === before) break;
  } while (left.length > 0);
  return result;
}

/** A negative precision counts as none, as in C. */
const precisionOf = (digits: string | undefined): number | undefined =>
  digits === undefined || bounded(digits) < 0 ? undefined : bounded(digits);

function pad(text: string, flags: string, width: number, type: string): string {
  if (flags.includes('-') || width < 0) return text.padEnd(Math.abs(width));
  if (!flags.includes('0') || /[scbq]/.test(type)) return text.padStart(width);
  const sign = /^[-+ ]/.exec(text)?.[0] ?? '';
  return sign + text.slice(sign.length).padStart(width - sign.length, '0');
}

function one(type: string, word: string, flags: string, digits: number | undefined): string {
  switch (type) {
    case 's':
      return digits === undefined ? word : word.slice(0, digits);
    case 'c':
      return word.charAt(0);
    case 'b':
      return unescape(word).text;
    case 'q':
      return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
    default:
      return signed(
        /[diouxX]/.test(type) ? whole(type, integer(word), flags, digits) : real(type, Number(word) || 0, digits),
        flags,
        type,
      );
  }
}

function signed(text: string, flags: string, type: string): string {
  const takesSign = /[dieEfgG]/.test(type) && !text.startsWith('-');
  return takesSign && flags.includes('+') ? `+${text}` : takesSign && flags.includes(' ') ? ` ${text}` : text;
}

function integer(word: string): bigint {
  const quoted = /^["']([\s\S])/.exec(word)?.[1];
  if (quoted !== undefined) return BigInt(quoted.codePointAt(0) ?? 0);
  const [, sign = '', digits = '0'] = /^\s*([-+]?)(0[xX][0-9a-fA-F]+|\d+)/.exec(word) ?? [];
  const value = /^0[0-7]+$/.test(digits) ? BigInt(`0o${digits.slice(1)}`) : BigInt(digits);
  return sign === '-' ? -value : value;
}

function whole(type: string, value: bigint, flags: string, digits: number | undefined): string {
  const base = type === 'o' ? 8 : /[xX]/.test(type) ? 16 : 10;
  const magnitude = base === 10 && type !== 'u' ? (value < 0n ? -value : value) : BigInt.asUintN(64, value);
  const text = magnitude.toString(base).padStart(digits ?? 0, '0');
  const prefix = flags.includes('#') && base !== 10 ? (base === 8 ? '0' : '0x') : '';
  const shown = prefix + text;
  return (value < 0n && base === 10 && type !== 'u' ? '-' : '') + (type === 'X' ? shown.toUpperCase() : shown);
}

function real(type: string, value: number, digits = 6): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : value > 0 ? 'inf' : '-inf';
  const lower = type.toLowerCase();
  if (lower === 'f') return value.toFixed(Math.min(digits, 100));
  if (lower === 'e') return exponent(value.toExponential(Math.min(digits, 100)), type);
  const precision = Math.min(Math.max(digits, 1), 100);
  const power = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(Number(value.toPrecision(precision)))));
  const text =
    power < -4 || power >= precision
      ? value.toExponential(precision - 1)
      : value.toFixed(Math.max(0, precision - 1 - power));
  const trimmed = text.includes('.') ? text.replace(/\.?0+(?=e|$)/, '') : text;
  return exponent(trimmed, type === 'G' ? 'E' : 'e');
}

/** C writes at least two digits of an exponent. */
const exponent = (text: string, letter: string): string =>
  text.replace(/e([-+])(\d)$/, 'e$10$2').replace('e', letter === 'E' ? 'E' : 'e');

export const printf: Program = async (process) => {
  const [template, ...words] = process.args.slice(process.args[1] === '--' ? 2 : 1);
  if (template === undefined) return fail(process, 'usage: printf FORMAT [ARG]...', 2);
  await out(process, format(unescape(template.replace(/\\"/g, '"')).text, words));
  return 0;
};
