import { beforeAll, describe, expect, test } from 'vitest';
import type { ComponentWrite } from '../../src/apiserver/index.ts';
import { gatheredMany, gathering } from '../../src/cluster/gathered.ts';
import { answerMany } from '../../src/cluster/gatheredMany.ts';
import type { GatheringOptions } from '../../src/cluster/waitingRequests.ts';
import { namesOf } from '../../src/names/index.ts';
import { JsonBody, manualClock, must, yieldToTasks, type JsonRequestInit } from '../../src/std/index.ts';

const EVENTS = '/api/v1/namespaces/ns/events';

/** Which of the writes the server does. */
type Answers = (writes: readonly ComponentWrite[]) => Promise<readonly boolean[]>;

interface Bench {
  /** What happened, in order: turns, what was written together, what was sent. */
  readonly log: string[];
  readonly turns: GatheringOptions['turns'];
  send(name: string, path?: string, init?: JsonRequestInit): Promise<number>;
  /** Lets the next one that waits for a turn go on. */
  turn(): Promise<void>;
  allTurns(): Promise<void>;
}

/** A server that tells which writes come together, and does those that `answers` names. */
function serverOf(log: string[], answers: Answers): Awaited<ReturnType<GatheringOptions['together']>> {
  const made = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'made', creationTimestamp: null } };
  const answered = async (what: string, writes: readonly ComponentWrite[]): Promise<readonly boolean[]> => {
    const done = await answers(writes);
    log.push(`${what} ${writes.length}: ${done.filter(Boolean).length}`);
    return done;
  };
  const each = async (what: string, writes: readonly ComponentWrite[]): Promise<(typeof made | undefined)[]> =>
    (await answered(what, writes)).map((isDone) => (isDone ? made : undefined));
  const first = async (writes: readonly ComponentWrite[]): Promise<(typeof made)[]> =>
    (await each('create', writes)).filter((one) => one !== undefined);
  return {
    events: { create: async (writes) => (await first(writes)).length },
    pods: { create: first },
    podUpdates: { bind: (writes) => each('bind', writes), patchStatus: (writes) => each('patch', writes) },
  };
}

