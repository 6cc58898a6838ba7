import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rbacAuthorizer, shiftsBy, type PolicyRule, type Proposal, type Shift } from '../../src/authz/index.ts';
import { binding, indexOf, request, role } from './helpers.ts';

const roles = [role('reader', 'get,list pods'), role('a/local', 'delete secrets'), role('idle', 'get nodes')];
const bindings = [
  binding('a/readers', 'ClusterRole reader', 'User alice', 'Group dev'),
  binding('everywhere', 'ClusterRole reader', 'User bob'),
  binding('a/locals', 'Role local', 'User alice'),
];
const index = indexOf(roles, bindings);
const none: Proposal = { roles: [], bindings: [] };

/** Each verb of a rule with each of its resources. */
const smallest = ({ verbs, resources = [] }: PolicyRule): [verb: string, resource: string][] =>
  verbs.flatMap((verb) => resources.map((resource): [string, string] => [verb, resource]));

const words = (rule: PolicyRule): string => `${rule.verbs.join()} ${(rule.resources ?? []).join()}`;
const told = (shifts: readonly Shift[]): string[] =>
  shifts.flatMap(({ subject, scope, gains, loses }) => [
    ...gains.map((rule) => `${subject.name} +${words(rule)} in ${scope || '*'}`),
    ...loses.map((rule) => `${subject.name} -${words(rule)} in ${scope || '*'}`),
  ]);

describe('who gains and loses by a change', () => {
  it.each<[string, Partial<Proposal>, string[]]>([
    ['nothing is proposed', {}, []],
    ['a role as it is', { roles: [role('reader', 'get,list pods')] }, []],
    ['a role that nobody is bound to', { roles: [role('idle', 'delete nodes')] }, []],
    [
      'a wider role reaches everybody bound to it, where they are bound',
      { roles: [role('reader', 'get,list,watch pods')] },
      ['alice +watch pods in a', 'dev +watch pods in a', 'bob +watch pods in *'],
    ],
    [
      'what is gained alike is told in one line',
      { roles: [role('reader', 'get,list,watch,delete pods', 'watch,delete secrets')] },
      [
        // Secrets alice may delete already.
        'alice +watch,delete pods in a',
        'alice +watch secrets in a',
        'dev +watch,delete pods,secrets in a',
        'bob +watch,delete pods,secrets in *',
      ],
    ],
    [
      'a narrower one takes away',
      { roles: [role('reader', 'get pods')] },
      ['alice -list pods in a', 'dev -list pods in a', 'bob -list pods in *'],
    ],
    [
      'a subject is added',
      { bindings: [binding('a/locals', 'Role local', 'User alice', 'User carol')] },
      ['carol +delete secrets in a'],
    ],
    ['a subject is taken out', { bindings: [binding('a/locals', 'Role local')] }, ['alice -delete secrets in a']],
    [
      'what somebody has by another binding is no gain',
      { bindings: [binding('a/again', 'ClusterRole reader', 'User bob')] },
      [],
    ],
    [
      'a role and a binding at once',
      { roles: [role('new', 'get services')], bindings: [binding('b/new', 'ClusterRole new', 'User dan')] },
      ['dan +get services in b'],
    ],
  ])('%s', (_what, proposal, expected) => {
    expect(told(shiftsBy(index, { ...none, ...proposal }))).toEqual(expected);
  });

  it('gained rights are refused before and allowed after, lost ones the other way round', () => {
    const verbs = fc.uniqueArray(fc.constantFrom('get', 'list', 'delete'), { minLength: 1 });
    fc.assert(
      fc.property(verbs, fc.constantFrom('pods', 'secrets', '*'), (some, resource) => {
        const changed = role('reader', `${some.join()} ${resource}`);
        const after = indexOf([changed, ...roles.slice(1)], bindings);
        for (const { subject, scope, gains, loses } of shiftsBy(index, { ...none, roles: [changed] })) {
          if (subject.kind !== 'User') continue;
          for (const [rules, then] of [
            [gains, true],
            [loses, false],
          ] as const)
            for (const [verb, what] of rules.flatMap(smallest)) {
              const asked = request(subject.name, `${verb} ${what === '*' ? 'anything' : what} in ${scope || 'x'}`);
              const may = (policy: typeof index): boolean =>
                (rbacAuthorizer(policy).authorize(asked) as { decision: string }).decision === 'allow';
              expect([may(index), may(after)]).toEqual([!then, then]);
            }
        }
      }),
      { seed: 7, numRuns: 60 },
    );
  });
});
