import { describe, expect, test } from 'vitest';
import { lessons } from '../../src/lessons/index.ts';
import { namesOf, profiles } from '../../src/names/index.ts';
import { play } from '../terminal/support.ts';
import { Classroom } from './classroom.ts';

const only = process.env['LESSON'];
const tested = lessons.filter(({ id }) => only === undefined || id === only);

/** What a task asks for besides its commands: time that is let pass in the page. */
const CLOCK: Readonly<Record<string, number>> = { 'watch 2': 900, 'paging 2': 900 };

/** Seconds of the cluster's time after which a learner ends a command that goes on, as a watch does. */
const PATIENCE = 30_000;

/** Each lesson in one of the two profiles, in turn: its solution is played in both. */
describe.each(profiles)('with the names of %s', (naming) => {
  test.each(tested.filter((_, i) => profiles[i % profiles.length] === naming))(
    '$id: each task is done by the commands that it shows',
    { timeout: 120_000 },
    async (entry) => {
      const lesson = await entry.lesson.load();
      const room = await Classroom.open(lesson, naming);
      const names = namesOf(naming);
      const terminal = await play({
        profile: naming,
        around: {
          transport: () => room.cluster.transport,
          edit: async (_, text) => text.replace(/soup: .*/, 'soup: "5"'),
        },
      });
      const type = async (command: string): Promise<void> => {
        const line = terminal.line(command);
        // A command that goes on is ended as a learner would.
        await room.during(line, PATIENCE).catch(() => terminal.terminal.type('\x03'));
        await room.during(line);
      };
      try {
        for (const [index, task] of lesson.tasks.entries()) {
          if (task.commands === undefined) await room.during(room.run.show(index));
          const seconds = CLOCK[`${entry.id} ${index}`];
          if (seconds !== undefined) await room.cluster.step(seconds * 1000);
          for (const command of task.commands ?? []) await type(names.fill(command));
          await room.untilDone(index);
        }
        expect(room.state.current).toBe(lesson.tasks.length);
      } finally {
        terminal.terminal.end();
        await room.stop();
      }
    },
  );
});
