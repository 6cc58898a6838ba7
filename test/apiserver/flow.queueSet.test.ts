import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deal, hash64 } from '../../src/apiserver/flow/hand.ts';
import { QueueSet, type Queuing, type Verdict } from '../../src/apiserver/flow/queueSet.ts';
import type { FlowRequest } from '../../src/apiserver/flow/types.ts';
import { manualClock, must, seededRandom } from '../../src/std/index.ts';

const quiet = { waiting: () => undefined, executing: () => undefined, enqueued: () => undefined };
const details = {} as FlowRequest;
const WAIT_LIMIT = 15_000;

function queueSet(queuing: Queuing | undefined, limit: number, clock = manualClock()): QueueSet {
  const set = new QueueSet({ clock, waitLimit: WAIT_LIMIT, observer: quiet });
  set.configure(queuing, limit);
  return set;
}

/** A request of a flow, and what became of it. */
class Probe {
  verdict: Verdict | undefined;
  readonly cancel: () => void;

  constructor(set: QueueSet, distinguisher: string, seen: Probe[] = []) {
    const started = set.start({ flowSchema: 'schema', distinguisher, details });
    this.cancel = 'cancel' in started ? started.cancel : () => undefined;
    const note = (verdict: Verdict): void => {
      this.verdict = verdict;
      if (verdict.admitted) seen.push(this);
    };
    if ('verdict' in started) void started.verdict.then(note);
    else note(started);
  }

  get state(): string {
    if (!this.verdict) return 'waits';
    return this.verdict.admitted ? 'runs' : this.verdict.reason;
  }

  release(): void {
    if (this.verdict?.admitted) this.verdict.release();
  }
}

const turn = (): Promise<void> => new Promise((resolve) => queueMicrotask(() => queueMicrotask(resolve)));

describe('hands', () => {
  test('contain distinct cards, the same for the same flow', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 500 }), fc.nat(), (flow, deck, size) => {
        const handSize = 1 + (size % Math.min(deck, 6));
        const hand = deal(hash64(flow), deck, handSize);
        expect(new Set(hand).size).toBe(handSize);
        expect(hand.every((card) => card >= 0 && card < deck)).toBe(true);
        expect(deal(hash64(flow), deck, handSize)).toEqual(hand);
      }),
    );
  });

  test('are distributed evenly, regardless of the names of flows', () => {
    const counts = new Array<number>(16).fill(0);
    for (let i = 0; i < 4000; i++)
      for (const card of deal(hash64(`user-${i}`), 16, 4)) counts[card] = (counts[card] ?? 0) + 1;
    for (const count of counts) expect(count).toBeGreaterThan(850);
    for (const count of counts) expect(count).toBeLessThan(1150);
  });

  test('a known hash gives a predictable hand', () => {
    // 0 takes the first card of what is left each time; 4 of 10 with 5 = 5, 5/10 = 0 and so on.
    expect(deal(0n, 10, 3)).toEqual([0, 1, 2]);
    expect(deal(5n, 10, 3)).toEqual([5, 0, 1]);
    expect(deal(99n, 10, 2)).toEqual([9, 0]);
  });
});

describe('a level without queues', () => {
  test('runs as many requests as it has seats, and refuses the others at once', () => {
    const set = queueSet(undefined, 2);
    const probes = [1, 2, 3].map((i) => new Probe(set, `u${i}`));
    expect(probes.map(({ state }) => state)).toEqual(['runs', 'runs', 'concurrency-limit']);
    probes[0]?.release();
    expect(new Probe(set, 'u4').state).toBe('runs');
  });

  test('releasing a seat twice counts once', () => {
    const set = queueSet(undefined, 1);
    const first = new Probe(set, 'a');
    first.release();
    first.release();
    expect(set.executing).toBe(0);
  });
});

