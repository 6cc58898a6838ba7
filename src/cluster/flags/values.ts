/**
 * The values of flags by type, parsed as in the reference's libraries. A value is a list of texts: one for most types,
 * several for repeatable flags.
 */
import { formatDuration, parseAddress, parseBlock, parseDuration } from '../../schema/index.ts';
import type { FlagType } from './declare.ts';

/** Thrown for an invalid value, with the reference's message. */
export class ValueError extends Error {
  override name = 'ValueError';
}

export interface ValueType {
  /** The name of the type for display. */
  readonly title: string;
  /** The value of a flag without a value; if missing, the next argument is the value. */
  readonly bare?: string;
  /** The value if neither an argument nor the declaration has one. */
  readonly zero?: string;
  /** Whether further values are appended instead of replacing earlier ones. */
  readonly several?: true;
  /** Adds one text to the values. Throws ValueError. */
  add(text: string, before: readonly string[]): readonly string[];
}

const fail = (message: string): never => {
  throw new ValueError(message);
};

const one =
  (read: (text: string) => string) =>
  (text: string): readonly string[] => [read(text)];

const TRUE = /^(1|t|T|TRUE|true|True)$/;
const FALSE = /^(0|f|F|FALSE|false|False)$/;

/** `true` or `false` from any spelling that the reference accepts. */
export function readBool(text: string): boolean {
  if (TRUE.test(text)) return true;
  return FALSE.test(text) ? false : fail(`strconv.ParseBool: parsing ${JSON.stringify(text)}: invalid syntax`);
}

/** Digits in any base by prefix, with underscores if there is a prefix. */
const INTEGER = /^([-+]?)(?:(0[xX])([0-9a-fA-F_]+)|(0[bB])([01_]+)|(0[oO]?)([0-7_]+)|([0-9]+))$/;

/** An integer within bounds, in decimal. */
function readInteger(text: string, least: bigint, most: bigint, name: string): string {
  const match = INTEGER.exec(text);
  const bad = (why: string): never => fail(`strconv.${name}: parsing ${JSON.stringify(text)}: ${why}`);
  if (!match || (name === 'ParseUint' && match[1] !== '')) return bad('invalid syntax');
  const [, sign = '', hex, hexDigits = '', bin, binDigits = '', octal, octalDigits = '', decimal = ''] = match;
  const digits = (hex ? `0x${hexDigits}` : bin ? `0b${binDigits}` : octal ? `0o${octalDigits}` : decimal).replaceAll(
    '_',
    '',
  );
  if (/^0[xbo]$/.test(digits)) return bad('invalid syntax');
  const value = BigInt(digits) * (sign === '-' ? -1n : 1n);
  return value < least || value > most ? bad('value out of range') : String(value);
}

const signed =
  (bits: bigint) =>
  (text: string): string =>
    readInteger(text, -(1n << (bits - 1n)), (1n << (bits - 1n)) - 1n, 'ParseInt');

const unsigned = (text: string): string => readInteger(text, 0n, (1n << 64n) - 1n, 'ParseUint');

const FLOAT = /^[-+]?((\d+(?:\.\d*)?|\.\d+)([eE][-+]?\d+)?|inf(inity)?|nan)$/i;

function readFloat(text: string): string {
  if (!FLOAT.test(text)) fail(`strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax`);
  const value = Number(text);
  return Number.isNaN(value) ? text : String(value);
}

/** A duration in its normal form: `90s` becomes `1m30s`. */
function readDuration(text: string): string {
  const ms = parseDuration(text);
  if (ms !== undefined) return formatDuration(ms);
  if (/^[-+]?(\d+\.?\d*|\.\d+)$/.test(text)) fail(`time: missing unit in duration ${JSON.stringify(text)}`);
  const unit = /^[-+]?(?:[\d.]+(?:ns|us|µs|μs|ms|s|m|h))*[\d.]+([^\d.]+)/.exec(text)?.[1];
  return fail(
    unit === undefined || !/\d/.test(text)
      ? `time: invalid duration ${JSON.stringify(text)}`
      : `time: unknown unit ${JSON.stringify(unit)} in duration ${JSON.stringify(text)}`,
  );
}

function readIP(text: string): string {
  const trimmed = text.trim();
  return parseAddress(trimmed) ? trimmed : fail(`failed to parse IP: ${JSON.stringify(text)}`);
}

/** The items of a comma-separated line; items with commas are quoted. */
export function readList(text: string): readonly string[] {
  if (text === '') return [];
  const items: string[] = [];
  for (let rest = `,${text}`; rest !== '';) {
    const match = /^,(?:"((?:[^"]|"")*)"(?=,|$)|([^",]*)(?=,|$))/.exec(rest);
    if (!match)
      return fail(
        `parse error on line 1: ${/^,"/.test(rest) ? 'extraneous or missing " in quoted-field' : 'bare " in non-quoted field'}`,
      );
    items.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    rest = rest.slice(match[0].length);
  }
  return items;
}

const cidr = (text: string): string => (parseBlock(text) ? text : fail(`invalid CIDR address: ${text}`));

