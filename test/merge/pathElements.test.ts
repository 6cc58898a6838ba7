/** Path elements: their canonical text, their order in FieldsV1, and how conflicts write them. */
import { describe, expect, test } from 'vitest';
import {
  describeElement,
  fieldElement,
  keyElement,
  parseElement,
  PathElementError,
  sortElements,
  valueElement,
} from '../../src/merge/apply/pathElement.ts';

describe('the canonical text of an element', () => {
  test.each([
    ['f:name', 'f:name'],
    ['f:', 'f:'],
    ['v:"a"', 'v:"a"'],
    ['v: 1.50', 'v:1.5'],
    ['v:{"b":1,"a":[true,null]}', 'v:{"a":[true,null],"b":1}'],
    ['v:[{"b":1,"a":[2]}]', 'v:[{"a":[2],"b":1}]'],
    ['v:"<a>&\u2028"', 'v:"\\u003ca\\u003e\\u0026\\u2028"'],
    ['k:{"protocol":"TCP","port":80}', 'k:{"port":80,"protocol":"TCP"}'],
    ['k:{"name":"a"}', 'k:{"name":"a"}'],
    ['i:007', 'i:7'],
    ['i:-1', 'i:-1'],
    ['x:later', undefined],
  ])('%s is %s', (text, element) => expect(parseElement(text)).toBe(element));

  test.each([
    ['', 'not a path element: '],
    ['f', 'not a path element: f'],
    ['name', 'not a path element: name'],
    ['v:', 'not a JSON value: '],
    ['v:{', 'not a JSON value: {'],
    ['k:1', 'not a list of keys: k:1'],
    ['k:[]', 'not a list of keys: k:[]'],
    ['k:', 'not a JSON value: '],
    ['i:a', 'not an index: i:a'],
    ['i:1.5', 'not an index: i:1.5'],
    ['i:', 'not an index: i:'],
  ])('%j is none', (text, message) => {
    expect(() => parseElement(text)).toThrow(new PathElementError(message));
  });

  test('is what is made of names, values and keys', () => {
    expect(fieldElement('spec')).toBe('f:spec');
    expect(valueElement('a')).toBe('v:"a"');
    expect(keyElement([['name', 'a']])).toBe('k:{"name":"a"}');
  });
});

describe('the order of elements', () => {
  test.each<[string, string[]]>([
    ['fields by name', ['f:B', 'f:a', 'f:b']],
    ['kinds: fields, keyed items, values, indices', ['f:z', 'k:{"name":"z"}', 'v:"z"', 'i:0']],
    [
      'values: numbers, texts, booleans, everything else',
      ['v:2', 'v:10', 'v:"1"', 'v:"a"', 'v:false', 'v:true', 'v:null', 'v:{"a":1}'],
    ],
    ['texts by their characters, not by their JSON', ['v:"a"', 'v:"a!"']],
    ['indices by number', ['i:2', 'i:10', 'i:100']],
    ['keys by their first value', ['k:{"name":"a"}', 'k:{"name":"b"}', 'k:{"name":"c"}']],
    ['keys by number, not by text', ['k:{"port":9}', 'k:{"port":80}', 'k:{"port":443}']],
    ['keys by name before value', ['k:{"a":"z"}', 'k:{"b":"a"}']],
    [
      'keys by their second value where the first is the same',
      ['k:{"port":80,"protocol":"TCP"}', 'k:{"port":80,"protocol":"UDP"}', 'k:{"port":81,"protocol":"TCP"}'],
    ],
    ['keys by text, not by JSON', ['k:{"name":"a"}', 'k:{"name":"a!"}']],
    ['fewer keys first', ['k:{"port":80}', 'k:{"port":80,"protocol":"TCP"}']],
    ['fields and one value', ['f:a', 'f:b', 'v:1']],
  ])('%s', (_what, sorted) => {
    expect(sortElements([...sorted].reverse())).toEqual(sorted);
    expect(sortElements(sorted)).toEqual(sorted);
    const rotated = [...sorted.slice(1), ...sorted.slice(0, 1)];
    expect(sortElements(rotated)).toEqual(sorted);
  });
});

test.each([
  ['f:name', '.name'],
  ['v:"a"', '[="a"]'],
  ['i:3', '[3]'],
  ['k:{"name":"a"}', '[name="a"]'],
  ['k:{"port":80,"protocol":"TCP"}', '[port=80,protocol="TCP"]'],
])('a conflict writes %s as %s', (element, text) => expect(describeElement(element)).toBe(text));
