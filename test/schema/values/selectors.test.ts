import { describe, expect, it, test } from 'vitest';
import { parseFieldSelector } from '../../../src/schema/values/fieldSelector.ts';
import { labelSelectorText, selectorOfObject } from '../../../src/schema/values/labelSelector.ts';
import { SelectorError, parseLabelSelector } from '../../../src/schema/values/labelSelectorText.ts';

describe('label selectors as text', () => {
  test.each([
    ['', ''],
    ['a=b', 'a=b'],
    ['b=2,a==1', 'a==1,b=2'],
    [' a  in ( y , x ) ', 'a in (x,y)'],
    ['a notin (x)', 'a notin (x)'],
    ['a in (,)', 'a in ()'],
    ['a in (x,)', 'a in (,x)'],
    ['!a,b', '!a,b'],
    ['a!=', 'a!='],
    ['a=', 'a='],
    ['a>1,b<-2', undefined],
    ['a>1,b<2', 'a>1,b<2'],
    ['in in (in)', 'in in (in)'],
    ['example.com/a=b', 'example.com/a=b'],
    ['a===b', undefined],
    ['a,', undefined],
    [',a', undefined],
    ['a in ()', 'a in ()'],
    ['a in x', undefined],
    ['a in (x', undefined],
    ['a in (x y)', undefined],
    ['a b', undefined],
    ['!', undefined],
    ['a>x', undefined],
    ['-a=b', undefined],
    ['a=b c', undefined],
    ['a=-', undefined],
    ['!a=b', undefined],
  ])('%j', (text, canonical) => {
    if (canonical === undefined) expect(() => parseLabelSelector(text)).toThrow(SelectorError);
    else expect(parseLabelSelector(text).toString()).toBe(canonical);
  });

  test.each([
    ['app=web', { app: 'web' }, true],
    ['app=web', {}, false],
    ['app!=web', {}, true],
    ['app in (web,db)', { app: 'db' }, true],
    ['app notin (web)', { app: 'db' }, true],
    ['app', { app: '' }, true],
    ['!app', { app: '' }, false],
    ['n>5', { n: '10' }, true],
    ['n<5', { n: '10' }, false],
    ['n>5', { n: 'many' }, false],
    ['toString', {}, false],
  ])('%s on %j: %s', (text, labels, expected) => {
    expect(parseLabelSelector(text).matches(labels)).toBe(expected);
  });
});

describe('label selectors as objects', () => {
  it('match nothing when absent, everything when empty', () => {
    expect(selectorOfObject(undefined).matches({ a: 'b' })).toBe(false);
    expect(selectorOfObject({}).matches(undefined)).toBe(true);
  });

  it('have a canonical text', () => {
    const object = {
      matchLabels: { b: '1', a: 'x' },
      matchExpressions: [
        { key: 'c', operator: 'NotIn', values: ['z', 'y'] },
        { key: 'd', operator: 'Exists' },
      ],
    };
    expect(labelSelectorText(object)).toBe('a=x,b=1,c notin (y,z),d');
  });
});

describe('field selectors', () => {
  test.each([
    ['status.phase!=Running,metadata.name=a', 'metadata.name=a,status.phase!=Running'],
    ['a==b', 'a=b'],
    [',,a=b,', 'a=b'],
    ['a=', 'a='],
    ['a=\\,\\=\\\\', 'a=\\,\\=\\\\'],
    ['a', undefined],
    ['a=b=c', undefined],
    ['a=\\x', undefined],
    ['a=b\\', undefined],
  ])('%j', (text, canonical) => {
    if (canonical === undefined) expect(() => parseFieldSelector(text)).toThrow(SelectorError);
    else expect(parseFieldSelector(text).toString()).toBe(canonical);
  });

  it('match texts of fields', () => {
    const selector = parseFieldSelector('spec.nodeName=n1,status.phase!=Failed');
    expect(selector.matches({ 'spec.nodeName': 'n1', 'status.phase': 'Running' })).toBe(true);
    expect(selector.matches({ 'spec.nodeName': 'n1', 'status.phase': 'Failed' })).toBe(false);
    expect(selector.matches({})).toBe(false);
    expect(selector.exactValue('spec.nodeName')).toBe('n1');
    expect(selector.exactValue('status.phase')).toBeUndefined();
  });
});
