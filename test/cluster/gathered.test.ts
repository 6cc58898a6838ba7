import { beforeAll, describe, expect, test } from 'vitest';
import type { Creation } from '../../src/apiserver/index.ts';
import { gatheredMany, gathering } from '../../src/cluster/gathered.ts';
import type { GatheringOptions } from '../../src/cluster/waitingRequests.ts';
import { namesOf } from '../../src/names/index.ts';
import { JsonBody, manualClock, must, yieldToTasks, type JsonRequestInit } from '../../src/std/index.ts';

const EVENTS = '/api/v1/namespaces/ns/events';

interface Bench {
  /** What happened, in order: turns, what was created together, what was sent. */
  readonly log: string[];
  send(name: string, path?: string, init?: JsonRequestInit): Promise<number>;
  /** Lets the next one that waits for a turn go on. */
  turn(): Promise<void>;
  turns(): Promise<void>;
}

/** Requests in a crowd, whose turns the test gives; of those that are to be created together, `creates` says how many are. */
function bench(creates: (creations: readonly Creation[]) => Promise<number>, areCrowded = true): Bench {
  const log: string[] = [];
  const waiting: (() => void)[] = [];
  const turns: GatheringOptions['turns'] = {
    areCrowded,
    wait: (precedence) => {
      log.push(precedence ?? 'turn');
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
  const together = async (creations: readonly Creation[]): Promise<number> => {
    const created = await creates(creations);
    log.push(`create ${creations.length}: ${created}`);
    return created;
  };
  const over = gathering({
    ...{ clock: manualClock(0), names: namesOf('k8s.io'), turns },
    together: () =>
      Promise.resolve({
        events: { create: together },
        pods: {
          create: async (creations) => {
            const metadata = { name: 'made', creationTimestamp: null };
            return Array.from({ length: await together(creations) }, () => ({
              ...{ apiVersion: 'v1', kind: 'Pod', metadata },
            }));
          },
        },
      }),
  });
  const turn = async (): Promise<void> => {
    waiting.shift()?.();
    await yieldToTasks();
  };
  const send = async (name: string, path = EVENTS, init: JsonRequestInit = { gathered: 'later' }): Promise<number> => {
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
    ...{ log, send, turn },
    turns: async () => {
      while (waiting.length > 0) await turn();
    },
  };
}

// Otherwise the first who needs it waits for it, and not for a turn.
beforeAll(() => gatheredMany.load());

const all = (creations: readonly Creation[]): Promise<number> => Promise.resolve(creations.length);

/** Sends as many requests, and lets all of them have their turns. */
async function sendMany({ send, turns }: Bench, count: number): Promise<readonly number[]> {
  const answers = Array.from({ length: count }, (_, i) => send(`e${i}`));
  await turns();
  return Promise.all(answers);
}

test('a request without `gathered` is sent at once', async () => {
  const idle = bench(all);
  expect(await idle.send('a', EVENTS, {})).toBe(202);
  expect(idle.log).toEqual(['send a']);
});

describe('requests that may be sent later', () => {
  test('are sent one in a turn while they are few', async () => {
    const few = bench(all);
    expect(await sendMany(few, 2)).toEqual([202, 202]);
    expect(few.log).toEqual(['background', 'send e0', 'turn', 'send e1']);
  });

  test('are created together from eight on, 64 in a turn', async () => {
    const many = bench(all);
    expect(await sendMany(many, 72)).toEqual(Array.from({ length: 72 }, () => 201));
    expect(many.log).toEqual(['background', 'create 64: 64', 'turn', 'create 8: 8']);
  });

  test('are sent one by one from the first that could not be created together', async () => {
    const many = bench(() => Promise.resolve(7));
    expect(await sendMany(many, 9)).toEqual([201, 201, 201, 201, 201, 201, 201, 202, 202]);
    expect(many.log).toEqual(['background', 'create 9: 7', 'turn', 'send e7', 'turn', 'send e8']);
  });

  test('are all sent if creating them together fails', async () => {
    const many = bench(() => Promise.reject(new Error('not loaded')));
    expect(await sendMany(many, 8)).toEqual(Array.from({ length: 8 }, () => 202));
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
    await busy.turns();
    expect(await Promise.all([first, second])).toEqual([202, 202]);
    expect(busy.log).toEqual(['background', 'send a', 'background', 'send b']);
  });

  test('tell who sends them', async () => {
    let told: readonly Creation[] = [];
    const many = bench((creations) => all((told = creations)));
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
      i === 2 ? many.send('odd', path, { gathered: 'later', ...(init as object) }) : many.send('e'),
    );
    await many.turns();
    expect(await Promise.all(answers)).toEqual([201, 201, 202, 202, 202, 202, 202, 202]);
  });
});

describe('requests that create pods of a draft', () => {
  const draft = (): JsonBody => must(JsonBody.of({ metadata: { generateName: 'p-' } }), 'it can be a value');
  const PODS = '/api/v1/namespaces/ns/pods';
  const init: JsonRequestInit = { gathered: 'alike', json: draft() };
  const sendPods = async (bench: Bench, count: number, name = 'p'): Promise<readonly number[]> => {
    const answers = Array.from({ length: count }, () => bench.send(name, PODS, init));
    await bench.turns();
    return Promise.all(answers);
  };

  test('wait for their turns at once while they are fewer than 32', async () => {
    const few = bench(all);
    expect(await sendPods(few, 3)).toEqual([202, 202, 202]);
    expect(few.log).toEqual(['turn', 'send p', 'turn', 'turn', 'send p', 'send p']);
  });

  test('create the pods together when at least 32 wait, 32 in each turn', async () => {
    const many = bench(all);
    expect(await sendPods(many, 45)).toEqual(Array.from({ length: 45 }, () => 201));
    expect(many.log).toEqual(['turn', 'create 32: 32', 'turn', 'create 13: 13']);
  });

  test('are sent from the first that could not be created together', async () => {
    const many = bench(() => Promise.resolve(30));
    await sendPods(many, 32);
    expect(many.log).toEqual(['turn', 'create 32: 30', 'turn', 'send p', 'turn', 'send p']);
  });

  test('are apart from those of others', async () => {
    const two = bench(all);
    const first = Array.from({ length: 32 }, () => two.send('a', PODS, init));
    const second = Array.from({ length: 31 }, () => two.send('b', PODS, init));
    await two.turns();
    expect(await Promise.all([...first, ...second])).toEqual([...first.map(() => 201), ...second.map(() => 202)]);
  });

  test.each<[string, string, JsonRequestInit]>([
    ['body', PODS, { json: draft() }],
    ['path', '/api/v1/namespaces/other/pods', {}],
  ])('are apart from those with another %s', async (_, path, other) => {
    const two = bench(all);
    const first = Array.from({ length: 20 }, () => two.send('p', PODS, init));
    const second = Array.from({ length: 20 }, () => two.send('p', path, { ...init, ...other }));
    await two.turns();
    expect(new Set(await Promise.all([...first, ...second]))).toEqual(new Set([202]));
  });
});
