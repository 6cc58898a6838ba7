/** The index finds every object that selects a pod, as a test of all selectors does. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { selecting, Store, type ReplicaSet } from '../../src/client/index.ts';
import { selectorOfObject, type LabelSelector } from '../../src/schema/index.ts';

const [key, value] = [fc.constantFrom('app', 'tier', '__proto__'), fc.constantFrom('web', 'db', '')];
const labels = fc.dictionary(key, value, { maxKeys: 3 });
const namespace = fc.constantFrom('default', 'other');
const expression = fc.oneof(
  fc.record({ key, operator: fc.constantFrom('In', 'NotIn'), values: fc.array(value, { minLength: 1, maxLength: 2 }) }),
  fc.record({ key, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
);
const selector = fc.record(
  { matchLabels: labels, matchExpressions: fc.array(expression, { maxLength: 2 }) },
  { requiredKeys: [] },
) as fc.Arbitrary<LabelSelector>;
/** Versions of six objects; undefined deletes one. */
const written = fc.array(fc.record({ at: fc.nat(5), namespace, selector: fc.option(selector, { nil: undefined }) }));

const setOf = (name: string, namespace: string, selector: LabelSelector): ReplicaSet =>
  ({ metadata: { name, namespace }, spec: { selector } }) as ReplicaSet;

const finding = (store: Store<ReplicaSet>) => selecting(store, ({ spec }) => spec.selector?.matchLabels);

test('all that select a pod are found, each once, and nothing of another namespace', () => {
  fc.assert(
    fc.property(written, fc.array(fc.record({ namespace, labels })), (versions, pods) => {
      const store = new Store<ReplicaSet>();
      const find = finding(store);
      for (const { at, namespace, selector } of versions) {
        if (selector) store.put(setOf(`s${at}`, namespace, selector));
        else store.remove(`${namespace}/s${at}`);
      }
      for (const pod of pods) {
        const plain = store
          .list()
          .filter(({ metadata }) => metadata.namespace === pod.namespace)
          .filter(({ spec }) => selectorOfObject(spec.selector).matches(pod.labels));
        const found = find(pod);
        expect(new Set(found).size).toBe(found.length);
        expect(found).toEqual(expect.arrayContaining(plain));
        expect(found.every(({ metadata }) => metadata.namespace === pod.namespace)).toBe(true);
      }
    }),
    { seed: 17 },
  );
});

test('objects whose selectors require other labels are not among the candidates', () => {
  const store = new Store<ReplicaSet>();
  const find = finding(store);
  for (let i = 0; i < 600; i++) store.put(setOf(`s${i}`, 'load', { matchLabels: { app: `load-${i}` } }));
  store.put(setOf('any', 'load', { matchExpressions: [{ key: 'app', operator: 'Exists' }] }));
  const found = find({ namespace: 'load', labels: { app: 'load-7', 'pod-template-hash': 'abc' } });
  expect(found.map(({ metadata }) => metadata.name)).toEqual(['s7', 'any']);
});
