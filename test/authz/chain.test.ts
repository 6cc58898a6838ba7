import { describe, expect, it } from 'vitest';
import { alwaysAllow, alwaysDeny, authorizationChain, superusers } from '../../src/authz/index.ts';
import type { Authorizer, RuleSummary, Verdict } from '../../src/authz/index.ts';
import { request } from './helpers.ts';

describe('the chain of modules', () => {
  const saying = (name: string, decision: Verdict['decision'], reason = ''): Authorizer => ({
    name,
    authorize: () => ({ decision, reason }),
  });
  const later = (authorizer: Authorizer): Authorizer => ({
    ...authorizer,
    authorize: async (r) => authorizer.authorize(r),
  });
  const failing: Authorizer = { name: 'broken', authorize: () => Promise.reject(new Error('out of order')) };

  it.each<[string, Authorizer[], string, string]>([
    [
      'the first that allows decides',
      [saying('a', 'no-opinion'), saying('b', 'allow', 'b says so'), saying('c', 'deny')],
      'allow',
      'b says so',
    ],
    ['the first that denies decides', [saying('a', 'deny', 'never'), saying('b', 'allow')], 'deny', 'never'],
    [
      'nobody decides: all reasons',
      [saying('a', 'no-opinion', 'one'), saying('b', 'no-opinion'), saying('c', 'no-opinion', 'two')],
      'no-opinion',
      'one\ntwo',
    ],
    ['no modules at all', [], 'no-opinion', ''],
    [
      'modules that take their time',
      [later(saying('a', 'no-opinion')), saying('b', 'no-opinion'), later(saying('c', 'allow', 'late'))],
      'allow',
      'late',
    ],
    ['a module that fails does not hide the next', [failing, saying('b', 'allow', 'fine')], 'allow', 'fine'],
    ['superusers come before a denial', [superusers, saying('b', 'deny')], 'allow', ''],
    ['everything is allowed', [alwaysAllow], 'allow', ''],
    ['everything is forbidden', [alwaysDeny], 'no-opinion', 'Everything is forbidden.'],
  ])('%s', async (_what, modules, decision, reason) => {
    const verdict = await authorizationChain(modules).authorize(request('root of system:masters', 'get pods'));
    expect(verdict).toMatchObject({ decision, reason });
  });

  it('reports the error of a failed module if no module decides', async () => {
    const verdict = await authorizationChain([failing, saying('b', 'no-opinion')]).authorize(request('u', 'get pods'));
    expect(verdict).toMatchObject({
      decision: 'no-opinion',
      error: 'out of order',
      verdicts: [{ module: 'broken' }, { module: 'b' }],
    });
  });

  it('calls no module after the deciding one', () => {
    const asked: string[] = [];
    const spy = (module: Authorizer): Authorizer => ({
      ...module,
      authorize: (attributes) => (asked.push(module.name), module.authorize(attributes)),
    });
    const modules = [saying('a', 'no-opinion'), saying('b', 'deny'), saying('c', 'allow')].map(spy);
    const decided = authorizationChain(modules).authorize(request('u', 'get pods'));
    expect(asked).toEqual(['a', 'b']);
    expect(decided).toEqual({
      decision: 'deny',
      reason: '',
      verdicts: [
        { module: 'a', verdict: { decision: 'no-opinion', reason: '' } },
        { module: 'b', verdict: { decision: 'deny', reason: '' } },
      ],
    });
  });

  describe('evaluation errors', () => {
    const throwing = (problem: unknown): Authorizer => ({
      name: 'throwing',
      authorize: () => {
        throw problem;
      },
    });
    const erring = (decision: Verdict['decision'], reason: string, error: string): Authorizer => ({
      name: 'erring',
      authorize: () => ({ decision, reason, error }),
    });

    it.each<[string, Authorizer[], { decision: string; reason: string; error?: string }]>([
      [
        'a module that throws has no opinion',
        [throwing(new Error('bad'))],
        { decision: 'no-opinion', reason: '', error: 'bad' },
      ],
      [
        'what is thrown need not be an error',
        [throwing('a text')],
        { decision: 'no-opinion', reason: '', error: 'a text' },
      ],
      [
        'two errors are a list',
        [throwing(new Error('one')), failing],
        { decision: 'no-opinion', reason: '', error: '[one, out of order]' },
      ],
      ['no error is no field', [saying('a', 'no-opinion', 'why')], { decision: 'no-opinion', reason: 'why' }],
      [
        'an error that the reason has is not said twice',
        [erring('no-opinion', 'RBAC: lost', 'lost')],
        { decision: 'no-opinion', reason: 'RBAC: lost' },
      ],
      [
        'an error of the module that decides is kept',
        [erring('allow', 'yes', 'half')],
        { decision: 'allow', reason: 'yes', error: 'half' },
      ],
      [
        'errors before the decision are not',
        [failing, saying('b', 'allow', 'fine')],
        { decision: 'allow', reason: 'fine' },
      ],
    ])('%s', async (_what, modules, expected) => {
      const { verdicts: _verdicts, ...decided } = await authorizationChain(modules).authorize(request('u', 'get pods'));
      expect(decided).toEqual(expected);
    });
  });

  it('lists the rules of modules that support it, in order', () => {
    const summary = (verb: string): RuleSummary => ({
      resourceRules: [{ verbs: [verb] }],
      nonResourceRules: [],
      incomplete: false,
    });
    const knowing = (name: string): Authorizer => ({
      ...saying(name, 'allow'),
      rules: ({ name: user }, namespace) => summary(`${name} for ${user} in ${namespace}`),
    });
    const chain = authorizationChain([knowing('a'), saying('b', 'allow'), knowing('c')]);
    expect(chain.rules({ name: 'u', groups: [], extra: {} }, 'n')).toEqual([
      summary('a for u in n'),
      summary('c for u in n'),
    ]);
  });

  const all = {
    resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }],
    nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
    incomplete: false,
  };
  it.each([
    [alwaysAllow, 'AlwaysAllow', all],
    [alwaysDeny, 'AlwaysDeny', { resourceRules: [], nonResourceRules: [], incomplete: false }],
    [superusers, 'Superusers', undefined],
  ] as const)('the module %# is named and lists its rules', (module, name, rules) => {
    expect([module.name, module.rules?.({ name: 'u', groups: [], extra: {} }, 'n')]).toEqual([name, rules]);
  });

  it('has no opinion on other users', () => {
    expect(superusers.authorize(request('u of g', 'get pods'))).toEqual({ decision: 'no-opinion', reason: '' });
  });

  it('the proof for a superuser is the group', () => {
    const verdict = superusers.authorize(request('root of system:masters', 'get pods')) as Verdict;
    expect(verdict.proof?.()).toEqual({ decision: 'allow', group: 'system:masters' });
  });
});
