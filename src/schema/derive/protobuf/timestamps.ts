/** Times on the wire: whole seconds since the epoch, and nanoseconds. */
export interface Timestamp {
  readonly seconds: number;
  readonly nanos: number;
}

/** Of a time in canonical form, with or without microseconds. */
export function timestampOf(text: string): Timestamp {
  const seconds = Date.parse(`${text.slice(0, 19)}Z`) / 1000;
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  return { seconds, nanos: Number(fraction.padEnd(9, '0')) };
}

const wholeSeconds = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 19);

/** The canonical text of a time: UTC, whole seconds. */
export const timeText = ({ seconds }: Timestamp): string => `${wholeSeconds(seconds)}Z`;

/** The canonical text of a time with microseconds. */
export function microTimeText({ seconds, nanos }: Timestamp): string {
  const micros = String(Math.floor(nanos / 1000)).padStart(6, '0');
  return `${wholeSeconds(seconds)}.${micros}Z`;
}
