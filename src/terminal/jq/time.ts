/** Times of jq: seconds since 1970, and texts of them. */
import { strftime } from '../../programs/index.ts';
import { brokenDownTime, strptime } from './strptime.ts';
import { described, JqError } from './values.ts';

function written(value: unknown, format: unknown): string {
  if (typeof format !== 'string') throw new JqError('strftime/1 requires a string format');
  return strftime(format, new Date((typeof value === 'number' ? value : secondsOf(value)) * 1000));
}

/** Seconds of a broken down time: year, month from 0, day, hours, minutes, seconds. */
function secondsOf(value: unknown): number {
  if (!Array.isArray(value) || value.some((part) => typeof part !== 'number'))
    throw new JqError('strftime/1 requires parsed datetime inputs');
  const [year = 1970, month = 0, day = 1, hours = 0, minutes = 0, seconds = 0] = value as number[];
  return Date.UTC(year, month, day, hours, minutes, 0) / 1000 + seconds;
}

function partsOf(value: unknown, name: string): readonly number[] {
  if (typeof value !== 'number') throw new JqError(`${name}() requires a number`);
  return brokenDownTime(value);
}

export const dateFunctions: Readonly<Record<string, (value: unknown, ...args: readonly unknown[]) => unknown>> = {
  'strftime/1': written,
  // The clusters of this page live in UTC.
  'strflocaltime/1': written,
  'mktime/0': (value) => {
    if (!Array.isArray(value)) throw new JqError('mktime requires array inputs');
    if (value.length < 6) throw new JqError('mktime requires parsed datetime inputs');
    return Math.floor(secondsOf(value));
  },
  'gmtime/0': (value) => partsOf(value, 'gmtime'),
  'localtime/0': (value) => partsOf(value, 'localtime'),
  'strptime/1': (value, format) => {
    if (typeof value !== 'string' || typeof format !== 'string')
      throw new JqError('strptime/1 requires string inputs and arguments');
    const read = strptime(value, format);
    if (!read) throw new JqError(`date "${value}" does not match format "${format}"`);
    return read;
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
