import { parseInt64 } from '../../std/index.ts';

/** A decimal 64-bit integer as a number, for replica counts; undefined if it is absent or invalid. */
export function parseCount(text: string | undefined): number | undefined {
  const count = text === undefined ? undefined : parseInt64(text);
  return count === undefined ? undefined : Number(count);
}
