/** What was answered within a second, requests of one kind taken together: for when there are too many to follow. */
import type { RecordedRequest, Recording } from './recording.ts';
import { senderText } from './sentences.ts';

/** Requests by one sender, of one verb, on one resource in one namespace, with one outcome. */
export interface SummaryLine {
  readonly key: string;
  /** The latest of them. */
  readonly latest: RecordedRequest;
  readonly count: number;
}

const SECOND = 1000;

export class Summary {
  readonly #recording: Recording;
  /** The number of the first beat that is not yet counted. */
  #next: number;
  #second: number | undefined;
  #lines: readonly SummaryLine[] = [];

  /** At first what counts is the last second by the cluster's clock. */
  constructor(recording: Recording) {
    this.#recording = recording;
    const { beats, dropped } = recording;
    const since = (beats.at(-1)?.at ?? 0) - SECOND;
    this.#next = dropped + beats.findLastIndex(({ at }) => at < since) + 1;
  }

  /** What was answered since the second before, what came most often first; within one second always the same. */
  at(second: number): readonly SummaryLine[] {
    if (second === this.#second) return this.#lines;
    this.#second = second;
    const { beats, dropped, end } = this.#recording;
    const lines = new Map<string, SummaryLine>();
    for (const beat of beats.slice(Math.max(0, this.#next - dropped))) {
      const latest = beat.what === 'answered' ? this.#recording.requests.get(beat.request) : undefined;
      if (!latest) continue;
      const key = keyOf(latest);
      lines.set(key, { key, latest, count: (lines.get(key)?.count ?? 0) + 1 });
    }
    this.#next = end;
    this.#lines = [...lines.values()].sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
    return this.#lines;
  }
}

function keyOf(recorded: RecordedRequest): string {
  const { method, subject, stop } = recorded;
  const { group, resource, subresource, namespace } = subject;
  return [senderText(recorded), method, group, resource, subresource, namespace, stop?.stage ?? ''].join(' ');
}
