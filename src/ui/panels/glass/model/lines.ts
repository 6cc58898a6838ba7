/** The live log: what had come of requests at a moment, in order. */
import type { Only } from './picture.ts';
import type { Passage, Recording } from './recording.ts';

/** Whether it is worth a line: what was written or refused, and what people asked. */
const isTold = ({ revision, stop, actor }: Passage): boolean =>
  revision !== undefined || stop !== undefined || actor.startsWith('user:');

/** The requests that were answered before the beat `next`, oldest first, at most `most`. */
export function linesAt(recording: Recording, next: number, only: Only, most: number): readonly Passage[] {
  const { beats, dropped, passages } = recording;
  const lines: Passage[] = [];
  for (let i = Math.min(beats.length, next - dropped) - 1; i >= 0 && lines.length < most; i -= 1) {
    const beat = beats[i];
    if (beat?.what !== 'answered' || (only && !only(beat))) continue;
    const passage = passages.get(beat.request);
    if (passage && isTold(passage)) lines.push(passage);
  }
  return lines.reverse();
}
