/** Lines of one or several containers in the order of their times, the oldest given up when they are too many. */
import { isStyled, plainText } from './ansi.ts';

export interface LogLine {
  /** In the order of arrival; tells two lines apart. */
  readonly id: number;
  /** The place of its source in the list of those that are followed. */
  readonly source: string;
  /** RFC 3339 with nanoseconds, as the server writes it; empty where it wrote none. */
  readonly time: string;
  /** Without control sequences. */
  readonly text: string;
  /** With them, where some of them are shown. */
  readonly raw?: string;
}

/** So many lines are kept, of so many characters in all. */
export const MOST_LINES = 10_000;
export const MOST_CHARACTERS = 4_000_000;
/** A longer line is cut. */
export const LONGEST_LINE = 8_000;

/** Splits what the server sends with `timestamps=true`. */
export function lineOf(id: number, source: string, sent: string): LogLine {
  const [, time = '', rest = sent] = /^(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)) ?(.*)$/s.exec(sent) ?? [];
  const raw = rest.length > LONGEST_LINE ? `${rest.slice(0, LONGEST_LINE)}…` : rest;
  return { id, source, time, text: plainText(raw), ...(isStyled(raw) && { raw }) };
}

export class LogBuffer {
  #lines: LogLine[] = [];
  #characters = 0;
  /** Lines that were given up. */
  dropped = 0;

  /** What is kept, oldest first; another list after each change. */
  get lines(): readonly LogLine[] {
    return this.#lines;
  }

  /** Adds lines that arrived together. A source's own lines stay in the order in which it wrote them. */
  add(arrived: readonly LogLine[]): void {
    if (arrived.length === 0) return;
    const last = this.#lines.at(-1);
    const all = [...this.#lines, ...arrived];
    const inOrder = arrived.every((line, i) => ((arrived[i - 1] ?? last)?.time ?? '') <= line.time);
    if (!inOrder) all.sort((a, b) => (a.time === b.time ? a.id - b.id : a.time < b.time ? -1 : 1));
    for (const { text } of arrived) this.#characters += text.length;
    this.#lines = this.#bounded(all);
  }

  #bounded(all: LogLine[]): LogLine[] {
    let first = Math.max(0, all.length - MOST_LINES);
    for (const { text } of all.slice(0, first)) this.#characters -= text.length;
    while (this.#characters > MOST_CHARACTERS && first < all.length - 1)
      this.#characters -= all[first++]?.text.length ?? 0;
    this.dropped += first;
    return first === 0 ? all : all.slice(first);
  }
}
