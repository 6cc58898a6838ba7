/** What an index of roles and bindings answers: who holds what, what is wrong, and what would have to change. */
import { describe, expect, it } from 'vitest';
import {
  changesFor,
  matrix,
  nearMisses,
  rbacAuthorizer,
  refusalProofs,
  whoCan,
  type Edit,
  type NearMiss,
  type PolicyIndex,
  type PolicyRule,
  type RbacProof,
  type Verdict,
} from '../../src/authz/index.ts';
import { binding, indexOf, RBAC, request, role, rule, user } from './helpers.ts';

await refusalProofs.load();

describe('an invalid binding', () => {
  const wrong = { ...binding('a/wrong', 'ClusterRole r', 'User u'), subjects: [{ kind: 'Robot', name: 'x' }] };
  const wrongToo = { ...binding('a/wrongToo', 'ClusterRole r', 'User u'), subjects: [{ kind: 'Thing', name: 'x' }] };
  const everywhere = { ...binding('everywhere', 'ClusterRole r'), subjects: [{ kind: 'Animal', name: 'x' }] };
  const error = (index: PolicyIndex, what: string): string | undefined =>
    (rbacAuthorizer(index).authorize(request('u', what)) as Verdict).error;

  it.each([
    [
      'get pods in a',
      '[unrecognized subject kind "Animal", unrecognized subject kind "Robot", unrecognized subject kind "Thing"]',
    ],
    ['get pods in b', 'unrecognized subject kind "Animal"'],
    ['get pods', 'unrecognized subject kind "Animal"'],
  ])('is reported where it applies: %s', (what, expected) => {
    expect(error(indexOf([], [wrong, wrongToo, everywhere]), what)).toBe(expected);
  });

  it('is no longer reported after it is repaired or deleted', () => {
    const index = indexOf([], [wrong, wrongToo]);
    index.upsertBinding(binding('a/wrong', 'ClusterRole r', 'User v'));
    expect(error(index, 'get pods in a')).toBe('unrecognized subject kind "Thing"');
    index.removeBinding(wrongToo);
    expect(error(index, 'get pods in a')).toBeUndefined();
  });

  it('has an unknown role kind and grants nothing', () => {
    const index = indexOf([role('r', 'get pods')], [binding('b', 'Other r', 'User u')]);
    expect(error(index, 'get pods')).toBe('unsupported role reference kind "Other"');
    expect([...index.allGrants()]).toEqual([]);
  });
});

describe('the index of roles and bindings', () => {
  const index = indexOf(
    [role('r', 'get pods'), role('a/r', 'get secrets'), role('gone', 'get nodes')],
    [
      binding('all', 'ClusterRole r', 'User u', 'Group g', 'User U'),
      binding('a/here', 'Role r', 'User u'),
      binding('a/lost', 'Role none', 'User u'),
      binding('b/lost', 'ClusterRole gone', 'User u'),
    ],
  );
  index.removeRole(role('gone'));

  it.each<[string, string, number, string[]]>([
    ['u', '', 1, []],
    ['u of g', '', 1, []],
    ['u', 'a', 2, [`role.${RBAC} "none" not found`]],
    ['u', 'b', 1, [`clusterrole.${RBAC} "gone" not found`]],
    ['v', 'a', 0, []],
  ])('gives %s in "%s" %d rules, and the errors %j', (who, namespace, count, errors) => {
    const found = index.rulesFor(user(who), namespace);
    expect([found.rules.length, found.errors]).toEqual([count, errors]);
  });

  it('lists a subject once that a binding contains twice', () => {
    expect([...index.allGrants()].filter(({ binding: by }) => by.name === 'all').map(({ key }) => key)).toEqual([
      'U:u',
      'G:g',
    ]);
  });

  it('lists the roles that exist, and the bindings of each', () => {
    expect([...index.allRoles()].map(({ id }) => id)).toEqual([
      { kind: 'ClusterRole', namespace: '', name: 'r' },
      { kind: 'Role', namespace: 'a', name: 'r' },
    ]);
    const bound = (kind: 'Role' | 'ClusterRole', namespace: string, name: string): unknown[] =>
      [...index.bindingsOf({ kind, namespace, name })].map(({ id }) => id);
    expect(bound('ClusterRole', '', 'r')).toEqual([{ kind: 'ClusterRoleBinding', namespace: '', name: 'all' }]);
    expect(bound('Role', 'a', 'r')).toEqual([{ kind: 'RoleBinding', namespace: 'a', name: 'here' }]);
    expect(bound('Role', 'b', 'r')).toEqual([]);
  });

  it('returns the latest state of a binding', () => {
    const id = { kind: 'RoleBinding', namespace: 'a', name: 'here' } as const;
    expect(index.binding(id)).toEqual(binding('a/here', 'Role r', 'User u'));
    expect(index.binding({ ...id, name: 'other' })).toBeUndefined();
  });

  it('copies roles and bindings independently', () => {
    const copy = index.copy();
    expect(copy.rbacGroup).toBe(RBAC);
    expect([[...copy.allRoles()], [...copy.allGrants()].length]).toEqual([
      [...index.allRoles()],
      [...index.allGrants()].length,
    ]);
    copy.removeRole(role('r'));
    copy.removeBinding(binding('all', 'ClusterRole r'));
    expect(index.rulesFor(user('u'), '').rules.length).toBe(1);
  });
});

