import { describe, expect, it } from 'vitest';
import { changesBetween, changeText } from '../../src/ui/panels/watch/changes.ts';

const changeTexts = (before: unknown, after: unknown): string[] => changesBetween(before, after).map(changeText);

describe('what changed, in a line', () => {
  it.each<[string, unknown, unknown, string[]]>([
    ['nothing', { a: 1 }, { a: 1 }, []],
    ['a value', { status: { phase: 'Pending' } }, { status: { phase: 'Running' } }, ['status.phase Pending → Running']],
    ['something new', { spec: {} }, { spec: { nodeName: 'node-1' } }, ['+ spec.nodeName node-1']],
    ['something gone', { metadata: { labels: { a: 'b' } } }, { metadata: {} }, ['− metadata.labels {"a":"b"}']],
    [
      'what changes with each write',
      { metadata: { resourceVersion: '1', generation: 1 } },
      { metadata: { resourceVersion: '2', generation: 2 } },
      [],
    ],
    [
      'an item of a list by what tells it apart, times last',
      { c: [{ type: 'Ready', status: 'False', at: 1, lastTransitionTime: 'a' }] },
      { c: [{ type: 'Ready', status: 'True', at: 1, lastTransitionTime: 'b' }] },
      ['c[Ready].status False → True', 'c[Ready].lastTransitionTime a → b'],
    ],
    ['an item of a plain list', { f: ['x', 'y'] }, { f: ['x'] }, ['− f[1] y']],
    ['a key as in a prototype', { data: {} }, { data: { constructor: 'x' } }, ['+ data.constructor x']],
    ['a long value', { a: 'x'.repeat(50) }, { a: 'y' }, [`a ${'x'.repeat(40)}… → y`]],
    ['null is a value', { a: null }, { a: 0 }, ['a null → 0']],
  ])('%s', (_what, before, after, expected) => {
    expect(changeTexts(before, after)).toEqual(expected);
  });
});
