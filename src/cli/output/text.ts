/** Text helpers that several printers share. */

/** Milliseconds as Go prints a duration: `1h0m5s`. */
export function goDuration(ms: number): string {
  const [hours, minutes, seconds] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60, (ms / 1000) % 60];
  if (ms < 60_000) return `${seconds}s`;
  return `${hours > 0 ? `${hours}h` : ''}${minutes}m${seconds}s`;
}

/** How many characters a text has. */
export const codePoints = (text: string): number => [...text].length;

/** How long ago, as the reference's client writes it: `45s`, `3m12s`, `5h`, `2d3h`, `400d`, `3y20d`. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return withRest(days, 'd', hours % 24, 'h');
  if (days < 365 * 2) return `${days}d`;
  const years = Math.floor(days / 365);
  return years < 8 ? withRest(years, 'y', days % 365, 'd') : `${years}y`;
}

const withRest = (count: number, unit: string, rest: number, smaller: string): string =>
  rest === 0 ? `${count}${unit}` : `${count}${unit}${rest}${smaller}`;

/** The time that has passed since a timestamp; `<unknown>` where there is none. */
export const ageOf = (since: string | null | undefined, now: number): string =>
  since ? humanDuration(now - Date.parse(since)) : '<unknown>';
