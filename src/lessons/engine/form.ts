/** Reads values that came from outside into the form that is wanted; what is of another form is named by its place. */
import { getOwn, isObject, nestsDeeper, setOwn, type Json } from '../../std/index.ts';

/** A value that came from outside is not of the form that is wanted. */
export class FormError extends Error {
  override name = 'FormError';
}

/** Reads a value; `at` says where it stands. Throws FormError. */
export type Reader<T> = (value: unknown, at: string) => T;

/** A place as it is told: without the dot that a field of the whole begins with. */
export const told = (at: string): string => at.replace(/^\./, '') || 'The file';

const wrong = (at: string, wanted: string): never => {
  throw new FormError(`${told(at)} must be ${wanted}.`);
};

/** Characters that steer how a text is shown: what is read would not be what is there. Line ends and tabs are allowed in texts of several lines. */
const CONTROLS =
  '\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';
/** Characters that are there without being seen, and halves of characters, which no address can hold. */
const UNSEEN =
  '\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u2060-\\u2064\\u206a-\\u206f\\u3164\\ufe00-\\ufe0e\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}\\ud800-\\udfff';
/** Characters that join others, as some scripts and emojis need them; names do not. */
const JOINERS = '\\u200c\\u200d';

/** A carriage return alone lets what follows be written over what stands before. */
const STEERS = new RegExp(`[${CONTROLS}${UNSEEN}]|\\r(?!\\n)`, 'u');
const STEERS_A_LINE = new RegExp(`[${CONTROLS}${UNSEEN}${JOINERS}\\t\\n\\r]`, 'u');

function textOf(value: unknown, at: string, most: number, steers: RegExp): string {
  if (typeof value !== 'string') return wrong(at, 'a text');
  if (value.length > most) return wrong(at, `a text of at most ${most} characters`);
  return steers.test(value) ? wrong(at, 'a text without control or invisible characters') : value;
}

/** The text with an escape for each character that would steer how it is shown in a line. */
export const plainLine = (value: string): string => value.replace(new RegExp(STEERS_A_LINE, 'gu'), escaped);

/** The same for a text of several lines. */
export const plainText = (value: string): string => value.replace(new RegExp(STEERS, 'gu'), escaped);

/** A name with an escape for each character that may look like another one: those of the API are plain ASCII. */
export const plainName = (value: string): string => value.replace(/[^\x20-\x7e]/gu, escaped);

function escaped(char: string): string {
  const code = (char.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
}

/** A title: a line that is short enough to be read at once. */
export const title: Reader<string> = (value, at) => textOf(value, at, 120, STEERS_A_LINE);
/** One line: a name, a path. */
export const text: Reader<string> = (value, at) => textOf(value, at, 1000, STEERS_A_LINE);
/** A paragraph, or a command. */
export const prose: Reader<string> = (value, at) => textOf(value, at, 20_000, STEERS);
/** A manifest. */
export const longText: Reader<string> = (value, at) => textOf(value, at, 1_000_000, STEERS);
export const flag: Reader<boolean> = (value, at) => (typeof value === 'boolean' ? value : wrong(at, 'true or false'));

export const number =
  (least: number, most: number): Reader<number> =>
  (value, at) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
      ? value
      : wrong(at, `a whole number from ${least} to ${most}`);

/** A text of a form; `wanted` says which. */
export const matching =
  (pattern: RegExp, wanted: string): Reader<string> =>
  (value, at) =>
    pattern.test(text(value, at)) ? (value as string) : wrong(at, wanted);

export const oneOf =
  <const T extends string>(...choices: readonly T[]): Reader<T> =>
  (value, at) =>
    choices.find((choice) => choice === value) ?? wrong(at, `one of ${choices.join(', ')}`);

export const list =
  <T>(item: Reader<T>, most = 100): Reader<readonly T[]> =>
  (value, at) => {
    if (!Array.isArray(value)) return wrong(at, 'a list');
    if (value.length > most) return wrong(at, `a list of at most ${most}`);
    return value.map((each, index) => item(each, `${at}[${index}]`));
  };

export const map =
  <T>(item: Reader<T>): Reader<Readonly<Record<string, T>>> =>
  (value, at) => {
    if (!isObject(value)) return wrong(at, 'an object');
    const read: Record<string, T> = {};
    for (const [key, each] of Object.entries(value)) setOwn(read, key, item(each, `${at}.${key}`));
    return read;
  };

/** Values nest no deeper than this, so that no walk over one can exhaust the stack. */
const MOST_LEVELS = 100;

/** Anything that JSON holds; what was read from JSON is that. */
export const json: Reader<Json> = (value, at) => {
  if (nestsDeeper(value, MOST_LEVELS)) throw new FormError(`${told(at)} nests deeper than ${MOST_LEVELS} levels.`);
  return value as Json;
};

type Read<S extends Readonly<Record<string, Reader<unknown>>>> = { readonly [K in keyof S]: ReturnType<S[K]> };

/** An object with these fields, those of `optional` where they are there, and no other. */
export const object =
  <S extends Readonly<Record<string, Reader<unknown>>>, O extends Readonly<Record<string, Reader<unknown>>>>(
    fields: S,
    optional: O,
  ): Reader<Read<S> & Partial<Read<O>>> =>
  (value, at) => {
    if (!isObject(value)) return wrong(at, 'an object');
    const unknown = Object.keys(value).find((key) => !Object.hasOwn(fields, key) && !Object.hasOwn(optional, key));
    if (unknown !== undefined) throw new FormError(`${told(at)} has an unknown field: ${unknown}.`);
    const read: Record<string, unknown> = {};
    for (const [key, reader] of Object.entries(fields)) setOwn(read, key, reader(getOwn(value, key), `${at}.${key}`));
    for (const [key, reader] of Object.entries(optional))
      if (Object.hasOwn(value, key)) setOwn(read, key, reader(getOwn(value, key), `${at}.${key}`));
    // Each field was read by its reader.
    return read as Read<S> & Partial<Read<O>>;
  };

/** One of several forms, told apart by a field. */
export const byTag =
  <R extends Readonly<Record<string, Reader<unknown>>>>(tag: string, forms: R): Reader<ReturnType<R[keyof R]>> =>
  (value, at) => {
    const name = isObject(value) ? getOwn(value, tag) : undefined;
    const reader = typeof name === 'string' ? getOwn(forms, name) : undefined;
    if (!reader) return wrong(`${at}.${tag}`, `one of ${Object.keys(forms).join(', ')}`);
    return reader(value, at) as ReturnType<R[keyof R]>;
  };
