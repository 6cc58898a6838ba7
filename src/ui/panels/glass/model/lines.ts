/** The live log: what had come of requests at a moment, in order. */
import { kindOfActor } from './actors.ts';
import type { Only } from './picture.ts';
import type { RecordedRequest, Recording } from './recording.ts';

const isPerson = ({ actor }: RecordedRequest): boolean => kindOfActor(actor) === 'person';

/** A component that makes sure that something exists, and finds that it does: all do at each start. */
const findsExisting = (recorded: RecordedRequest): boolean =>
  recorded.method === 'POST' && recorded.status === 409 && !isPerson(recorded);

/** Whether it is worth a line: what was written or refused, and what people asked. */
const isShown = (recorded: RecordedRequest): boolean =>
  (recorded.revision !== undefined || recorded.stop !== undefined || isPerson(recorded)) && !findsExisting(recorded);

/** The requests that were answered before the beat `next`, oldest first, at most `most`. */
export function linesAt(recording: Recording, next: number, only: Only, most: number): readonly RecordedRequest[] {
  const { beats, dropped, requests } = recording;
  const lines: RecordedRequest[] = [];
  for (let i = Math.min(beats.length, next - dropped) - 1; i >= 0 && lines.length < most; i -= 1) {
    const beat = beats[i];
    if (beat?.what !== 'answered' || (only && !only(beat))) continue;
    const recorded = requests.get(beat.request);
    if (recorded && isShown(recorded)) lines.push(recorded);
  }
  return lines.reverse();
}

/** The beat with which the last change that a person made came in; undefined where there is none. */
export function lastChange({ beats, dropped, requests }: Recording): number | undefined {
  const place = beats.findLastIndex((beat) => {
    const recorded = beat.what === 'entered' ? requests.get(beat.request) : undefined;
    return recorded?.revision !== undefined && isPerson(recorded);
  });
  return place === -1 ? undefined : dropped + place;
}
