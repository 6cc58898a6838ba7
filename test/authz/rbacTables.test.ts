/** The small pieces of RBAC by tables: rules, what covers what, what differs. */
import { describe, expect, it } from 'vitest';
import type { PolicyRule } from '../../src/authz/index.ts';
import { breakDown, compactRule, compactRules, covers } from '../../src/authz/rbac/covers.ts';
import { differences } from '../../src/authz/rbac/differences.ts';
import { ruleFor, subjectOf } from '../../src/authz/rbac/edits.ts';
import { powerOf } from '../../src/authz/rbac/power.ts';
import { ruleAllows } from '../../src/authz/rbac/rules.ts';
import { RBAC, request, rule } from './helpers.ts';

describe('a rule allows a request', () => {
  it.each<[string, string, boolean]>([
    ['get pods', 'get pods', true],
    ['get pods', 'get pods/log', false],
    ['get */log', 'get pods/log', true],
    ['get */log', 'get pods/xlog', false],
    ['get */log', 'get pods', false],
    ['get a/log', 'get b/log', false],
    ['get */', 'get pods', false],
    ['get xxlog', 'get pods/log', false],
    ['get *', 'get pods/log', true],
    ['get /x', 'get /x', true],
    ['get /x*', 'get /x', true],
    ['get /x/*', 'get /x/y/z', true],
    ['get /x**', 'get /xy', true],
    ['get /x*/y*', 'get /x*/yz', true],
    ['get /x*/y*', 'get /xy', false],
    ['get * paths', 'get /anything', true],
    ['post /x', 'get /x', false],
  ])('%s: %s → %s', (text, what, expected) => {
    expect(ruleAllows(rule(text), request('u', what))).toBe(expected);
  });
});

describe('one rule covers another', () => {
  const resources = (...list: string[]): PolicyRule => ({ verbs: ['get'], apiGroups: [''], resources: list });
  it.each<[PolicyRule, PolicyRule, boolean]>([
    [rule('get /a*'), rule('get /ab'), true],
    [rule('get /a*'), rule('get /ab*'), true],
    [rule('get /a**'), rule('get /ab'), true],
    [rule('get /a*/b*'), rule('get /a*/bc'), true],
    [rule('get /a*/b*'), rule('get /ab'), false],
    [rule('get * paths'), rule('get /a'), true],
    [rule('get /a'), rule('get /a'), true],
    [rule('get /ab'), rule('get /a'), false],
    [rule('get /a'), rule('get /ab'), false],
    [rule('get /a'), { verbs: ['get'], nonResourceURLs: ['/a', '/b'] }, false],
    [rule('get pods'), rule('get /a'), false],
    [rule('get /a'), rule('get pods'), false],
    [rule('get pods'), rule('get,list pods'), false],
    [resources('a'), resources('a', 'b'), false],
    [resources('*/s'), resources('a/s', 'b/s'), true],
    [resources('*pods'), resources('pods'), false],
    [resources('*/s'), resources('s'), false],
    [rule('get pods named x'), rule('get pods named x,y'), false],
    [rule('get pods named x'), rule('get pods'), false],
  ])('%j covers %j: %s', (owner, small, expected) => {
    expect(covers(owner, small)).toBe(expected);
  });

  it.each<[PolicyRule, PolicyRule[]]>([
    [{ verbs: ['get'] }, []],
    [{ verbs: ['get'], apiGroups: [''] }, []],
    [{ verbs: ['get'], resources: ['pods'] }, []],
    [rule('get,list pods'), [rule('get pods'), rule('list pods')]],
    [rule('get pods named x,y'), [rule('get pods named x'), rule('get pods named y')]],
    [rule('get,post /a,/b'), [rule('get /a'), rule('post /a'), rule('get /b'), rule('post /b')]],
  ])('%j breaks down to %j', (whole, pieces) => {
    expect(breakDown(whole)).toEqual(pieces);
  });

  it.each<[string, string]>([
    [
      'get,list pods@apps named x,y',
      '{APIGroups:["apps"], Resources:["pods"], ResourceNames:["x" "y"], Verbs:["get" "list"]}',
    ],
    ['get /a,/b', '{NonResourceURLs:["/a" "/b"], Verbs:["get"]}'],
  ])('%s is printed as %s', (text, printed) => {
    expect(compactRule(rule(text))).toBe(printed);
  });

  it('joins rules that differ only in their verbs', () => {
    const rules = ['get pods', 'get services', 'list pods', 'get pods named x', 'get /a', 'list /a', 'get pods'];
    const joined = ['get,list pods', 'get services', 'get pods named x', 'get,list /a'];
    expect(compactRules(rules.map(rule))).toEqual(joined.map(rule));
  });
});

