import { describe, expect, test } from 'vitest';
import { lessons, type Task } from '../../src/lessons/index.ts';
import { firstPlaceOf } from '../../src/lessons/engine/index.ts';
import { profiles } from '../../src/names/index.ts';
import { Classroom } from './classroom.ts';

const only = process.env['LESSON'];
const tested = lessons.filter(({ id }) => only === undefined || id === only);

/** What a task takes away may be made by a task before it: then it is absent at the start, too. */
const asksForAbsence = ({ checks }: Task): boolean =>
  checks.every((check) =>
    check.look === 'object' ? check.gone === true : check.look === 'list' && check.count.is === 0,
  );

describe.each(profiles)('with the names of %s', (naming) => {
  test.each(tested)('$id: the page opens where the first task is', async (entry) => {
    const { panel, path = [] } = firstPlaceOf(await entry.lesson.load(), naming);
    expect([panel, ...path].join('/')).toMatch(/^[a-z0-9./-]+$/);
  });

  test.each(tested)('$id: the start fails every task, the solution passes each', { timeout: 60_000 }, async (entry) => {
    const lesson = await entry.lesson.load();
    const room = await Classroom.open(lesson, naming);
    try {
      expect(room.state, room.state.problem).toMatchObject({ phase: 'ready', current: 0 });
      expect(room.state.tasks.map(({ done }) => done)).toEqual(lesson.tasks.map(() => false));
      const holding = lesson.tasks.filter((_, index) => room.state.tasks[index]?.holds);
      expect(holding.filter((task) => !asksForAbsence(task))).toEqual([]);
      for (const index of lesson.tasks.keys()) {
        expect(room.state.tasks[index]?.holds, `task ${index} holds before it is solved`).toBe(false);
        await room.during(room.run.show(index));
        await room.untilDone(index);
      }
      expect(room.state.current).toBe(lesson.tasks.length);
    } finally {
      await room.stop();
    }
  });
});

test.each(tested)(
  '$id: the solutions pass when they are played without a pause',
  { timeout: 60_000 },
  async (entry) => {
    const lesson = await entry.lesson.load();
    const room = await Classroom.openAtOnce(lesson, 'cluster.io');
    try {
      for (const index of lesson.tasks.keys()) {
        await room.during(room.run.show(index));
        await room.untilDone(index);
      }
    } finally {
      await room.stop();
    }
  },
);