describe('a level with queues', () => {
  const one: Queuing = { queues: 1, handSize: 1, queueLengthLimit: 2 };

  test('a queue accepts requests up to its limit, in order of arrival', async () => {
    const set = queueSet(one, 1);
    const probes = ['a', 'b', 'c', 'd'].map((name) => new Probe(set, name));
    expect(probes.map(({ state }) => state)).toEqual(['runs', 'waits', 'waits', 'queue-full']);
    probes[0]?.release();
    await turn();
    expect(probes.map(({ state }) => state)).toEqual(['runs', 'runs', 'waits', 'queue-full']);
  });

  test('a request that has waited too long is refused when the next one arrives', async () => {
    const clock = manualClock();
    const set = queueSet(one, 1, clock);
    const [, waits] = ['a', 'b'].map((name) => new Probe(set, name));
    await clock.step(WAIT_LIMIT);
    new Probe(set, 'c');
    await turn();
    expect(waits?.state).toBe('waits');
    await clock.step(1);
    new Probe(set, 'd');
    await turn();
    expect(waits?.state).toBe('time-out');
    expect(waits?.verdict?.waited).toBe(WAIT_LIMIT + 1);
  });

  test('a request whose client disconnects leaves its queue', async () => {
    const set = queueSet(one, 1);
    const [first, second, third] = ['a', 'b', 'c'].map((name) => new Probe(set, name));
    second?.cancel();
    await turn();
    expect(second?.state).toBe('cancelled');
    first?.release();
    await turn();
    expect(third?.state).toBe('runs');
    second?.cancel();
    expect(set.waiting).toBe(0);
  });

  test('clearing refuses all waiting requests', async () => {
    const set = queueSet(one, 1);
    const probes = ['a', 'b', 'c'].map((name) => new Probe(set, name));
    set.clear();
    await turn();
    expect(probes.map(({ state }) => state)).toEqual(['runs', 'cancelled', 'cancelled']);
  });

  test('more seats start waiting requests; fewer wait for running ones', async () => {
    const set = queueSet(one, 1);
    const probes = ['a', 'b', 'c'].map((name) => new Probe(set, name));
    set.configure(one, 3);
    await turn();
    expect(probes.map(({ state }) => state)).toEqual(['runs', 'runs', 'runs']);
    set.configure(one, 1);
    const late = new Probe(set, 'd');
    probes[0]?.release();
    await turn();
    expect(late.state).toBe('waits');
  });

  test('removed queues are emptied first', async () => {
    const many: Queuing = { queues: 8, handSize: 1, queueLengthLimit: 50 };
    const set = queueSet(many, 1);
    const probes = Array.from({ length: 20 }, (_, i) => new Probe(set, `u${i}`));
    set.configure({ ...many, queues: 2 }, 1);
    for (let running = probes.find(({ state }) => state === 'runs'); running;) {
      running.release();
      running.verdict = undefined;
      await turn();
      running = probes.find(({ state }) => state === 'runs');
    }
    expect(set.idle).toBe(true);
    expect(set.queues.length).toBeGreaterThanOrEqual(2);
    expect(set.queues.length).toBeLessThan(8);
    expect(set.queues.map(({ index }) => index)).toEqual(set.queues.map((_, i) => i));
  });

  test('a level that stops queueing still serves waiting requests', async () => {
    const set = queueSet(one, 1);
    const probes = ['a', 'b'].map((name) => new Probe(set, name));
    set.configure(undefined, 1);
    expect(new Probe(set, 'c').state).toBe('concurrency-limit');
    probes[0]?.release();
    await turn();
    expect(probes[1]?.state).toBe('runs');
  });
});

describe('fairness', () => {
  const queuing: Queuing = { queues: 64, handSize: 6, queueLengthLimit: 1000 };

  /** Serves everything, each request for `length` milliseconds; returns whose requests ran, in order. */
  async function serve(
    lengths: Readonly<Record<string, number>>,
    requests: readonly string[],
    seats: number,
  ): Promise<string[]> {
    const clock = manualClock();
    const set = queueSet(queuing, seats, clock);
    const order: string[] = [];
    const start = (flow: string): void => {
      const begin = (verdict: Verdict): void => {
        if (!verdict.admitted) throw new Error(verdict.reason);
        order.push(flow);
        clock.setTimeout(() => verdict.release(), must(lengths[flow], flow));
      };
      const started = set.start({ flowSchema: 'schema', distinguisher: flow, details });
      if ('verdict' in started) void started.verdict.then(begin);
      else begin(started);
    };
    for (const flow of requests) start(flow);
    while (!set.idle) await clock.step(1);
    return order;
  }

  test('a flow that floods the server does not block another', async () => {
    const requests = [...new Array<string>(500).fill('elephant'), ...new Array<string>(10).fill('mouse')];
    const order = await serve({ elephant: 5, mouse: 5 }, requests, 4);
    expect(order.length).toBe(510);
    // The elephant holds six queues at most, the mouse one at least: the mouse gets a seventh of the seats or more.
    expect(order.lastIndexOf('mouse')).toBeLessThan(90);
  });

  test('a flow with longer requests gets fewer of them served', async () => {
    const requests = Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? 'slow' : 'quick'));
    const order = (await serve({ slow: 40, quick: 4 }, requests, 2)).slice(0, 150);
    const quick = order.filter((flow) => flow === 'quick').length;
    expect(quick).toBeGreaterThan(100);
  });

  test('the same arrivals are served in the same order', async () => {
    const random = seededRandom('arrivals');
    const requests = Array.from({ length: 300 }, () => `u${random.int(5)}`);
    const lengths = { u0: 3, u1: 5, u2: 8, u3: 13, u4: 2 };
    expect(await serve(lengths, requests, 3)).toEqual(await serve(lengths, requests, 3));
  });

  test('never more requests run than there are seats, and all are served', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.tuple(fc.nat(4), fc.integer({ min: 1, max: 20 })), { minLength: 1, maxLength: 60 }),
        async (seats, arrivals) => {
          const clock = manualClock();
          const set = queueSet({ queues: 8, handSize: 2, queueLengthLimit: 100 }, seats, clock);
          let served = 0;
          for (const [flow, length] of arrivals) {
            const started = set.start({ flowSchema: 's', distinguisher: `u${flow}`, details });
            const begin = (verdict: Verdict): void => {
              expect(set.executing).toBeLessThanOrEqual(seats);
              served += 1;
              clock.setTimeout(() => verdict.admitted && verdict.release(), length);
            };
            if ('verdict' in started) void started.verdict.then(begin);
            else begin(started);
          }
          for (let ms = 0; ms < 2000 && !set.idle; ms++) await clock.step(1);
          expect(served).toBe(arrivals.length);
          expect([set.waiting, set.executing]).toEqual([0, 0]);
        },
      ),
      { numRuns: 40 },
    );
  });
});
