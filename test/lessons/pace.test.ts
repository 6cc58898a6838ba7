/** How long a newcomer takes for a lesson: they read every word, and type every command by hand. */
import { describe, expect, test } from 'vitest';
import { lessons, type Lesson } from '../../src/lessons/index.ts';
import { fillWords } from '../../src/lessons/engine/words.ts';
import { namesOf, type Profile } from '../../src/names/index.ts';

/** Words that somebody reads in a minute. */
const READING = 200;
const SECONDS_A_CHARACTER = 0.3;
const SECONDS_A_PRESS = 3;
/** Until what was asked for has come: pods start, others go. */
const SECONDS_OF_WAITING = 5;

const words = (texts: readonly string[]): number => texts.join(' ').split(/\s+/).filter(Boolean).length;

/** Seconds from opening the lesson to its end. */
function secondsOf({ title, learn, intro, tasks, why, seen }: Lesson): number {
  const read = words([
    ...[title, learn, ...intro, ...why, ...seen.map(({ text }) => text)],
    ...tasks.flatMap((task) => [task.title, ...task.text, ...task.checks.map(({ says }) => says)]),
  ]);
  const commands = tasks.flatMap((task) => task.commands ?? []);
  const typed = commands.reduce((sum, command) => sum + command.length, 0);
  // The lesson is started and the terminal opened; each task's place is gone to, each command confirmed.
  const presses = 2 + tasks.length + commands.length;
  return (
    (read / READING) * 60 + typed * SECONDS_A_CHARACTER + presses * SECONDS_A_PRESS + tasks.length * SECONDS_OF_WAITING
  );
}

const loaded = await Promise.all(lessons.map((entry) => entry.lesson.load()));

const profiles: readonly Profile[] = ['cluster.io', 'k8s.io'];

describe.each(profiles)('in the names of %s', (naming) => {
  const timed = loaded.map((lesson) => ({ ...lesson, seconds: secondsOf(fillWords(lesson, namesOf(naming))) }));

  test('a newcomer takes less than five minutes for the first lesson', () => {
    expect(timed[0]?.seconds).toBeGreaterThan(60);
    expect(timed[0]?.seconds).toBeLessThan(300);
  });

  test.each(timed)('$title takes no longer than its card says', ({ seconds, minutes }) => {
    expect(seconds / 60).toBeLessThan(minutes + 0.5);
  });
});
