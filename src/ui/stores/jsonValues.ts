/** Narrowing of values that came from a server or a trace. */
import { isObject, getOwn } from '../../std/index.ts';

/** The value of a JSON text; undefined if there is none, or if it is not JSON. */
export function parseJson(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : String(value);
export const asNumber = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const asRecord = (value: unknown): Readonly<Record<string, unknown>> => (isObject(value) ? value : {});
export const asTexts = (value: unknown): readonly string[] => asList(value).filter((item) => typeof item === 'string');

/** The value at a path of keys and list positions. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value;
  for (const step of path) {
    if (typeof step === 'number') here = asList(here)[step];
    else here = isObject(here) ? getOwn(here, step) : undefined;
  }
  return here;
}
