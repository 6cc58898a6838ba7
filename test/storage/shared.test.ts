/** A copy of a database that several servers share, held against a database whose answers the test gives. */
import { beforeEach, describe, expect, test } from 'vitest';
import { manualClock } from '../../src/std/index.ts';
import {
  localEngine,
  memoryBackend,
  openShared,
  openStorage,
  type Engine,
  type EngineListener,
  type EngineOutcome,
  type EngineState,
  type Entry,
  type Storage,
} from '../../src/storage/index.ts';
import { brief, contents, del, put, write } from './support.ts';

const entry = (key: string, value: string, revision: number, created = revision): Entry => ({
  ...{ key, value, created, revision },
  version: 1,
});

/** A database that says what the test wants it to say. */
class Script implements Engine {
  first: EngineState = { revision: 3, entries: [entry('/a', '1', 2), entry('/b', '1', 3)] };
  newestRevision = 3;
  outcome: EngineOutcome = { held: true, revision: 4 };
  /** What is answered when the state is asked for anew, one after another; the last stays. */
  states: (EngineState | Error)[] = [];
  statesAsked = 0;
  listener: EngineListener | undefined;
  readonly followed: number[] = [];
  isClosed = false;

  commit = async (): Promise<EngineOutcome> => this.outcome;
  oldest = async (): Promise<EngineState> => this.first;
  compact = async (): Promise<void> => undefined;
  size = async (): Promise<number> => 77;

  async newest(): Promise<number> {
    if (this.newestRevision < 0) throw new Error('nobody is there');
    return this.newestRevision;
  }

  async state(): Promise<EngineState> {
    this.statesAsked++;
    const [next] = this.states.length > 1 ? this.states.splice(0, 1) : this.states;
    if (!next || next instanceof Error) throw next ?? new Error('there is no state');
    return next;
  }

