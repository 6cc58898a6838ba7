import { describe, expect, test } from 'vitest';
import { lessons } from '../../src/lessons/index.ts';
import { namesOf, profiles } from '../../src/names/index.ts';
import { play } from '../terminal/support.ts';
import { attempts, type Attempt } from './attempts/index.ts';
import { Classroom, type Answers } from './classroom.ts';

const only = process.env['LESSON'];

/** Milliseconds of the cluster's time after which a learner has seen what came of it: a roll-out fails after 30 seconds. */
const patienceOf = (id: string): number => (id === 'rollouts' ? 40_000 : 10_000);

/** Opens the lesson, solves the tasks before, and types what the learner tries. */
async function tryOut(
  entry: (typeof lessons)[number],
  { task, lines }: Attempt,
  i: number,
  answers: Answers = 'as they come',
): Promise<Classroom> {
  const naming = profiles[i % profiles.length] ?? 'cluster.io';
  const room = await Classroom.open(await entry.lesson.load(), naming, answers);
  for (let before = 0; before < task; before += 1) {
    await room.during(room.run.show(before));
    await room.untilDone(before);
  }
  const { terminal, line } = await play({
    profile: naming,
    around: { clock: room.cluster.clock, transport: () => room.cluster.transport },
  });
  for (const each of lines) {
    const later = /^# (\d+) seconds later$/.exec(each);
    if (later) await room.settle(Number(later[1]) * 1000);
    else await room.during(line(namesOf(naming).fill(each)));
  }
  terminal.end();
  return room;
}

const wrongs = (id: string): readonly Attempt[] => (attempts[id] ?? []).filter(({ caught }) => caught !== undefined);

const isRoles = ({ id }: (typeof lessons)[number]): boolean => id === 'roles';

describe.each(lessons.filter(isRoles))(
  '$id, where each answer about access comes by itself, as in the page',
  (entry) => {
    test.each(wrongs(entry.id).filter(({ what }) => /wider role/.test(what)))(
      'task $task is not done: $what',
      async (attempt) => {
        const room = await tryOut(entry, attempt, 0, 'one by one');
        await room.settle();
        const { done, verdicts = [] } = room.state.tasks[attempt.task] ?? {};
        await room.stop();
        expect(verdicts[attempt.caught ?? -1]).toMatchObject({ holds: false });
        expect(done).toBe(false);
      },
    );
  },
);

test.each(lessons)('$id: three wrong ways and another right one are tried', ({ id }) => {
  expect(wrongs(id).length).toBeGreaterThanOrEqual(3);
  expect(wrongs(id).length).toBeLessThan(attempts[id]?.length ?? 0);
});

describe.each(lessons.filter(({ id }) => only === undefined || id === only))('$id', (entry) => {
  const cases = (attempts[entry.id] ?? []).map((attempt, i) => ({ ...attempt, i }));

  test.each(cases.filter(({ caught }) => caught !== undefined))('task $task is not done: $what', async (attempt) => {
    const room = await tryOut(entry, attempt, attempt.i);
    await room.settle(patienceOf(entry.id));
    const { done, verdicts = [] } = room.state.tasks[attempt.task] ?? {};
    await room.stop();
    expect(verdicts[attempt.caught ?? -1], JSON.stringify(verdicts)).toMatchObject({ holds: false });
    expect(done).toBe(false);
  });

  test.each(cases.filter(({ caught }) => caught === undefined))(
    'task $task is done otherwise: $what',
    async (attempt) => {
      const room = await tryOut(entry, attempt, attempt.i);
      await room.untilDone(attempt.task);
      await room.stop();
    },
  );
});
