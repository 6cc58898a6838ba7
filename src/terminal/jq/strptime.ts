/** Texts read as times by a format of `strptime`, in UTC. */
import { getOwn } from '../../std/index.ts';

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const DAY = 'sun(?:day)?|mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rsday)?|fri(?:day)?|sat(?:urday)?';
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';

/** What was read of a time. */
interface Read {
  year?: number;
  month?: number;
  day?: number;
  hours?: number;
  minutes?: number;
  seconds?: number;
  dayOfYear?: number;
  weekday?: number;
  isAfternoon?: boolean;
  epoch?: number;
}

type Letter = readonly [pattern: string, take: (read: Read, text: string) => void];

const numeric = (pattern: string, take: (read: Read, value: number) => void): Letter => [
  pattern,
  (read, text) => take(read, Number(text)),
];
const indexIn = (names: readonly string[], text: string): number => names.indexOf(text.slice(0, 3).toLowerCase());

const LETTERS: Readonly<Record<string, Letter>> = {
  Y: numeric('[-+]?\\d{1,4}', (read, value) => (read.year = value)),
  y: numeric('\\d{1,2}', (read, value) => (read.year = value + (value < 69 ? 2000 : 1900))),
  m: numeric('\\d{1,2}', (read, value) => (read.month = value - 1)),
  d: numeric('\\d{1,2}', (read, value) => (read.day = value)),
  e: numeric('\\s?\\d{1,2}', (read, value) => (read.day = value)),
  H: numeric('\\d{1,2}', (read, value) => (read.hours = value)),
  I: numeric('\\d{1,2}', (read, value) => (read.hours = value % 12)),
  M: numeric('\\d{1,2}', (read, value) => (read.minutes = value)),
  S: numeric('\\d{1,2}', (read, value) => (read.seconds = value)),
  j: numeric('\\d{1,3}', (read, value) => (read.dayOfYear = value - 1)),
  s: numeric('\\d+', (read, value) => (read.epoch = value)),
  u: numeric('[1-7]', (read, value) => (read.weekday = value % 7)),
  w: numeric('[0-6]', (read, value) => (read.weekday = value)),
  p: ['[ap]m', (read, text) => (read.isAfternoon = /p/i.test(text))],
  a: [DAY, (read, text) => (read.weekday = indexIn(DAYS, text))],
  A: [DAY, (read, text) => (read.weekday = indexIn(DAYS, text))],
  b: [MONTH, (read, text) => (read.month = indexIn(MONTHS, text))],
  B: [MONTH, (read, text) => (read.month = indexIn(MONTHS, text))],
  h: [MONTH, (read, text) => (read.month = indexIn(MONTHS, text))],
  z: ['Z|[-+]\\d\\d(?::?\\d\\d)?', () => undefined],
  Z: ['[A-Za-z]+', () => undefined],
};

const COMBINED: Readonly<Record<string, string>> = {
  ...{ F: '%Y-%m-%d', T: '%H:%M:%S', D: '%m/%d/%y', R: '%H:%M', c: '%a %b %e %H:%M:%S %Y', x: '%m/%d/%y' },
  ...{ X: '%H:%M:%S', n: ' ', t: ' ' },
};

const expanded = (format: string): string =>
  format.replace(/%([FTDRcxXnt])/g, (whole, letter: string) => getOwn(COMBINED, letter) ?? whole);

const literal = (text: string): string => (/\s/.test(text) ? '\\s*' : text.replace(/[.*+?^${}()|[\]\\]/, '\\$&'));

/** Year, month from 0, day, hours, minutes, seconds, day of the week, day of the year; undefined where the text does not fit. */
export function strptime(text: string, format: string): readonly number[] | undefined {
  const takes: Letter[1][] = [];
  const pattern = expanded(format).replace(/%(.)|([^%])/gsu, (_, letter: string | undefined, plain: string) => {
    if (letter === undefined) return literal(plain);
    if (letter === '%') return '%';
    const [own, take] = getOwn(LETTERS, letter) ?? ['(?!)', () => undefined];
    takes.push(take);
    return `\\s*(${own})`;
  });
  const found = new RegExp(`^${pattern}$`, 'i').exec(text);
  if (!found) return undefined;
  const read: Read = {};
  takes.forEach((take, i) => take(read, found[i + 1] ?? ''));
  return isPossible(read) ? brokenDown(read) : undefined;
}

/** Whether no part of a time is larger than it can be. */
const isPossible = ({ month = 0, day = 1, hours = 0, minutes = 0, seconds = 0, dayOfYear = 0 }: Read): boolean =>
  month >= 0 && month < 12 && day > 0 && day < 32 && hours < 24 && minutes < 60 && seconds < 62 && dayOfYear < 366;

function brokenDown(read: Read): readonly number[] {
  if (read.epoch !== undefined) return brokenDownTime(read.epoch);
  const { year = 1900, minutes = 0, seconds = 0, isAfternoon } = read;
  const hours = (read.hours ?? 0) + (isAfternoon ? 12 : 0);
  if (read.dayOfYear !== undefined && read.day === undefined && read.month === undefined) {
    const [, month = 0, day = 1, ...rest] = brokenDownTime(Date.UTC(year, 0, 1 + read.dayOfYear) / 1000);
    return [year, month, day, hours, minutes, seconds, ...rest.slice(3)];
  }
  const { month = 0, day = 0 } = read;
  const [, , , , , , weekday = 0, dayOfYear = 0] = brokenDownTime(Date.UTC(year, month, day) / 1000);
  return [year, month, day, hours, minutes, seconds, weekday, dayOfYear];
}

/** Seconds since 1970 as the parts of a time; those of a second stay. */
export function brokenDownTime(epoch: number): readonly number[] {
  const whole = Math.floor(epoch);
  const time = new Date(whole * 1000);
  const year = time.getUTCFullYear();
  const dayOfYear = Math.floor((whole * 1000 - Date.UTC(year, 0)) / 86_400_000);
  const [month, day] = [time.getUTCMonth(), time.getUTCDate()];
  const [hours, minutes, seconds] = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()];
  return [year, month, day, hours, minutes, seconds + (epoch - whole), time.getUTCDay(), dayOfYear];
}