/** Requests in a crowd, whose turns the test gives. */
function bench(answers: Answers, areCrowded = true): Bench {
  const log: string[] = [];
  const waiting: (() => void)[] = [];
  const turns: GatheringOptions['turns'] = {
    ...{ areCrowded, gathered: 0 },
    wait: (precedence) => {
      log.push(precedence ?? 'turn');
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
  const server = serverOf(log, answers);
  const over = gathering({
    ...{ clock: manualClock(0), names: namesOf('k8s.io'), turns },
    together: () => Promise.resolve(server),
  });
  const turn = async (): Promise<void> => {
    waiting.shift()?.();
    await yieldToTasks();
  };
  const send = async (name: string, path = EVENTS, init: JsonRequestInit = { gathered: 'events' }): Promise<number> => {
    const headers = { 'user-agent': `agent of ${name}` };
    const sent = (): Promise<Response> => {
      log.push(`send ${name}`);
      return Promise.resolve(new Response(null, { status: 202 }));
    };
    const json = must(JsonBody.of({ metadata: { name } }), 'it can be a value');
    const given: JsonRequestInit = { headers, json, ...init };
    return (await over(`user of ${name}`, sent)(path, given)).status;
  };
  return {
    ...{ log, turns, send, turn },
    allTurns: async () => {
      while (waiting.length > 0) await turn();
    },
  };
}

// Otherwise the first who needs it waits for it, and not for a turn.
beforeAll(() => gatheredMany.load());

const all: Answers = (writes) => Promise.resolve(writes.map(() => true));
const first =
  (count: number): Answers =>
  (writes) =>
    Promise.resolve(writes.map((_, i) => i < count));

const times = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value);

/** Sends as many requests, and lets all of them have their turns. */
async function sendMany(
  { send, allTurns }: Bench,
  count: number,
  path?: string,
  init?: JsonRequestInit,
): Promise<readonly number[]> {
  const answers = Array.from({ length: count }, (_, i) => send(`e${i}`, path, init));
  await allTurns();
  return Promise.all(answers);
}

test('a request without `gathered` is sent at once', async () => {
  const idle = bench(all);
  expect(await idle.send('a', EVENTS, {})).toBe(202);
  expect(idle.log).toEqual(['send a']);
});

describe('gathered: events', () => {
  test('are sent one in a turn while they are few', async () => {
    const few = bench(all);
    expect(await sendMany(few, 2)).toEqual([202, 202]);
    expect(few.log).toEqual(['background', 'send e0', 'turn', 'send e1']);
  });

  test('are created together from eight on, 64 in a turn', async () => {
    const many = bench(all);
    expect(await sendMany(many, 72)).toEqual(times(72, 201));
    expect(many.log).toEqual(['background', 'create 64: 64', 'turn', 'create 8: 8']);
  });

  test('are sent one by one from the first that could not be created together', async () => {
    const many = bench(first(7));
    expect(await sendMany(many, 9)).toEqual([201, 201, 201, 201, 201, 201, 201, 202, 202]);
    expect(many.log).toEqual(['background', 'create 9: 7', 'turn', 'send e7', 'turn', 'send e8']);
  });

  test('are all sent if creating them together fails', async () => {
    const many = bench(() => Promise.reject(new Error('not loaded')));
    expect(await sendMany(many, 8)).toEqual(times(8, 202));
  });

  test('are sent in order of arrival while fewer than 64 requests wait', async () => {
    const quiet = bench(all, false);
    expect(await sendMany(quiet, 2)).toEqual([202, 202]);
    expect(quiet.log).toEqual(['turn', 'send e0', 'turn', 'send e1']);
  });

  test('wait in the background again if they come meanwhile', async () => {
    const busy = bench(all);
    const first = busy.send('a');
    await busy.turn();
    const second = busy.send('b');
    await busy.allTurns();
    expect(await Promise.all([first, second])).toEqual([202, 202]);
    expect(busy.log).toEqual(['background', 'send a', 'background', 'send b']);
  });

  test('tell who sends them', async () => {
    let told: readonly ComponentWrite[] = [];
    const many = bench((writes) => all((told = writes)));
    await sendMany(many, 8);
    expect(told[3]).toMatchObject({ as: { name: 'user of e3' }, userAgent: 'agent of e3', path: EVENTS });
    expect(told[3]?.body.value).toEqual({ metadata: { name: 'e3' } });
  });

  test.each([
    ['a query', `${EVENTS}?dryRun=All`, {}],
    ['a body that is only a text', EVENTS, { json: undefined }],
  ])('are not created together if one has %s', async (_, path, init) => {
    const many = bench(all);
    const answers = Array.from({ length: 8 }, (__, i) =>
      i === 2 ? many.send('odd', path, { gathered: 'events', ...(init as object) }) : many.send('e'),
    );
    await many.allTurns();
    expect(await Promise.all(answers)).toEqual([201, 201, 202, 202, 202, 202, 202, 202]);
  });
});

describe('gathered: pods', () => {
  const draft = (): JsonBody => must(JsonBody.of({ metadata: { generateName: 'p-' } }), 'it can be a value');
  const PODS = '/api/v1/namespaces/ns/pods';
  const init: JsonRequestInit = { gathered: 'pods', json: draft() };
  const sendPods = async (bench: Bench, count: number, name = 'p'): Promise<readonly number[]> => {
    const answers = Array.from({ length: count }, () => bench.send(name, PODS, init));
    await bench.allTurns();
    return Promise.all(answers);
  };

  test('wait for their turns at once while they are fewer than 32', async () => {
    const few = bench(all);
    expect(await sendPods(few, 3)).toEqual([202, 202, 202]);
    expect(few.log).toEqual(['turn', 'send p', 'turn', 'turn', 'send p', 'send p']);
  });

  test('create the pods together when at least 32 wait, 32 in each turn', async () => {
    const many = bench(all);
    expect(await sendPods(many, 45)).toEqual(times(45, 201));
    expect(many.log).toEqual(['turn', 'create 32: 32', 'turn', 'create 13: 13']);
  });

  test('are sent from the first that could not be created together', async () => {
    const many = bench(first(30));
    await sendPods(many, 32);
    expect(many.log).toEqual(['turn', 'create 32: 30', 'turn', 'send p', 'turn', 'send p']);
  });

  test('are apart from those of others', async () => {
    const two = bench(all);
    const first = Array.from({ length: 32 }, () => two.send('a', PODS, init));
    const second = Array.from({ length: 31 }, () => two.send('b', PODS, init));
    await two.allTurns();
    expect(await Promise.all([...first, ...second])).toEqual([...first.map(() => 201), ...second.map(() => 202)]);
  });

  test.each<[string, string, JsonRequestInit]>([
    ['body', PODS, { json: draft() }],
    ['path', '/api/v1/namespaces/other/pods', {}],
  ])('are apart from those with another %s', async (_, path, other) => {
    const two = bench(all);
    const first = Array.from({ length: 20 }, () => two.send('p', PODS, init));
    const second = Array.from({ length: 20 }, () => two.send('p', path, { ...init, ...other }));
    await two.allTurns();
    expect(new Set(await Promise.all([...first, ...second]))).toEqual(new Set([202]));
  });
});

/** What happens to requests about pods that are there. */
const UPDATES = [
  { sort: 'bindings', what: 'bind', code: 201, inTurn: 32 },
  { sort: 'statuses', what: 'patch', code: 200, inTurn: 16 },
] as const;

describe.each(UPDATES)('gathered: $sort', ({ sort, what, code, inTurn }) => {
  const PATH = '/api/v1/namespaces/ns/pods/p/sub';
  const sendUpdates = (bench: Bench, count: number): Promise<readonly number[]> =>
    sendMany(bench, count, PATH, { gathered: sort });

  /** Gives turns one by one; returns what happened in each of them. */
  const inTurns = async (bench: Bench, count: number): Promise<readonly (readonly string[])[]> => {
    const seen: string[][] = [];
    for (let i = 0; i < count; i++) {
      const before = bench.log.length;
      await bench.turn();
      seen.push(bench.log.slice(before).filter((line) => line !== 'turn'));
    }
    return seen;
  };

  test('are sent one in a turn while they are fewer than 32', async () => {
    const few = bench(all, false);
    expect(await sendUpdates(few, 31)).toEqual(times(31, 202));
    expect(few.log.filter((line) => line === 'turn')).toHaveLength(31);
    expect(few.log.filter((line) => line !== 'turn')).toEqual(Array.from({ length: 31 }, (_, i) => `send e${i}`));
  });

  test('are sent only when they have their turns', async () => {
    const few = bench(all, false);
    const answers = [few.send('a', PATH, { gathered: sort }), few.send('b', PATH, { gathered: sort })];
    await few.turn();
    expect(few.log).toEqual(['turn', 'send a', 'turn']);
    await few.turn();
    expect(few.log).toEqual(['turn', 'send a', 'turn', 'send b']);
    expect(await Promise.all(answers)).toEqual([202, 202]);
  });

  test(`are answered together from 32 on, ${inTurn} in a turn`, async () => {
    const many = bench(all, false);
    const answers = Array.from({ length: 32 }, () => many.send('e', PATH, { gathered: sort }));
    const sizes = times(32 / inTurn, inTurn);
    expect(await inTurns(many, sizes.length)).toEqual(sizes.map((size) => [`${what} ${size}: ${size}`]));
    expect(await Promise.all(answers)).toEqual(times(32, code));
    expect(many.log.filter((line) => line === 'turn')).toHaveLength(sizes.length);
  });

  test('that do not fill the last turn are answered there, too', async () => {
    const many = bench(all, false);
    expect(await sendUpdates(many, 75)).toEqual(times(75, code));
    expect(many.log.at(-1)).toBe(`${what} 11: 11`);
  });

  test('are answered together from eight on in a crowd', async () => {
    const few = bench(all);
    expect(await sendUpdates(few, 7)).toEqual(times(7, 202));
    const many = bench(all);
    expect(await sendUpdates(many, 8)).toEqual(times(8, code));
    expect(many.log).toEqual(['turn', `${what} 8: 8`]);
  });

  test('are sent, one in a turn, if the server does not answer them', async () => {
    const many = bench((writes) => Promise.resolve(writes.map((_, i) => i !== 2 && i !== 5)));
    expect(await sendUpdates(many, 9)).toEqual([code, code, 202, code, code, 202, code, code, code]);
    expect(many.log).toEqual(['turn', `${what} 9: 7`, 'turn', 'send e2', 'turn', 'send e5']);
  });

  test('are all sent, the first at once, if the server answers none', async () => {
    const many = bench(first(0));
    expect(await sendUpdates(many, 8)).toEqual(times(8, 202));
    expect(many.log.slice(0, 3)).toEqual(['turn', `${what} 8: 0`, 'send e0']);
    expect(many.log.filter((line) => line === 'turn')).toHaveLength(8);
  });

  test('are all sent if answering them together fails', async () => {
    const many = bench(() => Promise.reject(new Error('not loaded')));
    expect(await sendUpdates(many, 8)).toEqual(times(8, 202));
  });

  test('count while they wait for a turn', async () => {
    const many = bench(all);
    const answers = Array.from({ length: 40 }, (_, i) => many.send(`e${i}`, PATH, { gathered: sort }));
    expect(many.turns.gathered).toBe(40);
    await many.turn();
    expect(many.turns.gathered).toBe(0);
    answers.push(many.send('late', PATH, { gathered: sort }));
    expect(many.turns.gathered).toBe(1);
    await many.allTurns();
    expect(many.turns.gathered).toBe(0);
    expect(await Promise.all(answers)).toEqual([...times(40, code), 202]);
  });

  test('do not wait for those of the turn before to be stored', async () => {
    const stored: (() => void)[] = [];
    const sizes: number[] = [];
    const many = bench(async (writes) => {
      sizes.push(writes.length);
      await new Promise<void>((resolve) => stored.push(resolve));
      return all(writes);
    }, false);
    const answers = Array.from({ length: inTurn + 20 }, () => many.send('e', PATH, { gathered: sort }));
    await many.turn();
    await many.allTurns();
    expect(sizes.slice(0, 2)).toEqual([inTurn, Math.min(20, inTurn)]);
    expect(many.log).not.toContain('send e');
    for (const store of stored) store();
    expect(await Promise.all(answers)).toEqual(times(inTurn + 20, code));
  });
});

test.each([
  ['events', 64],
  ['pods', 32],
  ['bindings', 32],
  ['statuses', 16],
] as const)('%s are removed from the queue in the turn in which they are answered', async (sort, inTurn) => {
  const json = must(JsonBody.of({}), 'it can be a value');
  const due = Array.from({ length: 150 }, () => ({
    ...{ identity: 'a', path: EVENTS, init: { json }, answered: () => undefined },
    send: () => Promise.resolve(new Response()),
  }));
  const left: number[] = [];
  const wait = (): Promise<void> => {
    left.push(due.length);
    return Promise.resolve();
  };
  await answerMany(due, 8, sort, {
    ...{ clock: manualClock(0), names: namesOf('k8s.io'), turns: { wait, areCrowded: true, gathered: 0 } },
    together: () => Promise.resolve(serverOf([], all)),
  });
  expect(left).toEqual(left.map((_, i) => 150 - (i + 1) * inTurn));
  expect(due).toEqual([]);
});

test.each(['events', 'pods'] as const)('%s that wait are no part of a crowd', async (sort) => {
  const many = bench(all);
  const answers = Array.from({ length: 40 }, () => many.send('e', EVENTS, { gathered: sort }));
  expect(many.turns.gathered).toBe(0);
  await many.allTurns();
  await Promise.all(answers);
});