/** `LOW-HIGH`, `LOW+MORE` or one port, as `LOW-HIGH`. */
function readPortRange(text: string): string {
  const match = /^(\d+)(?:([-+])(\d+))?$/.exec(text.trim());
  if (!match) return fail(`unable to parse port range: ${text}`);
  const low = Number(match[1]);
  const high = match[2] === undefined ? low : Number(match[3]) + (match[2] === '+' ? low : 0);
  if (low > 65535 || high > 65535) fail(`the port range cannot be greater than 65535: ${text}`);
  return high < low ? fail(`end port cannot be less than start port: ${text}`) : `${low}-${high}`;
}

/** `CERTIFICATE,KEY` or `CERTIFICATE,KEY:NAME,…`. */
function readNamedCertKey(text: string): string {
  const [files = '', ...names] = text.split(':');
  const parts = files.split(',').map((part) => part.trim());
  if (parts.length !== 2 || parts.includes('')) fail('expected comma separated certificate and key file paths');
  if (
    names.length > 0 &&
    names
      .join(':')
      .split(',')
      .some((name) => name.trim() === '')
  )
    fail('empty names list is not allowed');
  return text;
}

/** Pairs by key: a later one replaces an earlier one with its key, at the same position. */
function merge(
  before: readonly string[],
  pairs: readonly (readonly [key: string, value: string])[],
): readonly string[] {
  const all = new Map(before.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]));
  for (const [key, value] of pairs) all.set(key, value);
  return Array.from(all, ([key, value]) => `${key}=${value}`);
}

const split = (pair: string): [key: string, value: string | undefined] => {
  const at = pair.indexOf('=');
  return at < 0 ? [pair.trim(), undefined] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
};

/** Unknown features are reported later. */
function readGates(text: string, before: readonly string[]): readonly string[] {
  const pairs = text.split(',').filter(Boolean).map(split);
  return merge(
    before,
    pairs.map(([key, value = fail(`missing bool value for ${key}`)]) => {
      if (!TRUE.test(value) && !FALSE.test(value))
        fail(
          `invalid value of ${key}=${value}, err: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`,
        );
      return [key, String(TRUE.test(value))];
    }),
  );
}

function readRuntimeConfig(text: string, before: readonly string[]): readonly string[] {
  const pairs = text.split(',').filter(Boolean).map(split);
  return merge(
    before,
    pairs.map(([key, value = '']) => [key, value]),
  );
}

function readPair(text: string, before: readonly string[]): readonly string[] {
  const [key, value = fail('malformed pair, expect string=string')] = split(text);
  return merge(before, [[key, value]]);
}

function readSeverity(text: string): string {
  const at = ['INFO', 'WARNING', 'ERROR', 'FATAL'].indexOf(text.toUpperCase());
  return at >= 0 ? String(at) : signed(32n)(text);
}

function readTrace(text: string): string {
  return text === '' || /^[^:]*:\d+$/.test(text) ? text : fail('syntax error: expect file.go:234');
}

function readModules(text: string): string {
  const bad = text
    .split(',')
    .filter(Boolean)
    .find((item) => !/^[^=]+=\d+$/.test(item));
  return bad === undefined ? text : fail('syntax error: expect comma-separated list of filename=N');
}

const same = (text: string): string => text;
const bool = one((text) => String(readBool(text)));

export const valueTypes: Readonly<Record<FlagType, ValueType>> = {
  bool: { title: 'true or false', bare: 'true', zero: 'false', add: bool },
  int: { title: 'whole number', zero: '0', add: one(signed(64n)) },
  int32: { title: 'whole number', zero: '0', add: one(signed(32n)) },
  uint: { title: 'whole number from 0', zero: '0', add: one(unsigned) },
  float: { title: 'number', zero: '0', add: one(readFloat) },
  float32: { title: 'number', zero: '0', add: one(readFloat) },
  duration: { title: 'duration', zero: '0s', add: one(readDuration) },
  string: { title: 'text', add: one(same) },
  strings: { title: 'list', several: true, add: (text, before) => [...before, ...readList(text)] },
  stringArray: { title: 'text, repeatedly', several: true, add: (text, before) => [...before, text] },
  featureGates: { title: 'features', several: true, add: readGates },
  runtimeConfig: { title: 'API versions', several: true, add: readRuntimeConfig },
  pairs: { title: 'key=value, repeatedly', several: true, add: readPair },
  ip: { title: 'address', add: one(readIP) },
  cidrs: { title: 'address ranges', add: (text) => text.split(',').map(cidr) },
  portRange: { title: 'range of ports', add: one(readPortRange) },
  namedCertKey: {
    title: 'certificate,key:names, repeatedly',
    several: true,
    add: (text, before) => [...before, readNamedCertKey(text)],
  },
  level: { title: 'level', zero: '0', add: one(signed(32n)) },
  moduleSpec: { title: 'pattern=level', add: one(readModules) },
  severity: { title: 'severity', add: one(readSeverity) },
  traceLocation: { title: 'file:line', add: one(readTrace) },
  version: {
    title: 'true, false or raw',
    bare: 'true',
    zero: 'false',
    add: one((text) => (text === 'raw' ? text : String(readBool(text)))),
  },
};