describe('what RBAC lists and proves', () => {
  it.each<[PolicyRule, 'resourceRules' | 'nonResourceRules', object[]]>([
    [{ ...rule('get pods'), apiGroups: [] }, 'resourceRules', [{ verbs: ['get'], resources: ['pods'] }]],
    [{ verbs: ['get'], resources: ['pods'] }, 'resourceRules', [{ verbs: ['get'], resources: ['pods'] }]],
    [{ ...rule('get pods'), resourceNames: [] }, 'resourceRules', [rule('get pods')]],
    [rule('get /x'), 'nonResourceRules', [rule('get /x')]],
    [rule('get /x'), 'resourceRules', []],
    [rule('get pods'), 'nonResourceRules', []],
  ])('%j in %s as %j', (one, field, expected) => {
    const authorizer = rbacAuthorizer(indexOf([role('r', one)], [binding('b', 'ClusterRole r', 'User u')]));
    const listed = authorizer.rules?.(user('u'), 'a');
    expect([authorizer.name, listed?.[field], listed?.incomplete, listed?.error]).toEqual([
      'RBAC',
      expected,
      false,
      undefined,
    ]);
  });

  it('lists several errors in brackets', () => {
    const index = indexOf([], [binding('a', 'ClusterRole x', 'User u'), binding('b', 'ClusterRole y', 'User u')]);
    expect(rbacAuthorizer(index).rules?.(user('u'), '')?.error).toBe(
      `[clusterrole.${RBAC} "x" not found, clusterrole.${RBAC} "y" not found]`,
    );
  });

  it('uses the subjects of the allowing binding, not of another', () => {
    const index = indexOf(
      [role('r', 'get pods'), role('other', 'get services')],
      [
        binding('first', 'ClusterRole other', 'Group g', 'User x'),
        binding('second', 'ClusterRole r', 'User x', 'User u', 'Group g'),
      ],
    );
    const { reason } = rbacAuthorizer(index).authorize(request('u of g', 'get pods')) as Verdict;
    expect(reason).toContain('"second" of ClusterRole "r" to User "u"');
  });

  it('proves a refusal by bindings whose role is missing', () => {
    const index = indexOf(
      [],
      [binding('a', 'ClusterRole x', 'User u'), binding('n/b', 'Role y', 'User u'), binding('m/c', 'Role z', 'User u')],
    );
    const proof = (what: string): RbacProof =>
      (rbacAuthorizer(index).authorize(request('u', what)) as Verdict).proof?.() as RbacProof;
    const lostHere = {
      binding: { kind: 'ClusterRoleBinding', namespace: '', name: 'a' },
      message: `clusterrole.${RBAC} "x" not found`,
    };
    const lostInN = {
      binding: { kind: 'RoleBinding', namespace: 'n', name: 'b' },
      message: `role.${RBAC} "y" not found`,
    };
    expect(proof('get pods')).toEqual({ decision: 'no-opinion', nearMisses: [], unresolved: [lostHere] });
    expect(proof('get pods in n')).toEqual({ decision: 'no-opinion', nearMisses: [], unresolved: [lostHere, lostInN] });
  });
});

