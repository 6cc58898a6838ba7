/** Sets that are shared, held against sets that are made each time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  difference,
  EMPTY,
  equals,
  fieldSet,
  intersection,
  LEAF,
  union,
  type FieldSet,
} from '../../src/merge/apply/fieldSet.ts';
import { noChildren, remembered } from '../../src/merge/apply/sharedSets.ts';

type Tree = readonly [self: boolean, children: Readonly<Record<string, Tree>>];

const tree: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.tuple(
    fc.boolean(),
    fc.oneof({ depthSize: 'small' }, fc.constant({}), fc.dictionary(fc.constantFrom('f:a', 'f:b', 'k:c'), tie('tree'))),
  ),
})).tree;

function plain([self, children]: Tree): FieldSet {
  const sets = Object.entries(children).map(([element, child]) => [element, plain(child)] as const);
  return fieldSet(self, new Map(sets.filter(([, set]) => set !== EMPTY)));
}

function shared([self, children]: Tree): FieldSet {
  let at = noChildren();
  for (const [element, child] of Object.entries(children)) {
    const set = shared(child);
    if (set !== EMPTY) at = at.with(element, set);
  }
  return at.set(self);
}

describe('a shared set', () => {
  it('is what one that is made each time is, and the same each time', () => {
    fc.assert(
      fc.property(tree, (made) => {
        expect(equals(shared(made), plain(made))).toBe(true);
        expect(shared(made)).toBe(shared(made));
      }),
    );
  });

  it('of no children is the leaf, or nothing', () => {
    expect(noChildren().set(true)).toBe(LEAF);
    expect(noChildren().set(false)).toBe(EMPTY);
  });

  it('tells children of one element apart, and the set itself', () => {
    const deep = noChildren().with('f:b', LEAF).set(false);
    const [one, other] = [noChildren().with('f:a', LEAF).set(false), noChildren().with('f:a', deep).set(false)];
    expect(equals(one, other)).toBe(false);
    expect(noChildren().with('f:a', LEAF).set(true).self).toBe(true);
    expect(noChildren().with('f:a', LEAF).set(false)).toBe(one);
  });

  it('stays what it is when too many are known', () => {
    const before = noChildren().with('f:kept', LEAF);
    for (let i = 0; i < 20_001; i++) noChildren().with(`f:${i}`, LEAF);
    const after = noChildren().with('f:kept', LEAF);
    expect(after).not.toBe(before);
    expect(equals(after.set(false), before.with('f:a', LEAF).set(false))).toBe(false);
    expect(equals(after.set(false), before.set(false))).toBe(true);
  });

  it('of very many children is made each time', () => {
    const elements = Array.from({ length: 100_000 }, (_, i) => `f:many${i}`);
    const made = (): FieldSet => elements.reduce((at, element) => at.with(element, LEAF), noChildren()).set(true);
    expect(made().children.size).toBe(elements.length);
    expect([...made().children.keys()]).toEqual(elements);
    expect(equals(made(), made())).toBe(true);
    const few = elements.slice(0, 400);
    const shared = (): FieldSet => few.reduce((at, element) => at.with(element, LEAF), noChildren()).set(true);
    expect(shared()).toBe(shared());
  });

  it('combines with others as sets do that are not remembered', () => {
    fc.assert(
      fc.property(tree, fc.array(tree, { maxLength: 12 }), (first, others) => {
        const a = shared(first);
        for (const other of [...others, ...others]) {
          const b = shared(other);
          expect(equals(remembered.union(a, b), union(a, b))).toBe(true);
          expect(equals(remembered.intersection(a, b), intersection(a, b))).toBe(true);
          expect(equals(remembered.difference(a, b), difference(a, b))).toBe(true);
        }
      }),
    );
  });
});
