/**
 * Schedules of CronJobs: five fields, a descriptor such as `@daily`, or `@every 1h30m`. The dialect is that of the
 * library in the reference: no seconds, no time zone, no `L`, `W`, `#`, and 7 is no Sunday.
 */
import { parseDuration } from './duration.ts';

export interface Schedule {
  /** The first moment after `ms` at which the schedule fires; undefined when there is none within five years. In UTC. */
  next(ms: number): number | undefined;
}

interface Range {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

interface Field {
  readonly values: ReadonlySet<number>;
  /** Whether a star stands in the field: then a day has to match both of its fields, else either. */
  readonly star: boolean;
}

const RANGES = {
  minute: { min: 0, max: 59 },
  hour: { min: 0, max: 23 },
  day: { min: 1, max: 31 },
  month: {
    min: 1,
    max: 12,
    names: ['', 'jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  weekday: { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
} as const satisfies Record<string, Range>;

const DESCRIPTORS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** Thrown inside this file for a text that is no schedule. */
class ScheduleError extends Error {}

function fail(message: string): never {
  throw new ScheduleError(message);
}

/** Parses a schedule, or returns its error. */
export function parseSchedule(text: string): Schedule | { readonly error: string } {
  try {
    return text.startsWith('@') ? parseDescriptor(text) : parseFields(text);
  } catch (error) {
    if (error instanceof ScheduleError) return { error: error.message };
    throw error;
  }
}

export const isSchedule = (parsed: ReturnType<typeof parseSchedule>): parsed is Schedule => 'next' in parsed;

function parseDescriptor(text: string): Schedule {
  const fields = Object.hasOwn(DESCRIPTORS, text) ? DESCRIPTORS[text] : undefined;
  if (fields !== undefined) return parseFields(fields);
  if (!text.startsWith('@every ')) fail(`Unrecognized descriptor: ${text}`);
  const every = parseDuration(text.slice('@every '.length)) ?? fail(`Failed to parse duration ${text}`);
  const period = Math.max(1000, Math.floor(every / 1000) * 1000);
  return { next: (ms) => Math.floor(ms / 1000) * 1000 + period };
}

function parseFields(text: string): Schedule {
  if (text === '') fail('Empty spec string');
  const parts = text.split(/\s+/).filter((part) => part !== '');
  if (parts.length !== 5) fail(`Expected exactly 5 fields, found ${parts.length}: ${text}`);
  const [minute, hour, day, month, weekday] = Object.values(RANGES).map((range, i) =>
    parseField(parts[i] as string, range),
  ) as [Field, Field, Field, Field, Field];
  const onDay = (at: Date): boolean => {
    const [dayFits, weekdayFits] = [day.values.has(at.getUTCDate()), weekday.values.has(at.getUTCDay())];
    return day.star || weekday.star ? dayFits && weekdayFits : dayFits || weekdayFits;
  };
  // A field of nothing but commas is taken, and never fires.
  const never = [minute, hour, day, month, weekday].some((field) => field.values.size === 0);
  return { next: (ms) => (never ? undefined : nextMoment(ms, { minute, hour, month, onDay })) };
}

function parseField(text: string, range: Range): Field {
  const values = new Set<number>();
  let star = false;
  for (const part of text.split(',').filter((item) => item !== '')) star = addRange(part, range, values) || star;
  return { values, star };
}

/** Adds the numbers of one range, such as `1-5/2`; says whether it is a star. */
function addRange(text: string, range: Range, values: Set<number>): boolean {
  const [bounds = '', stepText, ...more] = text.split('/');
  if (more.length > 0) fail(`Too many slashes: ${text}`);
  const [low = '', high, ...rest] = bounds.split('-');
  const star = low === '*' || low === '?';
  if (!star && rest.length > 0) fail(`Too many hyphens: ${text}`);
  const start = star ? range.min : parseNumber(low, range);
  const step = stepText === undefined ? 1 : parseNumber(stepText, { min: 0, max: 0 });
  let end = star ? range.max : high === undefined ? start : parseNumber(high, range);
  if (stepText !== undefined && high === undefined) end = range.max;
  if (start < range.min) fail(`Beginning of range (${start}) below minimum (${range.min}): ${text}`);
  if (end > range.max) fail(`End of range (${end}) above maximum (${range.max}): ${text}`);
  if (start > end) fail(`Beginning of range (${start}) beyond end of range (${end}): ${text}`);
  if (step === 0) fail(`Step of range should be a positive number: ${text}`);
  for (let value = start; value <= end; value += step) values.add(value);
  return star;
}

function parseNumber(text: string, { names = [] }: Range): number {
  const named = text === '' ? -1 : names.indexOf(text.toLowerCase());
  if (named >= 0) return named;
  return /^\+?[0-9]+$/.test(text) ? Number(text) : fail(`Failed to parse int from ${text}`);
}

interface Matcher {
  readonly minute: Field;
  readonly hour: Field;
  readonly month: Field;
  readonly onDay: (at: Date) => boolean;
}

/** Jumps over months, days, hours, minutes that don't match, each time to the start of the next one. */
function nextMoment(ms: number, { minute, hour, month, onDay }: Matcher): number | undefined {
  const at = new Date(Math.floor(ms / 60_000) * 60_000 + 60_000);
  const lastYear = new Date(ms).getUTCFullYear() + 5;
  while (at.getUTCFullYear() <= lastYear) {
    const [year, m, day, h] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), at.getUTCHours()];
    if (!month.values.has(m + 1)) at.setTime(Date.UTC(year, m + 1));
    else if (!onDay(at)) at.setTime(Date.UTC(year, m, day + 1));
    else if (!hour.values.has(h)) at.setTime(Date.UTC(year, m, day, h + 1));
    else if (!minute.values.has(at.getUTCMinutes())) at.setTime(at.getTime() + 60_000);
    else return at.getTime();
  }
  return undefined;
}
