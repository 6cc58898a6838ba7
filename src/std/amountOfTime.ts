import { getOwn } from './json.ts';

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const AMOUNT = /^\s*(?:\d{1,6}[smhd]\s*)+$/;

/** Milliseconds of an amount that a person writes, such as `90s` or `1h30m`; undefined where the text is none. */
export function amountOfTime(text: string): number | undefined {
  if (!AMOUNT.test(text)) return undefined;
  return [...text.matchAll(/(\d+)([smhd])/g)].reduce(
    (sum, [, n, unit = '']) => sum + Number(n) * (getOwn(UNITS, unit) ?? 0),
    0,
  );
}
