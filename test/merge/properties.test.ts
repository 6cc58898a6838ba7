/** What holds for any object, patch and history. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFields, encodeFields } from '../../src/merge/apply/fieldsV1.ts';
import { difference, EMPTY, equals, intersection, union } from '../../src/merge/apply/fieldSet.ts';
import type { FieldSet } from '../../src/merge/apply/fieldSet.ts';
import { compare, isSame } from '../../src/merge/apply/compare.ts';
import { mergeValues } from '../../src/merge/apply/mergeValues.ts';
import { remove } from '../../src/merge/apply/remove.ts';
import { toFieldSet } from '../../src/merge/apply/toFieldSet.ts';
import { OPEN, typeOf } from '../../src/merge/apply/types.ts';
import { jsonPatch, mergePatch, strategicMerge } from '../../src/merge/index.ts';
import type { ApiObject } from '../../src/schema/index.ts';
import { deepEqual, isObject } from '../../src/std/index.ts';
import { History, nodeOf } from './support.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd/e', 'f~g', '');
const scalar = fc.constantFrom<unknown>('x', 'y', 1, 2, true, null);
const { value } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 3, depthSize: 'small' }, scalar, tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(key, tie('value'), { maxKeys: 3 }),
}));
const object = fc.dictionary(key, value, { maxKeys: 4 });

/** A pod template's spec, with lists that merge in lists that merge. Empty ones don't last: decoding drops them. */
const name = fc.constantFrom('a', 'b', 'c');
const env = fc.uniqueArray(fc.record({ name, value: name }, { requiredKeys: ['name'] }), {
  selector: (e) => e.name,
  minLength: 1,
  maxLength: 3,
});
const container = fc.record(
  { name, image: name, args: fc.array(name, { minLength: 1, maxLength: 2 }), env },
  { requiredKeys: ['name'] },
);
const containers = fc.uniqueArray(container, { selector: (c) => c.name, minLength: 1, maxLength: 3 });
const spec = fc.record(
  { containers, nodeSelector: fc.dictionary(name, name, { minKeys: 1 }), hostname: name },
  { requiredKeys: ['containers'] },
);
const template = (of: unknown): Record<string, unknown> => ({
  apiVersion: 'v1',
  kind: 'PodTemplate',
  metadata: { name: 'p' },
  template: { spec: of },
});
const podTemplate = typeOf(nodeOf('v1 PodTemplate'));

const element = fc.constantFrom(
  'f:a',
  'f:b',
  'f:longer',
  'k:{"name":"x"}',
  'k:{"port":80}',
  'k:{"port":443}',
  'v:"x"',
  'v:1',
);
const { tree } = fc.letrec<{ tree: Record<string, unknown> }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    fc.constant({}),
    fc
      .tuple(fc.dictionary(element, tie('tree'), { maxKeys: 3 }), fc.boolean())
      .map(([children, self]) => (self ? { ...children, '.': {} } : children)),
  ),
}));
const set: fc.Arbitrary<FieldSet> = tree.map(decodeFields);

/** The JSON patch that turns one object into another, key by key. */
function diff(before: unknown, after: unknown, path: string): readonly object[] {
  if (deepEqual(before, after) && (before === undefined) === (after === undefined)) return [];
  if (!isObject(before) || !isObject(after)) return [{ op: 'replace', path, value: after }];
  const at = (k: string): string => `${path}/${k.replaceAll('~', '~0').replaceAll('/', '~1')}`;
  return [
    ...Object.keys(before).flatMap((k) =>
      k in after ? diff(before[k], after[k], at(k)) : [{ op: 'remove', path: at(k) }],
    ),
    ...Object.keys(after).flatMap((k) => (k in before ? [] : [{ op: 'add', path: at(k), value: after[k] }])),
  ];
}

describe('patches', () => {
  it('a JSON patch and its inverse restore the object', () => {
    fc.assert(
      fc.property(object, object, (a, b) => {
        const there = jsonPatch(a, diff(a, b, ''));
        expect(there).toEqual(b);
        expect(jsonPatch(there, diff(b, a, ''))).toEqual(a);
      }),
    );
  });

  it('a merge patch twice is a merge patch once, but for nulls in lists', () => {
    const plain = object.filter((patch) => !/\[.*null.*\]/.test(JSON.stringify(patch)));
    fc.assert(
      fc.property(object, plain, (a, patch) => {
        const once = mergePatch(a, patch);
        expect(mergePatch(once, patch)).toEqual(once);
      }),
    );
  });

  it('a strategic merge patch twice is one once, and patches of an object with itself change nothing', () => {
    fc.assert(
      fc.property(spec, spec, (a, patch) => {
        const node = nodeOf('v1 PodTemplate');
        const once = strategicMerge(template(a), template(patch), node);
        expect(strategicMerge(once, template(patch), node)).toEqual(once);
        expect(strategicMerge(template(a), template(a), node)).toEqual(template(a));
      }),
    );
  });
});

