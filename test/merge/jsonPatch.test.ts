import { describe, expect, it } from 'vitest';
import { jsonPatch } from '../../src/merge/index.ts';
import { refusal } from './support.ts';

type Row = readonly [what: string, document: unknown, patch: unknown, result: unknown];
type BadRow = readonly [what: string, document: unknown, patch: unknown, code: number];

/** The public suite's cases that the reference answers as RFC 6902 does. */
const works: readonly Row[] = [
  ['an empty patch changes an empty object', {}, [], {}],
  ['an empty patch changes an object', { foo: 1 }, [], { foo: 1 }],
  ['an empty patch changes a list', ['foo'], [], ['foo']],
  ['keys may come in any order', { foo: 1, bar: 2 }, [{ path: '/foo', op: 'replace', value: 3 }], { foo: 3, bar: 2 }],
  ['add to a list by index 0', [], [{ op: 'add', path: '/0', value: 'foo' }], ['foo']],
  ['add to an empty object', {}, [{ op: 'add', path: '/foo', value: '1' }], { foo: '1' }],
  ['add a number', {}, [{ op: 'add', path: '/foo', value: 1 }], { foo: 1 }],
  ['add under an empty key', {}, [{ op: 'add', path: '/', value: 1 }], { '': 1 }],
  ['add below a key with an empty name', { foo: {} }, [{ op: 'add', path: '/foo/', value: 1 }], { foo: { '': 1 } }],
  ['add an object', { foo: 1 }, [{ op: 'add', path: '/bar', value: [1, 2] }], { foo: 1, bar: [1, 2] }],
  [
    'add to the end of a list in a list',
    { foo: [1, 2, [3, [4]]] },
    [{ op: 'add', path: '/foo/2/1/-', value: 5 }],
    { foo: [1, 2, [3, [4, 5]]] },
  ],
  [
    'add a scalar to a nested list',
    { foo: 1, baz: [{ qux: 'hello' }] },
    [{ op: 'add', path: '/baz/0/foo', value: 'world' }],
    { foo: 1, baz: [{ qux: 'hello', foo: 'world' }] },
  ],
  ['add true', { foo: 1 }, [{ op: 'add', path: '/bar', value: true }], { foo: 1, bar: true }],
  ['add false', { foo: 1 }, [{ op: 'add', path: '/bar', value: false }], { foo: 1, bar: false }],
  ['add null', { foo: 1 }, [{ op: 'add', path: '/bar', value: null }], { foo: 1, bar: null }],
  ['a number may be a key of an object', { foo: 1 }, [{ op: 'add', path: '/0', value: 'bar' }], { foo: 1, '0': 'bar' }],
  ['insert in front', ['foo'], [{ op: 'add', path: '/0', value: 'bar' }], ['bar', 'foo']],
  ['insert behind', ['foo'], [{ op: 'add', path: '/1', value: 'bar' }], ['foo', 'bar']],
  ['insert between', ['foo', 'sil'], [{ op: 'add', path: '/1', value: 'bar' }], ['foo', 'bar', 'sil']],
  [
    'insert a list between',
    ['foo', 'sil'],
    [{ op: 'add', path: '/1', value: ['bar', 'baz'] }],
    ['foo', ['bar', 'baz'], 'sil'],
  ],
  [
    'the dash is the end',
    [1, 2],
    [{ op: 'add', path: '/-', value: { foo: ['bar', 'baz'] } }],
    [1, 2, { foo: ['bar', 'baz'] }],
  ],
  ['remove a key', { foo: 1, bar: [1, 2] }, [{ op: 'remove', path: '/bar' }], { foo: 1 }],
  [
    'remove a nested key',
    { foo: 1, baz: [{ qux: 'hello' }] },
    [{ op: 'remove', path: '/baz/0/qux' }],
    { foo: 1, baz: [{}] },
  ],
  ['remove a null', { foo: null }, [{ op: 'remove', path: '/foo' }], {}],
  ['remove from a list', [1, 2, 3, 4], [{ op: 'remove', path: '/0' }], [2, 3, 4]],
  [
    'indices shift between operations',
    [1, 2, 3, 4],
    [
      { op: 'remove', path: '/1' },
      { op: 'remove', path: '/2' },
    ],
    [1, 3],
  ],
  [
    'replace a value by a list',
    { foo: 1, baz: 2 },
    [{ op: 'replace', path: '/foo', value: [1, 2, 3] }],
    { foo: [1, 2, 3], baz: 2 },
  ],
  ['replace an item', ['foo'], [{ op: 'replace', path: '/0', value: 'bar' }], ['bar']],
  ['replace an empty text', [''], [{ op: 'replace', path: '/0', value: 0 }], [0]],
  ['replace zero by true', [0], [{ op: 'replace', path: '/0', value: true }], [true]],
  ['replace false', [false], [{ op: 'replace', path: '/0', value: null }], [null]],
  [
    'replace a list in a list',
    ['foo', 'sil'],
    [{ op: 'replace', path: '/1', value: ['bar', 'baz'] }],
    ['foo', ['bar', 'baz']],
  ],
  ['replace null', { foo: null }, [{ op: 'replace', path: '/foo', value: 'truthy' }], { foo: 'truthy' }],
  ['unknown members are ignored', { foo: 1 }, [{ op: 'test', path: '/foo', value: 1, spurious: 1 }], { foo: 1 }],
  ['null tests equal to null', { foo: null }, [{ op: 'test', path: '/foo', value: null }], { foo: null }],
  [
    'objects test equal in any order',
    { foo: { a: 1, b: [2] } },
    [{ op: 'test', path: '/foo', value: { b: [2], a: 1 } }],
    { foo: { a: 1, b: [2] } },
  ],
  [
    'lists test equal item by item',
    { foo: { bar: [1, 2, 5, 4] } },
    [{ op: 'test', path: '/foo', value: { bar: [1, 2, 5, 4] } }],
    { foo: { bar: [1, 2, 5, 4] } },
  ],
  ['the root can be tested', { foo: 1 }, [{ op: 'test', path: '', value: { foo: 1 } }], { foo: 1 }],
  ['an empty key can be tested', { '': 1 }, [{ op: 'test', path: '/', value: 1 }], { '': 1 }],
  [
    'slash and tilde are escaped',
    { 'a/b': 1, 'm~n': 8 },
    [
      { op: 'test', path: '/a~1b', value: 1 },
      { op: 'test', path: '/m~0n', value: 8 },
    ],
    { 'a/b': 1, 'm~n': 8 },
  ],
  ['escapes are read once', { '~1': 10 }, [{ op: 'test', path: '/~01', value: 10 }], { '~1': 10 }],
  [
    'keys may hold any character',
    { 'c%d': 2, 'g|h': 4, 'i\\j': 5, 'k"l': 6, ' ': 7 },
    [
      { op: 'test', path: '/c%d', value: 2 },
      { op: 'test', path: '/i\\j', value: 5 },
      { op: 'test', path: '/k"l', value: 6 },
      { op: 'test', path: '/ ', value: 7 },
    ],
    { 'c%d': 2, 'g|h': 4, 'i\\j': 5, 'k"l': 6, ' ': 7 },
  ],
  ['move onto itself', { foo: null }, [{ op: 'move', from: '/foo', path: '/foo' }], { foo: null }],
  [
    'move within an object',
    { foo: 1, baz: [{ qux: 'hello' }] },
    [{ op: 'move', from: '/foo', path: '/bar' }],
    { baz: [{ qux: 'hello' }], bar: 1 },
  ],
  [
    'move between containers',
    { baz: [{ qux: 'hello' }], bar: 1 },
    [{ op: 'move', from: '/baz/0/qux', path: '/baz/1' }],
    { baz: [{}, 'hello'], bar: 1 },
  ],
  [
    'copy into a list',
    { baz: [{ qux: 'hello' }], bar: 1 },
    [{ op: 'copy', from: '/baz/0', path: '/boo' }],
    { baz: [{ qux: 'hello' }], bar: 1, boo: { qux: 'hello' } },
  ],
  [
    'a copy is independent',
    { a: { b: 1 } },
    [
      { op: 'copy', from: '/a', path: '/c' },
      { op: 'replace', path: '/c/b', value: 2 },
    ],
    { a: { b: 1 }, c: { b: 2 } },
  ],
  [
    'a value is not shared between operations',
    {},
    [
      { op: 'add', path: '/a', value: { x: 1 } },
      { op: 'add', path: '/a/y', value: 2 },
    ],
    { a: { x: 1, y: 2 } },
  ],
  [
    '__proto__ is a key like any other',
    {},
    [{ op: 'add', path: '/__proto__', value: { x: 1 } }],
    JSON.parse('{"__proto__":{"x":1}}'),
  ],
];

