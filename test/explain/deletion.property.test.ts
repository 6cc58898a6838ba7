import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { previewDeletion, World, type KnownObject, type Propagation } from '../../src/explain/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { Bench, type Loose } from '../controllers/bench.ts';

let bench: Bench;
let count = 0;

beforeAll(async () => {
  bench = await Bench.start();
});
afterAll(() => bench.stop());

/** An object of a random graph: owners are indices of earlier objects. */
interface Drawn {
  readonly owners: readonly { readonly index: number; readonly blocks: boolean }[];
  readonly held: boolean;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  owners: fc.uniqueArray(fc.record({ index: fc.nat(6), blocks: fc.boolean() }), {
    maxLength: 2,
    selector: ({ index }) => index,
  }),
  held: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
});

/** The graph, the index of the object to delete, and the index of a late owner of the first object, which may close a circle. */
const graphs = fc.record({
  objects: fc.array(drawn, { minLength: 2, maxLength: 7 }),
  target: fc.nat(6),
  circle: fc.option(fc.nat(6)),
});

async function make(namespace: string, objects: readonly Drawn[], circle: number | null): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/configmaps`;
  const made: Loose[] = [];
  const reference = (index: number, blocks: boolean): object => ({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', name: `m${index}`, uid: made[index].metadata.uid },
    ...(blocks ? { blockOwnerDeletion: true } : {}),
  });
  for (const [i, { owners, held }] of objects.entries()) {
    const ownerReferences = owners
      .filter(({ index }) => index < i)
      .map(({ index, blocks }) => reference(index, blocks));
    const finalizers = held ? ['example.com/hold'] : [];
    made.push(await bench.create(path, { metadata: { name: `m${i}`, ownerReferences, finalizers } }));
  }
  if (circle !== null)
    await bench.patch(`${path}/m0`, { metadata: { ownerReferences: [reference(circle % objects.length, true)] } });
  await bench.advance(200);
}

const known = (object: Loose): KnownObject => ({ apiVersion: 'v1', kind: 'ConfigMap', ...object });

/** Names of what is left, and of what is being deleted, after the controllers have come to rest. */
async function rest(path: string, expected: readonly string[]): Promise<readonly string[]> {
  const left = (items: readonly Loose[]): string[] =>
    items
      .filter(({ metadata }) => metadata.name !== 'cluster-root-ca.crt')
      .map(({ metadata }) => `${metadata.name}${metadata.deletionTimestamp ? ' waits' : ''}`)
      .sort();
  for (let i = 0; i < 40 && left(await bench.items(path)).join() !== expected.join(); i++) await bench.advance(50);
  // What was expected has to last: nothing else may go later.
  await bench.advance(500);
  return left(await bench.items(path));
}

describe('the preview of a deletion', () => {
  test.each<Propagation>(['Background', 'Foreground', 'Orphan'])(
    'tells what is gone afterwards: %s',
    { timeout: 120_000 },
    async (policy) => {
      await fc.assert(
        fc.asyncProperty(graphs, async ({ objects, target, circle }) => {
          const namespace = `preview-${(count += 1)}`;
          const path = `/api/v1/namespaces/${namespace}/configmaps`;
          await bench.create('/api/v1/namespaces', { metadata: { name: namespace } });
          await make(namespace, objects, circle);
          const items = await bench.items(path);
          const world = new World(items.map(known), namesOf('cluster.io'));
          const name = `m${target % objects.length}`;
          const asked = world.objects.filter(({ metadata }) => metadata.name === name);
          const { goes, waits } = previewDeletion(asked, policy, world);
          const namesIn = (list: readonly KnownObject[]): (string | undefined)[] => list.map((o) => o.metadata.name);
          const expected = objects
            .map((_, i) => `m${i}`)
            .filter((each) => !namesIn(goes).includes(each))
            .map((each) => (namesIn(waits).includes(each) ? `${each} waits` : each));
          await bench.delete(`${path}/${name}`, { propagationPolicy: policy });
          expect(await rest(path, expected)).toEqual(expected);
        }),
        { seed: 14, numRuns: 40 },
      );
    },
  );
});
