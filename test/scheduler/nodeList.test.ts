import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { NodeInfo } from '../../src/scheduler/framework/nodeInfo.ts';
import { NodeList } from '../../src/scheduler/framework/nodeList.ts';
import { node, withPods } from './objects.ts';

const named = (name: string): NodeInfo => withPods(node(name));

test('changing a list equals changing an array, and leaves the earlier list as it was', () => {
  const changes = fc.array(fc.record({ at: fc.nat(), name: fc.string({ minLength: 1, maxLength: 3 }) }), {
    maxLength: 20,
  });
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 200 }), changes, (count, all) => {
      let array = Array.from({ length: count }, (_, i) => named(`n${i}`));
      let list = NodeList.of(array);
      for (const { at, name } of all) {
        const [before, wanted, position] = [list, array, at % (array.length + 1)];
        array = [...array];
        array[position] = named(name);
        list = list.with(position, array[position] as NodeInfo);
        expect(list.length).toBe(array.length);
        expect(array.every((node, i) => list.at(i) === node)).toBe(true);
        expect(list.all).toEqual(array);
        expect(before.all).toEqual(wanted);
      }
    }),
    { seed: 20260101, numRuns: 100 },
  );
});

test('returns undefined beyond the end of a list', () => {
  const list = NodeList.of(Array.from({ length: 64 }, (_, i) => named(`n${i}`)));
  expect([list.at(63)?.name, list.at(64), list.at(1000), NodeList.of([]).at(0)]).toEqual([
    'n63',
    undefined,
    undefined,
    undefined,
  ]);
  expect(NodeList.of([]).all).toEqual([]);
});
