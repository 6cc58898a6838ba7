/** Of pods with the same priority those that began last give way: the lesson has to hold whichever began first. */
import { expect, test } from 'vitest';
import { lessons, type Lesson, type Step } from '../../src/lessons/index.ts';
import { Classroom } from './classroom.ts';

/** The lesson whose start makes its Deployments one by one. */
function oneAfterAnother(lesson: Lesson, order: (names: readonly string[]) => readonly string[]): Lesson {
  const [first, ...rest] = lesson.start.steps;
  if (first?.do !== 'apply') throw new Error('the lesson begins with its Deployments');
  const documents = first.manifest.split('---').filter((text) => text.trim() !== '');
  const steps = order(documents).flatMap((manifest): Step[] => [
    { do: 'apply', manifest },
    { do: 'clock', seconds: 5 },
  ]);
  return { ...lesson, start: { ...lesson.start, steps: [...steps, ...rest] } };
}

test.each([
  ['in order', (texts: readonly string[]) => texts],
  ['in reverse', (texts: readonly string[]) => texts.toReversed()],
] as const)('the urgent pod pushes out batch alone, pods began %s', { timeout: 60_000 }, async (_name, order) => {
  const entry = lessons.find(({ id }) => id === 'preemption');
  if (!entry) throw new Error('there is such a lesson');
  const room = await Classroom.open(oneAfterAnother(await entry.lesson.load(), order), 'k8s.io');
  try {
    for (const index of [0, 1, 2]) {
      await room.during(room.run.show(index));
      await room.untilDone(index);
    }
    expect(room.state.current).toBe(3);
  } finally {
    await room.stop();
  }
});
