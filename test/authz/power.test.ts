import { describe, expect, it } from 'vitest';
import { powerOf } from '../../src/authz/index.ts';
import type { PolicyRule } from '../../src/authz/index.ts';

const rule = (verbs: string, resources: string, more: Partial<PolicyRule> = {}): PolicyRule => ({
  verbs: verbs.split(','),
  apiGroups: [''],
  resources: resources.split(','),
  ...more,
});

describe('the power of a rule', () => {
  it.each<[string, PolicyRule, string, string, PolicyRule, string]>([
    ['reading', rule('get', 'pods'), 'a', 'writing', rule('create', 'pods'), 'a'],
    ['one verb', rule('get', 'pods'), 'a', 'three', rule('get,list,watch', 'pods'), 'a'],
    ['many verbs', rule('get,list,watch,create,update,patch,delete', 'pods'), 'a', 'all', rule('*', 'pods'), 'a'],
    ['pods', rule('get', 'pods'), 'a', 'secrets', rule('get', 'secrets'), 'a'],
    ['one object', rule('get', 'secrets', { resourceNames: ['x'] }), 'a', 'all of them', rule('get', 'secrets'), 'a'],
    ['a namespace', rule('get', 'pods'), 'a', 'the whole cluster', rule('get', 'pods'), ''],
    ['five resources', rule('get', 'a,b,c,d,e'), 'a', 'every one', rule('get', '*'), 'a'],
    ['one group', rule('get', '*'), 'a', 'every group', rule('get', '*', { apiGroups: ['*'] }), 'a'],
    ['writing roles', rule('create,update', 'roles'), 'a', 'binding', rule('bind', 'roles'), 'a'],
    [
      'a path',
      { verbs: ['get'], nonResourceURLs: ['/healthz'] },
      '',
      'all',
      { verbs: ['get'], nonResourceURLs: ['*'] },
      '',
    ],
  ])('%s is less than %s', (_less, small, smallScope, _more, large, largeScope) => {
    expect(powerOf([small], smallScope)).toBeLessThan(powerOf([large], largeScope));
  });

  it('adds up over rules, so that one for everything outweighs many small ones', () => {
    const many = Array.from({ length: 40 }, () => rule('get,list', 'pods'));
    const everything = rule('*', '*', { apiGroups: ['*'] });
    expect(powerOf(many, '')).toBeGreaterThan(powerOf(many.slice(1), ''));
    expect(powerOf(many, '')).toBeLessThan(powerOf([everything], 'a'));
  });
});
