import { expect, test } from 'vitest';
import { lessons } from '../../src/lessons/index.ts';
import { namesOf, profiles } from '../../src/names/index.ts';
import { play } from '../terminal/support.ts';
import { Classroom } from './classroom.ts';

const only = process.env['LESSON'];

/** Each lesson in one of the two profiles, in turn: its solution is played in both. */
const tested = lessons
  .map((entry, i) => ({ ...entry, naming: profiles[i % profiles.length] ?? 'cluster.io' }))
  .filter(({ id }) => only === undefined || id === only);

/** Milliseconds of the cluster's time after which a learner ends a command that goes on, as a watch does. */
const PATIENCE = 30_000;

test.each(tested)('$id: each task is done by the commands that it shows', { timeout: 120_000 }, async (entry) => {
  const { naming } = entry;
  const lesson = await entry.lesson.load();
  const room = await Classroom.open(lesson, naming);
  const { terminal, line } = await play({
    profile: naming,
    around: {
      clock: room.cluster.clock,
      step: async (ms) => void (await room.cluster.step(ms)),
      transport: () => room.cluster.transport,
      edit: async (_, text) => text.replace(/soup: .*/, 'soup: "5"'),
    },
  });
  const type = async (command: string): Promise<void> => {
    const ended = line(command);
    // A command that goes on is ended as a learner would.
    await room.during(ended, PATIENCE).catch(() => terminal.type('\x03'));
    await room.during(ended);
  };
  try {
    for (const [index, task] of lesson.tasks.entries()) {
      const lines = task.commands ?? task.talk ?? [];
      if (lines.length === 0) await room.during(room.run.show(index));
      for (const command of lines) await type(namesOf(naming).fill(command));
      await room.untilDone(index);
    }
    expect(room.state.current).toBe(lesson.tasks.length);
  } finally {
    terminal.end();
    await room.stop();
  }
});
