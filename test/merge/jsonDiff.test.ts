import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonDiff, jsonPatch } from '../../src/merge/index.ts';

const json = fc.jsonValue({ maxDepth: 3 });
const objects = fc.dictionary(fc.constantFrom('a', 'b', 'c/d', '~e'), json);

describe('the difference of two values', () => {
  it('is a patch that turns the one into the other', () => {
    fc.assert(
      fc.property(objects, objects, (before, after) => {
        expect(jsonPatch(before, jsonDiff(before, after))).toEqual(after);
      }),
    );
  });

  it.each([
    ['nothing', { a: 1 }, { a: 1 }, []],
    ['a field', { a: 1 }, { a: 2 }, [{ op: 'replace', path: '/a', value: 2 }]],
    ['a new field', {}, { 'a/b': 1 }, [{ op: 'add', path: '/a~1b', value: 1 }]],
    ['a field that went', { a: 1 }, {}, [{ op: 'remove', path: '/a' }]],
    ['an item in front', { l: [2, 3] }, { l: [1, 2, 3] }, [{ op: 'add', path: '/l/0', value: 1 }]],
    ['an item that went', { l: [1, 2, 3] }, { l: [1, 3] }, [{ op: 'remove', path: '/l/1' }]],
    ['an item between', { l: [1, 3] }, { l: [1, 2, 3] }, [{ op: 'add', path: '/l/1', value: 2 }]],
    ['one more of the same', { l: [1, 1] }, { l: [1, 1, 1] }, [{ op: 'add', path: '/l/2', value: 1 }]],
    ['one less of the same', { l: [1, 1, 1] }, { l: [1, 1] }, [{ op: 'remove', path: '/l/2' }]],
    [
      'items between that changed and went',
      { l: [1, 2, 3, 4] },
      { l: [1, 9, 4] },
      [
        { op: 'replace', path: '/l/1', value: 9 },
        { op: 'remove', path: '/l/2' },
      ],
    ],
    ['the last item', { l: [1, 2, 3] }, { l: [1, 2, 4] }, [{ op: 'replace', path: '/l/2', value: 4 }]],
    ['a field of an item', { l: [{ a: 1 }] }, { l: [{ a: 2 }] }, [{ op: 'replace', path: '/l/0/a', value: 2 }]],
  ])('is small: %s', (_what, before, after, patch) => {
    expect(jsonDiff(before, after)).toEqual(patch);
  });
});
