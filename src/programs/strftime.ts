/** Times written by a format of `strftime`, in UTC: what `date` and jq show. */
import { getOwn } from '../std/index.ts';

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = ('January February March April May June July August September October November December' as const).split(
  ' ',
);

const two = (value: number): string => String(value).padStart(2, '0');

/** Writes what one letter of a format stands for. */
export type LetterWriter = (time: Date) => string;

const LETTERS: Readonly<Record<string, LetterWriter>> = {
  Y: (time) => String(time.getUTCFullYear()),
  y: (time) => two(time.getUTCFullYear() % 100),
  m: (time) => two(time.getUTCMonth() + 1),
  d: (time) => two(time.getUTCDate()),
  e: (time) => String(time.getUTCDate()).padStart(2),
  H: (time) => two(time.getUTCHours()),
  I: (time) => two(time.getUTCHours() % 12 || 12),
  M: (time) => two(time.getUTCMinutes()),
  S: (time) => two(time.getUTCSeconds()),
  p: (time) => (time.getUTCHours() < 12 ? 'AM' : 'PM'),
  s: (time) => String(Math.floor(time.getTime() / 1000)),
  a: (time) => shortened(DAYS[time.getUTCDay()]),
  A: (time) => DAYS[time.getUTCDay()] ?? '',
  b: (time) => shortened(MONTHS[time.getUTCMonth()]),
  h: (time) => shortened(MONTHS[time.getUTCMonth()]),
  B: (time) => MONTHS[time.getUTCMonth()] ?? '',
  j: (time) => String(dayOfYear(time) + 1).padStart(3, '0'),
  u: (time) => String(time.getUTCDay() || 7),
  w: (time) => String(time.getUTCDay()),
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

const shortened = (name = ''): string => name.slice(0, 3);

/** The day of a time in its year, from 0. */
export const dayOfYear = (time: Date): number =>
  Math.floor((time.getTime() - Date.UTC(time.getUTCFullYear(), 0)) / 86_400_000);

/**
 * A time written by a format: `%Y-%m-%d`; `%-d` without leading zeros or spaces; unknown letters stay as they are.
 * `more` are letters that only the caller knows.
 */
export function strftime(format: string, time: Date, more: Readonly<Record<string, LetterWriter>> = {}): string {
  const expanded = format.replace(/%([%FTDRcxX])/g, (whole, letter: string) => getOwn(COMBINED, letter) ?? whole);
  return expanded.replace(/%(-?)([a-zA-Z%])/g, (whole, dash: string, letter: string) => {
    const write = getOwn(LETTERS, letter) ?? getOwn(more, letter);
    if (!write) return whole;
    return dash ? write(time).replace(/^[0 ]+(?=.)/, '') : write(time);
  });
}