/** Where the reference does more than the RFC, or other than it. */
const deviations: readonly Row[] = [
  ['replace sets a key that is not there', { a: 1 }, [{ op: 'replace', path: '/b', value: 2 }], { a: 1, b: 2 }],
  ['a copy of a missing key is null', {}, [{ op: 'copy', from: '/a', path: '/b' }], { b: null }],
  ['a missing value is null', {}, [{ op: 'add', path: '/a' }], { a: null }],
  ['-1 inserts behind the last', [1, 2], [{ op: 'add', path: '/-1', value: 3 }], [1, 2, 3]],
  ['-1 removes the last', [1, 2], [{ op: 'remove', path: '/-1' }], [1]],
  ['negative indices lead through lists', [{ a: 1 }], [{ op: 'replace', path: '/-1/a', value: 2 }], [{ a: 2 }]],
  ['indices may have leading zeros', [1, 2], [{ op: 'remove', path: '/01' }], [1]],
  ['what stands before the first slash is ignored', { a: 1 }, [{ op: 'replace', path: 'x/a', value: 2 }], { a: 2 }],
  ['a patch of null is no patch', { a: 1 }, null, { a: 1 }],
];

const fails: readonly BadRow[] = [
  ['an object is no patch', {}, {}, 400],
  ['a text is no patch', {}, 'text', 400],
  ['an operation is an object', {}, ['add'], 400],
  ['a null operation has no op', {}, [null], 422],
  ['an unknown op', { foo: 1 }, [{ op: 'spam', path: '/foo', value: 1 }], 422],
  ['an op of the prototype', { foo: 1 }, [{ op: 'constructor', path: '/foo' }], 422],
  ['no op', { foo: 1 }, [{ path: '/foo', value: 1 }], 422],
  ['no path', {}, [{ op: 'add', value: 1 }], 422],
  ['a path that is no text', {}, [{ op: 'add', path: null, value: 1 }], 422],
  ['no from', { foo: 1 }, [{ op: 'copy', path: '/bar' }], 422],
  ['add below what is not there', {}, [{ op: 'add', path: '/a/b', value: 1 }], 422],
  ['add below a scalar', { foo: 1 }, [{ op: 'add', path: '/foo/b', value: 1 }], 422],
  ['add below null', { foo: null }, [{ op: 'add', path: '/foo/b', value: 1 }], 422],
  ['a path without a slash', { foo: 1 }, [{ op: 'add', path: 'foo', value: 1 }], 422],
  ['add past the end', { bar: [1, 2] }, [{ op: 'add', path: '/bar/8', value: 5 }], 422],
  ['add far before the start', { bar: [1, 2] }, [{ op: 'add', path: '/bar/-9', value: 5 }], 422],
  ['add at a word', ['foo'], [{ op: 'add', path: '/bar', value: 1 }], 422],
  ['add at an exponent', ['foo'], [{ op: 'add', path: '/1e0', value: 1 }], 422],
  ['add at an index that no list has', [], [{ op: 'add', path: '/4294967295', value: 1 }], 422],
  ['add at an index beyond numbers', [], [{ op: 'add', path: `/${'9'.repeat(400)}`, value: 1 }], 422],
  ['remove a missing key', { foo: 1 }, [{ op: 'remove', path: '/baz' }], 422],
  ['remove at the dash', [1], [{ op: 'remove', path: '/-' }], 422],
  ['remove an item that is not there', [], [{ op: 'remove', path: '/0' }], 422],
  ['remove an inherited key', {}, [{ op: 'remove', path: '/toString' }], 422],
  ['replace an item that is not there', [], [{ op: 'replace', path: '/0', value: 1 }], 422],
  ['replace the root', { foo: 1 }, [{ op: 'replace', path: '', value: {} }], 422],
  ['remove the root', { foo: 1 }, [{ op: 'remove', path: '' }], 422],
  ['move a missing key', {}, [{ op: 'move', from: '/a', path: '/b' }], 422],
  ['move into itself', { a: { b: 1 } }, [{ op: 'move', from: '/a', path: '/a/c' }], 422],
  ['copy an item that is not there', [], [{ op: 'copy', from: '/0', path: '/-' }], 422],
  ['test another value', { foo: 1 }, [{ op: 'test', path: '/foo', value: 2 }], 422],
  ['test a text against a number', { '/': 9 }, [{ op: 'test', path: '/~1', value: '9' }], 422],
  ['test without a value', { foo: 1 }, [{ op: 'test', path: '/foo' }], 422],
  ['test a missing key', {}, [{ op: 'test', path: '/foo', value: 1 }], 422],
  ['test a list against an object', { foo: [] }, [{ op: 'test', path: '/foo', value: {} }], 422],
  [
    'a later failure undoes what went before',
    { a: 1 },
    [
      { op: 'add', path: '/b', value: 2 },
      { op: 'test', path: '/a', value: 2 },
    ],
    422,
  ],
  [
    'more operations than are allowed',
    {},
    Array.from({ length: 10_001 }, () => ({ op: 'add', path: '/a', value: 1 })),
    413,
  ],
  [
    'copies that grow without bound',
    { a: ['x'.repeat(1000)] },
    Array.from({ length: 40 }, () => ({ op: 'copy', from: '/a', path: '/a/-' })),
    422,
  ],
];

describe('JSON patch', () => {
  it.each(works)('%s', (_what, document, patch, result) => expect(jsonPatch(document, patch)).toEqual(result));

  it.each(deviations)('beyond the RFC: %s', (_what, document, patch, result) =>
    expect(jsonPatch(document, patch)).toEqual(result),
  );

  it.each(fails)('refuses: %s', (_what, document, patch, code) => {
    const before = structuredClone(document);
    expect(refusal(() => jsonPatch(document, patch)).code).toBe(code);
    expect(document).toEqual(before);
  });

  it('says Invalid, without causes, where a patch does not apply', () => {
    const refused = refusal(() => jsonPatch({}, [{ op: 'remove', path: '/a' }]));
    expect(refused).toMatchObject({ code: 422, reason: 'Invalid', details: {} });
    expect(refused.details?.causes).toBeUndefined();
  });
});
