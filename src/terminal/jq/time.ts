/** Times of jq: seconds since 1970, and texts of them. */
import { getOwn } from '../../std/index.ts';
import { described, JqError } from './values.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  ...[
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ],
];

const two = (value: number): string => String(value).padStart(2, '0');

const FIELDS: Readonly<Record<string, (time: Date) => string>> = {
  Y: (time) => String(time.getUTCFullYear()),
  m: (time) => two(time.getUTCMonth() + 1),
  d: (time) => two(time.getUTCDate()),
  e: (time) => String(time.getUTCDate()).padStart(2),
  H: (time) => two(time.getUTCHours()),
  I: (time) => two(time.getUTCHours() % 12 || 12),
  M: (time) => two(time.getUTCMinutes()),
  S: (time) => two(time.getUTCSeconds()),
  Z: () => 'UTC',
  z: () => '+0000',
  a: (time) => (DAYS[time.getUTCDay()] ?? '').slice(0, 3),
  A: (time) => DAYS[time.getUTCDay()] ?? '',
  b: (time) => (MONTHS[time.getUTCMonth()] ?? '').slice(0, 3),
  B: (time) => MONTHS[time.getUTCMonth()] ?? '',
  s: (time) => String(Math.floor(time.getTime() / 1000)),
  j: (time) =>
    String(Math.floor((time.getTime() - Date.UTC(time.getUTCFullYear(), 0)) / 86_400_000) + 1).padStart(3, '0'),
  p: (time) => (time.getUTCHours() < 12 ? 'AM' : 'PM'),
  n: () => '\n',
  t: () => '\t',
  '%': () => '%',
};

const SHORT: Readonly<Record<string, string>> = {
  F: '%Y-%m-%d',
  T: '%H:%M:%S',
  D: '%m/%d/%y',
  R: '%H:%M',
  c: '%a %b %e %H:%M:%S %Y',
};

function written(value: unknown, format: unknown): string {
  if (typeof format !== 'string') throw new JqError('strftime/1 requires a string format');
  const time = new Date(typeof value === 'number' ? value * 1000 : secondsOf(value) * 1000);
  return format
    .replace(/%([FTDRc])/g, (whole, letter: string) => getOwn(SHORT, letter) ?? whole)
    .replace(/%(.)/g, (whole, letter: string) => getOwn(FIELDS, letter)?.(time) ?? whole);
}

/** Seconds of a broken down time: year, month from 0, day, hours, minutes, seconds. */
function secondsOf(value: unknown): number {
  if (!Array.isArray(value) || value.some((part) => typeof part !== 'number'))
    throw new JqError('strftime/1 requires parsed datetime inputs');
  const [year = 1970, month = 0, day = 1, hours = 0, minutes = 0, seconds = 0] = value as number[];
  return Date.UTC(year, month, day, hours, minutes, 0) / 1000 + seconds;
}

export const dateFunctions: Readonly<Record<string, (value: unknown, ...args: readonly unknown[]) => unknown>> = {
  'strftime/1': written,
  'mktime/0': (value) => Math.floor(secondsOf(value)),
  'gmtime/0': (value) => {
    if (typeof value !== 'number') throw new JqError('gmtime() requires a number');
    const time = new Date(Math.floor(value) * 1000);
    const yearDay = Math.floor((time.getTime() - Date.UTC(time.getUTCFullYear(), 0)) / 86_400_000);
    return [
      ...[time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate(), time.getUTCHours(), time.getUTCMinutes()],
      ...[time.getUTCSeconds() + (value - Math.floor(value)), time.getUTCDay(), yearDay],
    ];
  },
  'fromdateiso8601/0': (value) => {
    const time = typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value) ? Date.parse(value) : NaN;
    if (Number.isNaN(time))
      throw new JqError(
        typeof value === 'string'
          ? `date "${value}" does not match format "%Y-%m-%dT%H:%M:%SZ"`
          : `strptime/1 requires string inputs and arguments (${described(value)})`,
      );
    return time / 1000;
  },
};
