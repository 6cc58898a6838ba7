/** While the memory of compacted history is still being freed, everything reads as if it were gone already. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeySpace } from '../../src/storage/keyspace.ts';
import type { Entry, StorageEvent } from '../../src/storage/index.ts';
import { atOnce, type Steps } from '../../src/std/index.ts';

const KEYS = ['/a', '/b', '/c'] as const;

const action = fc.oneof(
  { weight: 6, arbitrary: fc.record({ put: fc.constantFrom(...KEYS) }) },
  { weight: 3, arbitrary: fc.record({ remove: fc.constantFrom(...KEYS) }) },
  { weight: 2, arbitrary: fc.record({ compact: fc.nat({ max: 5 }) }) },
  { weight: 1, arbitrary: fc.constant({ free: true }) },
);

/** Two spaces with the same history: one frees memory at once, the other only when it is told to. */
class Twins {
  readonly plain = new KeySpace();
  readonly lazy = new KeySpace();
  #freeing: Steps<void>[] = [];

  write(key: string, isPut: boolean): void {
    for (const space of [this.plain, this.lazy]) {
      const revision = space.revision + 1;
      const previous = space.get(key);
      if (!isPut && !previous) continue;
      space.apply(revision, [isPut ? put(key, revision, previous) : removal(key, revision, previous)]);
    }
  }

  compact(back: number): void {
    const revision = Math.max(0, this.plain.revision - back);
    this.plain.compact(revision);
    this.#freeing.push(this.lazy.compactInSteps(revision));
  }

  free(): void {
    for (const steps of this.#freeing) atOnce(steps);
    this.#freeing = [];
  }
}

const put = (key: string, revision: number, previous: Entry | undefined): StorageEvent => {
  const { created, version } = previous ?? { created: revision, version: 0 };
  const entry = { key, value: `${revision}`, created, revision, version: version + 1 };
  return { type: 'put', revision, key, entry, ...(previous && { previous }) } as StorageEvent;
};

const removal = (key: string, revision: number, previous: Entry | undefined): StorageEvent =>
  ({ type: 'delete', revision, key, previous }) as StorageEvent;

/** Everything that can be read. */
function read(space: KeySpace): unknown {
  const { compacted, revision, keys, changes } = space;
  const revisions = Array.from({ length: revision - compacted + 1 }, (_, i) => compacted + i);
  return {
    ...{ compacted, revision, keys, changes },
    histories: KEYS.map((key) => space.history(key)),
    at: revisions.map((at) => ({
      entries: space.entriesAt(at),
      page: space.range({ start: '/', end: '0', revision: at, limit: 1 }),
      events: space.eventsSince(at),
      values: KEYS.map((key) => space.get(key, at)),
    })),
    count: space.count('/', '0'),
  };
}

/** The keys whose whole history is their current entry, of those that were not taken before. */
const settled = (space: KeySpace): readonly string[] =>
  space
    .takeSettled()
    .flatMap((entry) => (space.get(entry.key) === entry ? entry.key : []))
    .sort();

test('history that is compacted in steps reads the same before and after they are done', () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      const twins = new Twins();
      for (const one of actions) {
        if ('put' in one) twins.write(one.put, true);
        else if ('remove' in one) twins.write(one.remove, false);
        else if ('compact' in one) twins.compact(one.compact);
        else twins.free();
        expect(read(twins.lazy)).toEqual(read(twins.plain));
      }
      twins.free();
      expect(read(twins.lazy)).toEqual(read(twins.plain));
      expect(settled(twins.lazy)).toEqual(settled(twins.plain));
    }),
  );
});

/** Enough for several steps. */
const MANY = Array.from({ length: 4500 }, (_, i) => `/k${String(i).padStart(4, '0')}`);

const meanwhile = fc.record({
  at: fc.nat({ max: MANY.length - 1 }),
  what: fc.constantFrom('put', 'remove', 'create', 'compact'),
});

function change(space: KeySpace, { at, what }: typeof meanwhile extends fc.Arbitrary<infer T> ? T : never): void {
  const key = what === 'create' ? `${MANY[at]}x` : (MANY[at] as string);
  const revision = space.revision + 1;
  const previous = space.get(key);
  if (what === 'compact') space.compact(space.revision - (at % 3));
  else if (what !== 'remove') space.apply(revision, [put(key, revision, previous)]);
  else if (previous) space.apply(revision, [removal(key, revision, previous)]);
}

test('what is read in steps is the state at one revision, whatever is written and compacted meanwhile', async () => {
  const changes = fc.array(meanwhile, { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(changes, fc.array(changes, { minLength: 3, maxLength: 3 }), async (before, between) => {
      const space = new KeySpace();
      for (const key of MANY) space.seed({ key, value: '0', created: 1, revision: 1, version: 1 });
      space.begin(20);
      for (const one of before) change(space, one);
      const expected = space.entriesAt(space.compacted);
      const found: Entry[] = [];
      await space.walk(space.compacted, async (entries) => {
        for (const entry of entries()) {
          if (entry) found.push(entry);
          else for (const one of between.shift() ?? []) change(space, one);
        }
      });
      expect(found).toEqual(expected);
      const plain = new KeySpace();
      for (const entry of space.entriesAt(space.revision)) plain.seed(entry);
      plain.begin(space.revision);
      space.compact(space.revision);
      expect(read(space)).toEqual(read(plain));
      const whole = new Set(space.takeSettled());
      expect(space.entriesAt(space.revision).filter((entry) => !whole.has(entry))).toEqual([]);
    }),
    { numRuns: 40 },
  );
});
