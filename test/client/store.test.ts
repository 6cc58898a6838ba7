import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Store } from '../../src/client/store.ts';
import type { ApiObject } from '../../src/schema/index.ts';

const object = (name: string, labels: readonly string[]): ApiObject => ({
  ...{ apiVersion: 'v1', kind: 'Pod' },
  metadata: { name, creationTimestamp: null, labels: Object.fromEntries(labels.map((label) => [label, ''])) },
});
const labelsOf = ({ metadata }: ApiObject): string[] => Object.keys(metadata.labels ?? {});

test('an index finds the same objects as a full scan, after any changes', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd');
  const labels = fc.uniqueArray(fc.constantFrom('x', 'y', 'z'));
  const step = fc.record({ name, labels, removes: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const store = new Store();
      const late = new Store();
      store.addIndex('label', labelsOf);
      for (const { name, labels, removes } of steps) {
        for (const each of [store, late]) {
          if (removes) each.remove(name);
          else each.put(object(name, labels));
        }
      }
      late.addIndex('label', labelsOf);
      for (const label of ['x', 'y', 'z']) {
        const plain = store.list().filter((each) => labelsOf(each).includes(label));
        expect(new Set(store.by('label', label))).toEqual(new Set(plain));
        expect(late.by('label', label)).toHaveLength(plain.length);
      }
    }),
  );
});