describe('the nearest misses', () => {
  const edits = (index: PolicyIndex, who: string, what: string): readonly Edit[][] =>
    nearMisses(index, request(who, what)).map((miss) => [...miss.edits]);
  const me = { kind: 'User', apiGroup: RBAC, name: 'u' };

  it('bind a cluster role that is not bound', () => {
    const index = indexOf([role('r', 'get pods')], []);
    const bind = (kind: 'RoleBinding' | 'ClusterRoleBinding', namespace: string): Edit => ({
      do: 'create-binding',
      binding: { kind, namespace, name: 'r-u' },
      roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'r' },
      subjects: [me],
    });
    expect(edits(index, 'u', 'get pods')).toEqual([[bind('ClusterRoleBinding', '')]]);
    expect(edits(index, 'u', 'get pods in a')).toEqual([[bind('RoleBinding', 'a')]]);
  });

  it('have valid binding names', () => {
    const [first] = edits(indexOf([role('x:r', 'get pods')], []), 'a/b%c', 'get pods');
    expect(first?.[0]).toMatchObject({ binding: { name: 'x:r-a-b-c' } });
  });

  it.each([
    [
      'get secrets in b',
      { kind: 'Role', namespace: 'b', name: 'r-from-a' },
      { kind: 'RoleBinding', namespace: 'b', name: 'r-from-a-u' },
    ],
    [
      'get secrets',
      { kind: 'ClusterRole', namespace: '', name: 'r-from-a' },
      { kind: 'ClusterRoleBinding', namespace: '', name: 'r-from-a-u' },
    ],
  ])('copy a role that the user has elsewhere: %s', (what, copy, by) => {
    const index = indexOf([role('a/r', 'get services', 'get secrets')], [binding('a/b', 'Role r', 'User u')]);
    expect(edits(index, 'u', what)).toEqual([
      [
        { do: 'create-role', role: copy, rules: [rule('get secrets')] },
        {
          do: 'create-binding',
          binding: by,
          roleRef: { apiGroup: RBAC, kind: copy.kind, name: copy.name },
          subjects: [me],
        },
      ],
    ]);
  });

  it.each<[string, string, string, string]>([
    ['get pods', 'get services', 'rules[0].resources', 'services'],
    ['get pods', 'list pods', 'rules[0].verbs', 'list'],
    ['get pods named x', 'get pods y', 'rules[0].resourceNames', 'y'],
    ['get /a', 'get /b', 'rules[0].nonResourceURLs', '/b'],
  ])('widen %s for %s', (held, what, field, value) => {
    const index = indexOf([role('r', held)], [binding('b', 'ClusterRole r', 'User u')]);
    expect(edits(index, 'u', what)).toEqual([
      [{ do: 'add', to: { kind: 'ClusterRole', namespace: '', name: 'r' }, field, value }],
    ]);
  });

  it('never suggest a resource name for a request without one', () => {
    const index = indexOf([role('r', 'get pods named x')], [binding('b', 'ClusterRole r', 'User u')]);
    expect(edits(index, 'u', 'get pods')).toEqual([]);
  });

  it('list system roles last, and respect the limit', () => {
    const names = (misses: readonly NearMiss[]): string[] => misses.map((miss) => miss.role.name);
    const many = Array.from({ length: 15 }, (_, i) => role(`r${i}`, 'get pods'));
    const index = indexOf(
      [role('system:first', 'get pods'), ...many, role('wide', '* pods'), role('not-system:', 'get pods')],
      [],
    );
    const found = nearMisses(index, request('u', 'get pods'), Infinity);
    expect(names(found)).toEqual([...many.map(({ metadata }) => metadata.name), 'not-system:', 'wide', 'system:first']);
    expect(nearMisses(index, request('u', 'get pods')).length).toBe(12);
    expect(nearMisses(index, request('u', 'get pods'), 2).length).toBe(2);
  });
});

