import { describe, expect, it } from 'vitest';
import { abacAuthorizer, AbacPolicyError, parseAbacPolicies, type AbacPolicy } from '../../src/authz/abac.ts';
import type { RuleSummary, Verdict } from '../../src/authz/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { request, user } from './helpers.ts';

const names = namesOf('k8s.io');

describe('ABAC reads one policy per line', () => {
  const line = (spec: object): string =>
    JSON.stringify({ apiVersion: 'abac.authorization.kubernetes.io/v1beta1', kind: 'Policy', spec });
  const text = [
    '# policies',
    '',
    line({ user: 'alice', namespace: '*', resource: '*', apiGroup: '*' }),
    line({ group: 'dev', namespace: 'a', resource: 'pods', readonly: true }),
    line({ user: 'bob', group: 'ops', namespace: 'a', resource: 'pods' }),
    line({ user: '*', nonResourcePath: '/public/*' }),
    '{"user": "old", "resource": "pods"}',
    '{"readonly": true, "resource": "services"}',
  ].join('\n');
  const abac = abacAuthorizer(parseAbacPolicies(text, names));

  it.each([
    ['alice', 'delete deployments.apps x in b', 'allow'],
    ['alice', 'get /x', 'no-opinion'],
    ['carol of dev', 'get pods x in a', 'allow'],
    ['carol of dev', 'get pods x in b', 'no-opinion'],
    ['carol of dev', 'delete pods x in a', 'no-opinion'],
    ['bob of ops', 'delete pods x in a', 'allow'],
    ['bob', 'delete pods x in a', 'no-opinion'],
    ['other of ops', 'delete pods x in a', 'no-opinion'],
    ['x of system:authenticated', 'get /public/y', 'allow'],
    ['x of system:authenticated', 'get /private', 'no-opinion'],
    ['x of system:unauthenticated', 'get /public/y', 'no-opinion'],
    ['old', 'delete pods x in z', 'allow'],
    ['y of system:authenticated', 'get services x in a', 'allow'],
    ['y of system:authenticated', 'delete services x in a', 'no-opinion'],
  ])('%s: %s → %s', (who, what, decision) => {
    expect((abac.authorize(request(who, what)) as Verdict).decision).toBe(decision);
  });

  it('lists the policies of a namespace', () => {
    const asked = abac.rules?.({ name: 'carol', groups: ['dev'], extra: {} }, 'b');
    const there = abac.rules?.({ name: 'carol', groups: ['dev'], extra: {} }, 'a');
    expect(asked?.resourceRules).toEqual([]);
    expect(there?.resourceRules).toEqual([{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods'] }]);
  });

  it.each([
    'nonsense',
    '[]',
    '{"apiVersion": "x/v1", "kind": "Policy"}',
    '{"apiVersion": "abac.authorization.kubernetes.io/v1beta1", "kind": "Other"}',
  ])('does not start with %s', (bad) => {
    expect(() => parseAbacPolicies(bad, names)).toThrow(AbacPolicyError);
  });
});

describe('an ABAC policy is read', () => {
  const nothing = {
    ...{ user: '', group: '', readonly: false },
    apiGroup: '',
    resource: '',
    namespace: '',
    nonResourcePath: '',
  };
  const group = 'abac.authorization.kubernetes.io';
  const everywhere = { apiGroup: '*', resource: '*', namespace: '*', nonResourcePath: '*' };
  const everyone = { user: '', group: 'system:authenticated' };

  it.each<[string, object, object]>([
    ['in the oldest form, where what is left out matches everything', { user: 'a' }, { user: 'a', ...everywhere }],
    [
      'for a namespace: then not for paths',
      { user: 'a', namespace: 'n' },
      { ...{ user: 'a', ...everywhere }, namespace: 'n', nonResourcePath: '' },
    ],
    [
      'for a resource: then not for paths',
      { user: 'a', resource: 'pods' },
      { ...{ user: 'a', ...everywhere }, resource: 'pods', nonResourcePath: '' },
    ],
    ['for a group', { group: 'g' }, { group: 'g', ...everywhere }],
    ['for everyone, who is not named', {}, { ...everyone, ...everywhere }],
    ['for everyone, by a star as the user', { user: '*' }, { ...everyone, ...everywhere }],
    ['for everyone, by a star as the group', { user: 'a', group: '*' }, { ...everyone, ...everywhere }],
    [
      'in version v0, which is the oldest form',
      { apiVersion: `${group}/v0`, kind: 'Policy', user: 'a' },
      { user: 'a', ...everywhere },
    ],
    [
      'in version v1beta1, where what is left out matches nothing',
      { apiVersion: `${group}/v1beta1`, kind: 'Policy', spec: { user: 'a', readonly: true } },
      { user: 'a', readonly: true },
    ],
    [
      'in version v1beta1, for everyone',
      { apiVersion: `${group}/v1beta1`, kind: 'Policy', spec: { group: '*', resource: 'pods' } },
      { ...everyone, resource: 'pods' },
    ],
    ['in version v1beta1, without a spec', { apiVersion: `${group}/v1beta1`, kind: 'Policy' }, {}],
    ['with fields that are no texts', { user: 'a', namespace: 1, readonly: 'true' }, { user: 'a', ...everywhere }],
  ])('%s', (_what, line, policy) => {
    expect(parseAbacPolicies(JSON.stringify(line), names)).toEqual([{ ...nothing, ...policy }]);
  });

  it.each<[string, string]>([
    ['{"kind":"Policy","user":"a"}', 'line 1: unknown kind or version: undefined, "Policy"'],
    [`{"apiVersion":"${group}/v1beta1"}`, `line 1: unknown kind or version: "${group}/v1beta1", undefined`],
    [`{"apiVersion":"${group}/v0","kind":"Other"}`, `line 1: unknown kind or version: "${group}/v0", "Other"`],
    [
      `\n# a comment\n{"apiVersion":"${group}/v2","kind":"Policy"}`,
      `line 3: unknown kind or version: "${group}/v2", "Policy"`,
    ],
    ['{"apiVersion":"other/v1beta1","kind":"Policy"}', 'line 1: unknown kind or version: "other/v1beta1", "Policy"'],
    ['"text"', 'line 1: not a JSON object'],
  ])('and not from %s', (text, message) => {
    expect(() => parseAbacPolicies(text, names)).toThrow(new AbacPolicyError(message));
  });
});

describe('an ABAC policy allows', () => {
  const policy = (fields: Partial<AbacPolicy>): AbacPolicy => ({
    ...{ user: 'u', group: '', readonly: false },
    ...{ apiGroup: '', resource: '', namespace: '', nonResourcePath: '' },
    ...fields,
  });
  const all = { apiGroup: '*', resource: '*', namespace: '*' };

  it.each<[Partial<AbacPolicy>, string, string, boolean]>([
    [{ ...all, readonly: true }, 'u', 'get pods x in a', true],
    [{ ...all, readonly: true }, 'u', 'list pods in a', true],
    [{ ...all, readonly: true }, 'u', 'watch pods in a', true],
    [{ ...all, readonly: true }, 'u', 'create pods in a', false],
    [{ ...all, user: '' }, 'u', 'get pods', false],
    [{ ...all, user: '' }, ' of ', 'get pods', false],
    [{ ...all, group: 'g' }, 'u of g', 'get pods', true],
    [{ ...all, group: 'g' }, 'u of h', 'get pods', false],
    [{ ...all, user: '', group: 'g' }, 'x of f,g', 'get pods', true],
    [{ ...all, apiGroup: 'apps' }, 'u', 'get deployments.apps in a', true],
    [{ ...all, apiGroup: 'apps' }, 'u', 'get pods in a', false],
    [{ ...all, resource: 'pods' }, 'u', 'get services in a', false],
    [{ ...all, namespace: 'a' }, 'u', 'get pods in a', true],
    [{ ...all, namespace: 'a' }, 'u', 'get pods', false],
    [{ nonResourcePath: '*' }, 'u', 'get /any/path', true],
    [{ nonResourcePath: '*' }, 'u', 'get pods', false],
    [{ nonResourcePath: '/x' }, 'u', 'get /x', true],
    [{ nonResourcePath: '/x' }, 'u', 'get /x/y', false],
    [{ nonResourcePath: '/x/**' }, 'u', 'get /x/y', true],
    [{ nonResourcePath: '/x*/y*' }, 'u', 'get /x*/yz', true],
    [{ nonResourcePath: '/x*/y*' }, 'u', 'get /xy', false],
    [{ nonResourcePath: '/x*', readonly: true }, 'u', 'post /x', false],
  ])('%j: %s: %s → %s', (fields, who, what, expected) => {
    const policies = [policy(fields)];
    const verdict = abacAuthorizer(policies).authorize(request(who, what)) as Verdict;
    expect({ ...verdict, proof: verdict.proof?.() }).toEqual(
      expected
        ? { decision: 'allow', reason: '', proof: { decision: 'allow', policy: policies[0], index: 0 } }
        : { decision: 'no-opinion', reason: 'No policy matched.', proof: undefined },
    );
  });

  it('names the first policy that allows', () => {
    const policies = [policy({}), policy(all), policy(all)];
    const verdict = abacAuthorizer(policies).authorize(request('u', 'get pods')) as Verdict;
    expect(verdict.proof?.()).toMatchObject({ index: 1 });
  });

  it.each<[Partial<AbacPolicy>, Partial<RuleSummary>]>([
    [{ resource: 'pods', namespace: 'n' }, { resourceRules: [{ verbs: ['*'], apiGroups: [''], resources: ['pods'] }] }],
    [
      { resource: '*', apiGroup: 'apps', namespace: '*', readonly: true },
      { resourceRules: [{ verbs: ['get', 'list', 'watch'], apiGroups: ['apps'], resources: ['*'] }] },
    ],
    [{ resource: 'pods', namespace: 'other' }, {}],
    [{ resource: 'pods', namespace: 'n', user: 'v' }, {}],
    [{ nonResourcePath: '/x', namespace: '*' }, { nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['/x'] }] }],
  ])('%j is listed as %j', (fields, expected) => {
    const listed = abacAuthorizer([policy(fields)]).rules?.(user('u'), 'n');
    expect(listed).toEqual({ resourceRules: [], nonResourceRules: [], incomplete: false, ...expected });
  });

  it('skips blank lines and comments, regardless of indentation', () => {
    const text = '  \n\t# a comment\r\n   {"user": "a"}  \r\n#';
    expect(parseAbacPolicies(text, names).map((one) => one.user)).toEqual(['a']);
  });
});
