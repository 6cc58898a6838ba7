/** Durations in the text form `1h30m`, `8760h0m0s`, `1.5s`, `-2ms`: milliseconds here, which may have a fraction. */
import { getOwn } from '../../std/index.ts';

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  '\u00b5s': 1e-3,
  '\u03bcs': 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

/** No digit can belong to two parts, so that matching takes linear time. */
const WHOLE = /^[-+]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|\u00b5s|\u03bcs|ms|s|m|h))+$/;
const PART = /([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/g;

/** Milliseconds, or undefined for an invalid duration. `0` is the only number that needs no unit. */
export function parseDuration(text: string): number | undefined {
  if (/^[-+]?0$/.test(text)) return 0;
  if (!WHOLE.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(PART))
    total += Number(amount) * (getOwn(UNITS, unit as string) as number);
  return text.startsWith('-') ? -total : total;
}

/** Formats milliseconds: `0s`, `1.5s`, `300ms`, `8760h0m0s`. */
export function formatDuration(ms: number): string {
  if (ms === 0) return '0s';
  if (ms < 0) return `-${formatDuration(-ms)}`;
  if (ms < 1e-3) return `${trim(ms * 1e6, 0)}ns`;
  if (ms < 1) return `${trim(ms * 1e3, 3)}\u00b5s`;
  if (ms < 1000) return `${trim(ms, 6)}ms`;
  const minutes = Math.floor(ms / UNITS['m']!);
  const seconds = `${trim((ms - minutes * UNITS['m']!) / 1000, 9)}s`;
  if (minutes === 0) return seconds;
  return minutes < 60 ? `${minutes}m${seconds}` : `${Math.floor(minutes / 60)}h${minutes % 60}m${seconds}`;
}

const trim = (value: number, digits: number): string => String(Number(value.toFixed(digits)));
