import { getOwn } from '../../std/index.ts';
import type { Program } from '../process.ts';
import { fail, out, readOptions } from './tool.ts';

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const FULL_DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const FULL_MONTHS = [
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
];

const two = (value: number): string => String(value).padStart(2, '0');

/** What a letter of a date's format shows; times are UTC, as in images that say nothing else. */
const DATE_LETTERS: Readonly<Record<string, (date: Date) => string>> = {
  Y: (d) => String(d.getUTCFullYear()),
  y: (d) => two(d.getUTCFullYear() % 100),
  m: (d) => two(d.getUTCMonth() + 1),
  d: (d) => two(d.getUTCDate()),
  e: (d) => String(d.getUTCDate()).padStart(2),
  H: (d) => two(d.getUTCHours()),
  I: (d) => two(((d.getUTCHours() + 11) % 12) + 1),
  M: (d) => two(d.getUTCMinutes()),
  S: (d) => two(d.getUTCSeconds()),
  N: (d) => `${String(d.getUTCMilliseconds()).padStart(3, '0')}000000`,
  p: (d) => (d.getUTCHours() < 12 ? 'AM' : 'PM'),
  s: (d) => String(Math.floor(d.getTime() / 1000)),
  a: (d) => DAYS[d.getUTCDay()] ?? '',
  A: (d) => FULL_DAYS[d.getUTCDay()] ?? '',
  b: (d) => MONTHS[d.getUTCMonth()] ?? '',
  h: (d) => MONTHS[d.getUTCMonth()] ?? '',
  B: (d) => FULL_MONTHS[d.getUTCMonth()] ?? '',
  j: (d) => String(Math.floor((d.getTime() - Date.UTC(d.getUTCFullYear(), 0, 1)) / 86_400_000) + 1).padStart(3, '0'),
  u: (d) => String(d.getUTCDay() || 7),
  w: (d) => String(d.getUTCDay()),
  z: () => '+0000',
  Z: () => 'UTC',
  n: () => '\n',
  t: () => '\t',
  '%': () => '%',
};

const COMBINED: Readonly<Record<string, string>> = {
  F: '%Y-%m-%d',
  T: '%H:%M:%S',
  D: '%m/%d/%y',
  R: '%H:%M',
  c: '%a %b %e %H:%M:%S %Y',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
};

/** A moment by a format of `date`. */
export function formatDate(format: string, ms: number): string {
  const date = new Date(ms);
  const expanded = format.replace(/%([FTDRcxX])/g, (_, letter: string) => getOwn(COMBINED, letter) ?? '');
  return expanded.replace(/%-?([a-zA-Z%])/g, (whole, letter: string) => {
    const shown = getOwn(DATE_LETTERS, letter)?.(date) ?? whole;
    return whole.startsWith('%-') ? shown.replace(/^[0 ]+(?=.)/, '') : shown;
  });
}

export const date: Program = async (process) => {
  const options = readOptions(process.args.slice(1), 'uRI', 'dDrs', [
    'utc',
    'iso-8601',
    'iso-8601=',
    'rfc-3339=',
    'date=',
  ]);
  const given = options.value('d', 'date');
  const ms =
    given === undefined
      ? process.system.clock.now()
      : given.startsWith('@')
        ? Number(given.slice(1)) * 1000
        : Date.parse(/Z|[+-]\d\d:?\d\d$/.test(given) ? given : `${given}Z`);
  if (Number.isNaN(ms)) return fail(process, `invalid date '${given}'`);
  const long = options.has('rfc-3339')
    ? '+%F %T+00:00'
    : options.has('I', 'iso-8601')
      ? options.value('iso-8601')?.startsWith('s')
        ? '+%FT%T+00:00'
        : '+%F'
      : '+%a %b %e %H:%M:%S UTC %Y';
  const format =
    options.rest.find((word) => word.startsWith('+')) ?? (options.has('R') ? '+%a, %d %b %Y %T +0000' : long);
  await out(process, `${formatDate(format.slice(1), ms)}\n`);
  return 0;
};