describe('changes that would allow a request', () => {
  const roleOf = (edit: Edit | undefined): unknown =>
    edit?.do === 'create-role' ? [edit.role, edit.rules] : undefined;
  it.each<[string, unknown]>([
    ['get pods', [{ kind: 'ClusterRole', namespace: '', name: 'get-pods' }, [rule('get pods')]]],
    [
      'get pods/log x in a',
      [
        { kind: 'Role', namespace: 'a', name: 'get-pods-log-x' },
        [rule('get pods/log named x')].map((one) => ({ ...one, apiGroups: [''] })),
      ],
    ],
    ['post /x/y', [{ kind: 'ClusterRole', namespace: '', name: 'post-x-y' }, [rule('post /x/y')]]],
  ])('for %s a role of its own', (what, expected) => {
    const [only] = changesFor(indexOf([], []), request('u', what));
    expect(roleOf(only?.edits[0])).toEqual(expected);
    expect(only?.edits[1]).toMatchObject({ do: 'create-binding', subjects: [{ name: 'u' }] });
    expect(only?.opens).toEqual([]);
  });

  it.each<[string, PolicyIndex, string, string, string[]]>([
    [
      'a subject more: all that the role holds beside',
      indexOf([role('r', 'get pods,services')], [binding('a/b', 'ClusterRole r', 'User v')]),
      'u',
      'get pods x in a',
      ['User u in a: get pods', 'User u in a: get services'],
    ],
    [
      'a cluster role bound: all that it holds beside what is held already',
      indexOf(
        [role('r', 'get pods,services'), role('own', 'get services')],
        [binding('b', 'ClusterRole own', 'User u')],
      ),
      'u',
      'get pods in a',
      [],
    ],
    [
      'a wider rule: everybody who is bound to the role',
      indexOf(
        [role('r', 'get pods')],
        [binding('a/b', 'ClusterRole r', 'User u', 'Group g'), binding('c', 'ClusterRole r', 'ServiceAccount n/robot')],
      ),
      'u',
      'list pods in a',
      ['Group g in a: list pods', 'ServiceAccount robot in : list pods'],
    ],
    [
      'a wider tenth rule',
      indexOf(
        [role('r', ...Array.from({ length: 11 }, (_, i) => `get things${i}`), 'delete pods')],
        [binding('a/b', 'ClusterRole r', 'User u', 'User v')],
      ),
      'u',
      'update pods in a',
      ['User v in a: update pods'],
    ],
  ])('%s', (_what, index, who, what, opened) => {
    const wider = changesFor(index, request(who, what)).find(({ edits }) => edits[0]?.do !== 'create-role');
    expect(
      wider?.opens.map(
        ({ subject, scope, rule: one }) =>
          `${subject.kind} ${subject.name} in ${scope}: ${one.verbs.join()} ${one.resources?.join()}`,
      ),
    ).toEqual(opened);
  });
});

describe('who can, and the table of verbs', () => {
  const index = indexOf(
    [role('r', 'get pods', 'get configmaps named one,two'), role('a/local', 'list pods')],
    [
      binding('b', 'ClusterRole r', 'User u'),
      binding('a/local', 'Role local', 'User v'),
      binding('a/lost', 'Role lost', 'User v'),
      binding('a/named', 'ClusterRole r', 'User u'),
    ],
  );

  it.each<[string, string[]]>([
    ['get pods in a', ['u by rule 0', 'u by rule 0']],
    ['get pods', ['u by rule 0']],
    ['list pods in a', ['v by rule 0']],
    ['list pods in b', []],
    ['get configmaps two', ['u by rule 1']],
  ])('%s: %j', (what, expected) => {
    const { user: _user, ...asked } = request('nobody', what);
    expect(whoCan(index, asked).map(({ subject, ruleIndex }) => `${subject.name} by rule ${ruleIndex}`)).toEqual(
      expected,
    );
  });

  it.each([
    ['pods', 'get', { verb: 'get', allowed: 'yes', names: [] }],
    ['pods', 'list', { verb: 'list', allowed: 'no', names: [] }],
    ['configmaps', 'get', { verb: 'get', allowed: 'named', names: ['one', 'two'] }],
    ['configmaps', 'list', { verb: 'list', allowed: 'no', names: [] }],
  ])('%s, %s: %j', (resource, verb, cell) => {
    const row = { group: '', resource, subresource: '' };
    expect(matrix(index, user('u'), 'a', [row], [verb])).toEqual([{ ...row, cells: [cell] }]);
  });
});