describe('field sets', () => {
  it('survive FieldsV1', () => {
    fc.assert(fc.property(set, (a) => equals(decodeFields(encodeFields(a)), a)));
  });

  it('are sets', () => {
    fc.assert(
      fc.property(set, set, set, (a, b, c) => {
        const same = (x: FieldSet, y: FieldSet): void => expect(encodeFields(x)).toEqual(encodeFields(y));
        same(union(a, b), union(b, a));
        same(intersection(a, b), intersection(b, a));
        same(union(union(a, b), c), union(a, union(b, c)));
        same(union(difference(a, b), intersection(a, b)), a);
        same(difference(a, a), EMPTY);
        same(intersection(difference(a, b), b), EMPTY);
        same(difference(union(a, b), b), difference(a, b));
      }),
    );
  });
});

describe('typed values', () => {
  const types = [
    ['open', object, OPEN],
    ['of pod templates', spec.map(template), podTemplate],
  ] as const;

  it.each(types)('%s: comparisons are disjoint, and turn around with the values', (_what, values, type) => {
    fc.assert(
      fc.property(values, values, (a: unknown, b: unknown) => {
        const there = compare(a, b, type);
        const back = compare(b, a, type);
        expect(intersection(there.added, there.removed)).toBe(EMPTY);
        expect(
          equals(there.added, back.removed) &&
            equals(there.removed, back.added) &&
            equals(there.modified, back.modified),
        ).toBe(true);
        expect(isSame(compare(a, structuredClone(a), type))).toBe(true);
      }),
    );
  });

  it.each(types)('%s: what is merged in is there', (_what, values, type) => {
    fc.assert(
      fc.property(values, values, (a: unknown, b: unknown) => {
        const merged = mergeValues(a, b, type);
        return isSame(compare(merged, mergeValues(merged, b, type), type));
      }),
    );
  });

  it('merging is associative', () => {
    const values = spec.map(template);
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        const left = mergeValues(mergeValues(a, b, podTemplate), c, podTemplate);
        const right = mergeValues(a, mergeValues(b, c, podTemplate), podTemplate);
        return isSame(compare(left, right, podTemplate));
      }),
    );
  });

  it('removing what is mentioned leaves nothing of it', () => {
    fc.assert(
      fc.property(spec, spec, (a, b) => {
        const unwanted = toFieldSet(template(b), podTemplate);
        const rest = toFieldSet(remove(template(a), unwanted, podTemplate), podTemplate);
        expect(intersection(rest, unwanted)).toBe(EMPTY);
      }),
    );
  });
});

const withoutOwners = (object: ApiObject): unknown => ({
  ...object,
  metadata: { ...object.metadata, managedFields: undefined },
});

describe('histories', () => {
  // The host name is always there, so that nobody applies nothing: that leaves an object that isn't tracked.
  const configuration = spec.map((s) => template({ hostname: 'h', ...s }));
  const writes = fc.array(
    fc.record({ who: fc.constantFrom('one', 'two'), how: fc.constantFrom('apply', 'update'), what: configuration }),
    { maxLength: 6 },
  );

  it('apply is idempotent, whatever happened before', () => {
    fc.assert(
      fc.property(writes, configuration, (before, last) => {
        const history = new History('v1 PodTemplate');
        for (const { who, how, what } of before) {
          if (how === 'apply') history.apply(who, what, { force: true });
          else history.update(who, what);
        }
        const once = structuredClone(history.apply('me', last, { force: true }));
        const twice = structuredClone(history.apply('me', last));
        expect(withoutOwners(twice)).toEqual(withoutOwners(once));
        // Others may own more after the second time (rule 32), and nothing moves after that.
        expect(history.apply('me', last)).toEqual(twice);
      }),
      { numRuns: 60 },
    );
  });

  it('what an applier applied is there, and what only it applied goes with it', () => {
    fc.assert(
      fc.property(configuration, configuration, (first, second) => {
        const history = new History('v1 PodTemplate');
        history.apply('me', first);
        history.apply('me', second);
        const fresh = new History('v1 PodTemplate');
        fresh.apply('me', second);
        expect(toFieldSet(history.live, podTemplate)).toEqual(toFieldSet(fresh.live, podTemplate));
      }),
      { numRuns: 60 },
    );
  });
});