describe('what keeps a rule from allowing a request', () => {
  it.each<[PolicyRule, string, string[] | undefined]>([
    [rule('get pods'), 'get pods', []],
    [rule('get pods'), 'list pods', ['verb: get → list in verbs']],
    [rule('get pods'), 'get pods.apps', ['group:  → apps in apiGroups']],
    [rule('get pods'), 'get secrets', ['resource: pods → secrets in resources']],
    [rule('get pods'), 'get pods/log', ['subresource: pods → pods/log in resources']],
    [rule('get pods/exec'), 'get pods/log', ['subresource: pods/exec → pods/log in resources']],
    [rule('get pods named x'), 'get pods y', ['name: x → y in resourceNames']],
    [rule('get pods'), 'list secrets', ['verb: get → list in verbs', 'resource: pods → secrets in resources']],
    [{ verbs: ['get'], resources: ['pods'] }, 'get pods', ['group:  →  in apiGroups']],
    [rule('get /a'), 'get pods', undefined],
    [{ verbs: ['get'], resources: [] }, 'get pods', undefined],
    [rule('get /a'), 'get /a', []],
    [rule('get /a'), 'post /b', ['verb: get → post in verbs', 'path: /a → /b in nonResourceURLs']],
    [rule('get pods'), 'get /a', undefined],
    [{ verbs: ['get'], nonResourceURLs: [] }, 'get /a', undefined],
  ])('%j, %s: %j', (one, what, expected) => {
    const found = differences(one, request('u', what));
    expect(found?.map(({ part, has, needs, field }) => `${part}: ${has.join()} → ${needs} in ${field}`)).toEqual(
      expected,
    );
  });
});

describe('the narrowest rule and the subject of a request', () => {
  it.each<[string, PolicyRule]>([
    ['get pods', { verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
    [
      'get deployments.apps/scale x in a',
      { verbs: ['get'], apiGroups: ['apps'], resources: ['deployments/scale'], resourceNames: ['x'] },
    ],
    ['post /a', { verbs: ['post'], nonResourceURLs: ['/a'] }],
  ])('%s needs %j', (what, needed) => {
    expect(ruleFor(request('u', what))).toEqual(needed);
  });

  it.each([
    ['alice', { kind: 'User', apiGroup: RBAC, name: 'alice' }],
    ['system:serviceaccount:ab:cd', { kind: 'ServiceAccount', namespace: 'ab', name: 'cd' }],
    ['x:system:serviceaccount:ab:cd', { kind: 'User', apiGroup: RBAC, name: 'x:system:serviceaccount:ab:cd' }],
    ['system:serviceaccount:ab:cd:ef', { kind: 'User', apiGroup: RBAC, name: 'system:serviceaccount:ab:cd:ef' }],
    ['system:serviceaccount::cd', { kind: 'User', apiGroup: RBAC, name: 'system:serviceaccount::cd' }],
  ])('%s is the subject %j', (name, subject) => {
    expect(subjectOf({ name }, RBAC)).toEqual(subject);
  });
});

describe('the power of rules', () => {
  it.each<[string[], string, number]>([
    [['get pods'], 'a', 1],
    [['get pods'], '', 5],
    [['create pods'], 'a', 3],
    [['get,create pods,services'], 'a', 8],
    [['get secrets'], 'a', 5],
    [['impersonate users'], 'a', 20],
    [['* pods'], 'a', 50],
    [['get *'], 'a', 50],
    [['get pods@*'], 'a', 50],
    [['get pods named x'], 'a', 0.1],
    [['get pods named x,y'], 'a', 0.2],
    [['get /x'], 'a', 0.1],
    [['get * paths'], 'a', 50],
    [['get pods', 'list pods'], 'a', 2],
    [[], 'a', 0],
  ])('%j in "%s" is %d', (rules, scope, power) => {
    expect(powerOf(rules.map(rule), scope)).toBeCloseTo(power);
  });

  it('counts an empty list of names as all names', () => {
    expect(powerOf([{ ...rule('get pods'), resourceNames: [] }], 'a')).toBe(1);
  });
});
