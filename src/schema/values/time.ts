/** Times in RFC 3339 form, as `metadata.creationTimestamp` (whole seconds) and `eventTime` (microseconds) have them. */

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})T(\d{1,2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:Z|([+-])(\d{2}):(\d{2}))$/;

/** The first moment that the reference's time type knows; it stands for "no time" and is written as null. */
const ZERO = Date.parse('0001-01-01T00:00:00Z');

interface Moment {
  /** Milliseconds since the epoch of the whole second. */
  readonly second: number;
  /** The digits after the second's point. */
  readonly fraction: string;
}

function parse(text: string): Moment | undefined {
  const shape = SHAPE.exec(text);
  if (!shape) return undefined;
  const [year, month, day, hour, minute, second] = shape.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59)
    return undefined;
  const offset = shape[8] === undefined ? 0 : (Number(shape[9]) * 60 + Number(shape[10])) * (shape[8] === '-' ? -1 : 1);
  return {
    second: utc(year, month, day) + ((hour * 60 + minute - offset) * 60 + second) * 1000,
    fraction: shape[7] ?? '',
  };
}

/** Unlike `Date.UTC`, takes the years below 100 at their word. */
function utc(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

function daysIn(year: number, month: number): number {
  return new Date(utc(year, month + 1, 0)).getUTCDate();
}

/** Milliseconds since the epoch, or undefined for an invalid time. */
export function parseTime(text: string): number | undefined {
  const moment = parse(text);
  return moment && moment.second + Math.floor(Number(`0.${moment.fraction || 0}`) * 1000);
}

/** Milliseconds of a time field, which was checked when it was decoded; absent and null are undefined. */
export function timeOf(text: string | null | undefined): number | undefined {
  return text == null ? undefined : parseTime(text);
}

/** The text of a moment: UTC, whole seconds. */
export function formatTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** The text of a moment: UTC, microseconds. */
export function formatMicroTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`;
}

/** Times that were found canonical: an object is decoded anew with each write, and its times stay. Emptied when it has grown. */
const canonicals = new Set<string>();
const MAX_CANONICALS = 5_000;

/** UTC and whole seconds; null for the zero time; undefined for an invalid time. */
export function canonicalTime(text: string): string | null | undefined {
  if (canonicals.has(text)) return text;
  const canonical = inCanonicalForm(text);
  if (canonical === text) {
    if (canonicals.size >= MAX_CANONICALS) canonicals.clear();
    canonicals.add(text);
  }
  return canonical;
}

function inCanonicalForm(text: string): string | null | undefined {
  const moment = parse(text);
  if (!moment) return undefined;
  return moment.second === ZERO && /^0*$/.test(moment.fraction) ? null : formatTime(moment.second);
}

/** UTC and microseconds; the text has to have exactly six digits after the second. Null and undefined as in `canonicalTime`. */
export function canonicalMicroTime(text: string): string | null | undefined {
  const moment = parse(text);
  if (!moment || moment.fraction.length !== 6) return undefined;
  if (moment.second === ZERO && moment.fraction === '000000') return null;
  return `${new Date(moment.second).toISOString().slice(0, 19)}.${moment.fraction}Z`;
}
