/** Reconciling remembers which sets have nothing to reconcile; it has to come to what a plain walk over everything comes to. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EMPTY, equals, fieldSet, LEAF, union, type FieldSet } from '../../src/merge/apply/fieldSet.ts';
import { reconcileOwners } from '../../src/merge/apply/reconcile.ts';
import { toFieldSet } from '../../src/merge/apply/toFieldSet.ts';
import { typeOf, type Type } from '../../src/merge/apply/types.ts';
import type { VersionedTypes } from '../../src/merge/types.ts';
import type { ApiObject } from '../../src/schema/index.ts';
import { must } from '../../src/std/index.ts';
import { names, nodeOf } from './support.ts';

const type = typeOf(nodeOf('v1 Pod'));

/** Without memory, from the fields of the whole object. */
function plainly(fields: FieldSet, object: unknown): FieldSet {
  const all = toFieldSet(object, type);
  const walk = (set: FieldSet, of: Type, path: readonly string[]): FieldSet => {
    if (of.form === 'scalar' || of.form === 'open') return set;
    if (of.form === 'list' ? of.merges === 'atomic' : of.atomic) return set === LEAF || set === EMPTY ? set : LEAF;
    if (set === LEAF)
      return union(
        set,
        path.reduce((at, step) => at.children.get(step) ?? EMPTY, all),
      );
    const children = [...set.children].map(([element, child]) => {
      const inner = of.form === 'list' ? of.of : (of.member(element.slice(2))?.type ?? of.rest);
      return [element, inner ? walk(child, inner, [...path, element]) : child] as const;
    });
    return fieldSet(set.self, new Map(children));
  };
  return walk(fields, type, []);
}

const name = fc.constantFrom('a', 'b');
const container = fc.record(
  { name, image: name, args: fc.array(name), resources: fc.record({ limits: fc.dictionary(name, name) }) },
  { requiredKeys: ['name'] },
);
const pod = fc.record(
  {
    spec: fc.record(
      {
        containers: fc.uniqueArray(container, { selector: (c) => c.name, maxLength: 2 }),
        securityContext: fc.record({ runAsUser: fc.nat() }, { requiredKeys: [] }),
        nodeSelector: fc.dictionary(name, name),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

const element = fc.constantFrom(
  ...['f:spec', 'f:containers', 'k:{"name":"a"}', 'k:{"name":"b"}', 'f:image', 'f:args', 'f:resources', 'f:limits'],
  ...['f:securityContext', 'f:runAsUser', 'f:nodeSelector', 'f:a', 'v:"a"', 'f:unknown'],
);
/** Any set: some of its elements stand where they can't, and any of them may be owned as a whole. */
const setOfDepth = (depth: number): fc.Arbitrary<FieldSet> =>
  depth === 0
    ? fc.constant(LEAF)
    : fc
        .tuple(
          fc.boolean(),
          fc.array(fc.tuple(element, fc.oneof(setOfDepth(depth - 1), fc.constant(LEAF))), { maxLength: 5 }),
        )
        .map(([self, children]) => fieldSet(self, new Map(children.filter(([, child]) => child !== EMPTY))));
const set = fc.oneof(
  setOfDepth(4),
  setOfDepth(3).map((spec) => fieldSet(false, new Map([['f:spec', spec]]))),
);
/** A set as owners have it, with the parts that matter most. */
const owned = fc
  .tuple(pod, set)
  .map(([mentioned, other]) => union(toFieldSet(mentioned, type), fieldSet(false, other.children)));

const types: VersionedTypes = {
  ...{ kind: 'Pod', node: () => nodeOf('v1 Pod'), convert: (object: ApiObject) => object },
  ...{ names, empty: () => ({ metadata: { creationTimestamp: null } }) },
};

function reconciledWith(fields: FieldSet, object: unknown): FieldSet {
  const owner = { manager: 'm', operation: 'Update', apiVersion: 'v1', time: undefined, fields };
  const live = { object: object as ApiObject, apiVersion: 'v1', type };
  return must(reconcileOwners(types, new Map([['m', owner]]), live).get('m'), 'v1 is served').fields;
}

test('reconciling comes to what a plain walk comes to, also when the same set comes with another object', () => {
  const check = (fields: FieldSet, object: unknown): void => {
    const reconciled = reconciledWith(fields, object);
    const expected = plainly(fields, object);
    expect(equals(reconciled, expected)).toBe(true);
    if (equals(fields, expected)) expect(reconciled).toBe(fields);
  };
  fc.assert(
    fc.property(owned, pod, pod, (fields, one, other) => {
      check(fields, one);
      check(fields, other);
    }),
    { seed: 17, numRuns: 500 },
  );
});

test('reconciling one set with equal objects gives the same set each time, not a copy', () => {
  const resources = ['f:spec', 'f:containers', 'k:{"name":"a"}', 'f:resources'].reduceRight<FieldSet>(
    (child, element) => fieldSet(element.startsWith('k:'), new Map([[element, child]])),
    LEAF,
  );
  const podOf = (): unknown => ({ spec: { containers: [{ name: 'a', resources: { limits: { cpu: '1' } } }] } });
  const one = reconciledWith(resources, podOf());
  expect(one).not.toBe(resources);
  expect(reconciledWith(resources, podOf())).toBe(one);
});

test('equal objects give the same set of fields, not a copy', () => {
  const podOf = (): unknown => ({ spec: { containers: [{ name: 'a', args: ['b'] }], nodeSelector: { a: 'b' } } });
  expect(toFieldSet(podOf(), type)).toBe(toFieldSet(podOf(), type));
});
