import { getOwn } from '../../std/index.ts';
const UNITS: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A Go duration, `1m30s`, in milliseconds; undefined if invalid. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  if (!/^(?:[\d.]+(?:ns|us|ms|s|m|h))+$/.test(text)) return undefined;
  return Array.from(text.matchAll(/([\d.]+)(ns|us|ms|s|m|h)/g)).reduce(
    (sum, [, amount, unit = 's']) => sum + Number(amount) * (getOwn(UNITS, unit) ?? 0),
    0,
  );
}