  follow(after: number, listener: EngineListener): { end(): void } {
    this.followed.push(after);
    this.listener = listener;
    return { end: () => (this.listener = undefined) };
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

let clock: ReturnType<typeof manualClock>;
let engine: Script;

beforeEach(() => {
  clock = manualClock();
  engine = new Script();
});

const open = (): Promise<Storage> => openShared({ engine, clock });

/** What a watch of everything after `from` is told, in few words. */
function told(storage: Storage, from: number): string[] {
  const lines: string[] = [];
  storage.watch(
    { start: '', end: '\uffff', from },
    (events) => void lines.push(...events.map(brief)),
    (error) => void lines.push(error?.name ?? 'end'),
  );
  return lines;
}

const settled = async (): Promise<void> => {
  for (let i = 0; i < 20; i++) await Promise.resolve();
};

describe('opening', () => {
  test('shows the state that is read, and follows from there', async () => {
    const storage = await open();
    expect([storage.revision, contents(storage), engine.followed]).toEqual([3, ['/a=1', '/b=1'], [3]]);
    expect([storage.shared, storage.condition]).toEqual([true, { is: 'sound' }]);
  });

  test('waits for what is newer than the state', async () => {
    engine.newestRevision = 4;
    let isOpen = false;
    const opening = open().then((storage) => ((isOpen = true), storage));
    await settled();
    expect(isOpen).toBe(false);
    engine.listener?.committed([{ revision: 4, changes: [{ key: '/a' }] }]);
    expect(contents(await opening)).toEqual(['/b=1']);
  });

  test('a database that does not answer is called unreachable, and is let go of', async () => {
    engine.newestRevision = -1;
    await expect(open()).rejects.toMatchObject({
      name: 'UnreachableError',
      reason: 'failed',
      message: 'the database does not answer: nobody is there',
    });
    expect(engine.isClosed).toBe(true);
  });
});

describe('what the database tells', () => {
  test('every revision counts once; those that concern others only raise the revision', async () => {
    const storage = await open();
    const lines = told(storage, 3);
    engine.listener?.committed([
      { revision: 3, changes: [{ key: '/a', entry: entry('/a', 'too late', 3) }] },
      { revision: 4, changes: [{ key: '/c', entry: entry('/c', '1', 4) }, { key: '/not-there' }] },
      { revision: 5, changes: [] },
      { revision: 6, changes: [{ key: '/a' }, { key: '/b', entry: entry('/b', '2', 6, 3) }] },
    ]);
    await settled();
    expect(lines).toEqual(['4 put /c=1', '6 delete /a', '6 put /b=2']);
    expect([storage.revision, contents(storage), contents(storage, 5)]).toEqual([
      6,
      ['/b=2', '/c=1'],
      ['/a=1', '/b=1', '/c=1'],
    ]);
  });

  test('a put says what was there before, where something was', async () => {
    const storage = await open();
    engine.listener?.committed([
      { revision: 4, changes: [{ key: '/a', entry: entry('/a', '2', 4, 2) }] },
      { revision: 5, changes: [{ key: '/c', entry: entry('/c', '1', 5) }] },
    ]);
    const last = (key: string): unknown => storage.history(key).at(-1);
    expect(last('/a')).toMatchObject({ revision: 4, previous: { value: '1' } });
    expect(last('/c')).not.toHaveProperty('previous');
  });
});

describe('what the database has forgotten', () => {
  const later: EngineState = {
    revision: 9,
    entries: [entry('/b', '1', 3), entry('/c', '1', 7), entry('/d', '2', 9, 5)],
    unreadable: ['/e'],
  };

  beforeEach(() => {
    engine.first = {
      revision: 3,
      entries: [entry('/a', '1', 2), entry('/b', '1', 3), entry('/d', '1', 1), entry('/e', '1', 1)],
    };
  });

  test('is taken over as one change: what is gone, what is new and what is different, and nothing of what is as it was', async () => {
    const storage = await open();
    const lines = told(storage, 3);
    engine.states = [later];
    engine.listener?.missed();
    await settled();
    expect(lines).toEqual(['9 delete /a', '9 put /c=1', '9 put /d=2']);
    // Nobody can read the value of /e any more; what was known of it stays.
    expect(contents(storage)).toEqual(['/b=1', '/c=1', '/d=2', '/e=1']);
    expect([storage.revision, storage.compacted]).toEqual([9, 9]);
  });

  test('is followed from there', async () => {
    const storage = await open();
    engine.states = [later];
    engine.listener?.missed();
    await settled();
    expect(engine.followed).toEqual([3, 9]);
    engine.listener?.committed([{ revision: 10, changes: [{ key: '/b' }] }]);
    expect(contents(storage)).toEqual(['/c=1', '/d=2', '/e=1']);
  });

  test('is asked for every second until there is an answer', async () => {
    const storage = await open();
    engine.states = [new Error('not now'), new Error('not yet'), later];
    engine.listener?.missed();
    await settled();
    const seen = [[engine.statesAsked, storage.revision]];
    for (const ms of [999, 1, 1000]) {
      await clock.step(ms);
      await settled();
      seen.push([engine.statesAsked, storage.revision]);
    }
    expect(seen).toEqual([
      [1, 3],
      [1, 3],
      [2, 3],
      [3, 9],
    ]);
  });

  test('is not asked for by a copy that was closed meanwhile', async () => {
    const storage = await open();
    engine.states = [new Error('not now')];
    engine.listener?.missed();
    await settled();
    await storage.close();
    await clock.step(5000);
    expect(engine.statesAsked).toBe(1);
  });

  test('does not come into a copy that was closed while it was read', async () => {
    const storage = await open();
    engine.states = [later];
    engine.listener?.missed();
    await storage.close();
    await settled();
    expect([storage.revision, engine.followed]).toEqual([3, [3]]);
  });
});

describe('writes', () => {
  test('are answered once the copy shows them', async () => {
    const storage = await open();
    let answer: unknown;
    const writing = write(storage, put('/c', '1')).then((result) => (answer = result));
    await settled();
    expect(answer).toBeUndefined();
    engine.listener?.committed([{ revision: 4, changes: [{ key: '/c', entry: entry('/c', '1', 4) }] }]);
    await writing;
    expect(answer).toEqual({ ok: true, revision: 4, entries: [entry('/c', '1', 4)] });
    expect(storage.stats()).toMatchObject({ commits: 1, groups: 1, segments: 0, snapshotRows: 0, bytes: 77 });
  });

  test('tell of each op what came of it', async () => {
    const storage = await open();
    engine.listener?.committed([{ revision: 4, changes: [{ key: '/a' }, { key: '/c', entry: entry('/c', '1', 4) }] }]);
    const result = await storage.commit([
      del('/a'),
      { type: 'check', key: '/b', expect: 3 },
      put('/c', '1'),
      del('/none'),
    ]);
    expect(result).toMatchObject({
      ok: true,
      entries: [entry('/a', '1', 2), entry('/b', '1', 3), entry('/c', '1', 4), undefined],
    });
  });

  test.each([
    ['the first that contradicts', [put('/b', 'x', 3), put('/a', 'x', 1)], { key: '/a', conflict: { revision: 2 } }],
    ['what should be there and is not', [put('/none', 'x', 1)], { key: '/none', conflict: undefined }],
    // What contradicted is no longer so by now.
    ['otherwise the first that was expected', [del('/a'), put('/b', 'x', 3)], { key: '/b', conflict: { revision: 3 } }],
  ])('that are refused name %s', async (_what, ops, expected) => {
    const storage = await open();
    engine.outcome = { held: false, revision: 3 };
    expect(await storage.commit(ops)).toMatchObject({ ok: false, ...expected });
  });

  test('an answer waits while the copy comes closer, however long that takes', async () => {
    const opening = open();
    engine.newestRevision = 6;
    let outcome = '';
    opening.then(
      () => (outcome = 'open'),
      () => (outcome = 'refused'),
    );
    for (const revision of [4, 5]) {
      await clock.step(29_000);
      engine.listener?.committed([{ revision, changes: [] }]);
    }
    await clock.step(29_000);
    expect(outcome).toBe('');
    engine.listener?.committed([{ revision: 6, changes: [] }]);
    await opening;
  });

  test('fail after half a minute without a word of them', async () => {
    const storage = await open();
    const writing = expect(write(storage, put('/c', '1'))).rejects.toMatchObject({
      reason: 'failed',
      message: 'the database is at revision 4, but sends no changes after 3',
    });
    await settled();
    await clock.step(30_000);
    await writing;
  });

  test('end with the storage', async () => {
    const storage = await open();
    const closed = { reason: 'closed', message: 'the storage is closed' };
    const writing = expect(write(storage, put('/c', '1'))).rejects.toMatchObject(closed);
    await settled();
    await storage.close();
    await writing;
    await expect(write(storage, put('/c', '1'))).rejects.toMatchObject(closed);
    expect([engine.isClosed, engine.listener]).toEqual([true, undefined]);
  });
});

describe('the storage of another server in the process', () => {
  async function beside(): Promise<{ first: Storage; second: Storage; way: ReturnType<typeof localEngine> }> {
    const first = await openStorage({ backend: memoryBackend(), clock, keep: Infinity, shared: true });
    await write(first, put('/a', '1'));
    const way = localEngine(first, clock);
    return { first, way, second: await openShared({ engine: way, clock }) };
  }

  test('can be told of changes late, in order', async () => {
    const { first, second, way } = await beside();
    way.delay(1000);
    await write(first, put('/a', '2'));
    await clock.step(400);
    await write(first, put('/b', '1'), del('/a'));
    const seen = [contents(second)];
    for (const ms of [599, 1, 399, 1]) {
      await clock.step(ms);
      await settled();
      seen.push(contents(second));
    }
    expect(seen).toEqual([['/a=1'], ['/a=1'], ['/a=2'], ['/a=2'], ['/b=1']]);
  });

  test('tells at once of what it held back when the delay ends', async () => {
    const { first, second, way } = await beside();
    way.delay(1000);
    await write(first, put('/a', '2'));
    await settled();
    expect(contents(second)).toEqual(['/a=1']);
    way.delay(0);
    expect(contents(second)).toEqual(['/a=2']);
  });

  test('is out of reach when the way is cut, and what was under way still arrives', async () => {
    const { first, second, way } = await beside();
    way.delay(1000);
    await write(first, put('/a', '2'));
    await settled();
    way.cut();
    expect(contents(second)).toEqual(['/a=2']);
    await write(first, put('/a', '3'));
    await clock.step(5000);
    expect(contents(second)).toEqual(['/a=2']);
    const cut = { reason: 'failed', message: 'the connection to the storage is cut' };
    await expect(write(second, put('/b', '1'))).rejects.toMatchObject(cut);
    await expect(second.fresh()).rejects.toMatchObject({ name: 'UnreachableError' });
    await expect(way.oldest()).rejects.toMatchObject(cut);
  });

  test('does not hand the entry of the first to a writer at the second', async () => {
    const { second } = await beside();
    const stored: number[] = [];
    const listening = {
      type: 'put',
      key: '/b',
      value: '1',
      stored: ({ revision }: Entry) => stored.push(revision),
    } as const;
    await second.commit([listening, del('/a')]);
    expect([stored, contents(second)]).toEqual([[], ['/b=1']]);
  });

  test('tells a follower of each commit, and nothing after its end', async () => {
    const { first, way } = await beside();
    const told: unknown[] = [];
    const committed: EngineListener['committed'] = (commits) =>
      told.push(commits.map(({ revision, changes }) => [revision, ...changes.map(({ key }) => key)]));
    const following = way.follow(1, { committed, missed: () => undefined });
    await Promise.all([first.commit([put('/b', '1'), put('/c', '1')]), first.commit([del('/b')])]);
    await settled();
    following.end();
    await write(first, put('/d', '1'));
    await settled();
    expect(told.flat()).toEqual([
      [2, '/b', '/c'],
      [3, '/b'],
    ]);
  });

  test('who has missed what was forgotten reads the state', async () => {
    const { first, second, way } = await beside();
    await write(first, put('/a', '2'), put('/b', '1'));
    expect(await way.state()).toMatchObject({ revision: 3, entries: [{ value: '2' }, { value: '1' }] });
    await first.compact(3);
    let hasMissed = 0;
    way.follow(1, { committed: () => undefined, missed: () => hasMissed++ });
    await settled();
    expect([hasMissed, await way.size(), contents(second)]).toEqual([1, first.stats().bytes, ['/a=2', '/b=1']]);
  });
});
