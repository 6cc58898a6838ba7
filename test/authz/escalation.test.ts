import { describe, expect, it } from 'vitest';
import { authorizationChain, checkBinding, checkRole, rbacAuthorizer } from '../../src/authz/index.ts';
import type { EscalationDeps, PolicyRule, Writing } from '../../src/authz/index.ts';
import { missingRules } from '../../src/authz/rbac/covers.ts';
import type { StatusError } from '../../src/schema/index.ts';
import { binding, indexOf, RBAC, role, rule, user } from './helpers.ts';

describe('covering rules', () => {
  it.each<[string, string[], string[], boolean]>([
    ['the same', ['get pods'], ['get pods'], true],
    ['several together', ['get pods,services', 'list pods'], ['get,list pods'], true],
    ['one piece short', ['get pods,services', 'list pods'], ['get,list pods,services'], false],
    ['all verbs', ['* pods'], ['get,anything pods'], true],
    ['a wildcard wants the wildcard', ['get,list,watch,create,update,patch,delete pods'], ['* pods'], false],
    ['all groups', ['get pods@*'], ['get pods@x|y'], true],
    ['all resources', ['get *'], ['get pods/log,anything'], true],
    ['a subresource of all', ['get */scale'], ['get deployments/scale'], true],
    ['a resource is not its subresource', ['get pods'], ['get pods/log'], false],
    ['no names hold all names', ['get pods'], ['get pods named x'], true],
    ['names do not hold all', ['get pods named x,y'], ['get pods'], false],
    ['names hold some', ['get pods named x,y'], ['get pods named y'], true],
    ['a star is a name like any other', ['get pods named x'], ['get pods named *'], false],
    ['paths below a pattern', ['get /x/*'], ['get /x/y,/x/y/*'], true],
    ['the pattern is not the path itself', ['get /x/*'], ['get /x'], false],
    ['paths are no resources', ['get *@*'], ['get /x'], false],
  ])('%s', (_what, owned, wanted, covered) => {
    expect(missingRules(owned.map(rule), wanted.map(rule)).length === 0).toBe(covered);
  });
});

const index = indexOf(
  [
    role('a/writers', `create,update roles,rolebindings@${RBAC}`, 'get configmaps'),
    role('a/escalators', 'escalate roles@' + RBAC + ' named special', 'bind clusterroles@' + RBAC + ' named big'),
    role('big', 'get secrets'),
    role('small', 'get configmaps'),
    role('everything', '* *@*', '* * paths'),
  ],
  [
    binding('a/w', 'Role writers', 'User alice'),
    binding('a/e', 'Role escalators', 'User eve'),
    binding('all', 'ClusterRole everything', 'User root'),
  ],
);
const chain = authorizationChain([rbacAuthorizer(index)]);
const deps: EscalationDeps = { index, authorize: async (request) => chain.authorize(request) };
const writing = (who: string, more: Partial<Writing> = {}): Writing => ({
  user: user(who),
  group: RBAC,
  resource: 'roles',
  urlName: '',
  namespace: 'a',
  objectName: 'new',
  ...more,
});
const asRole = (...rules: PolicyRule[]): { metadata: object; rules: PolicyRule[] } => ({
  metadata: { name: 'new' },
  rules,
});
const told = (refused: StatusError | undefined): string => refused?.status.reason ?? 'allowed';

describe('a writer of roles can grant only its own rights', () => {
  const secrets = asRole(rule('get secrets'));
  it.each([
    ['what it holds', writing('alice'), asRole(rule('get configmaps')), 'allowed'],
    ['more', writing('alice'), secrets, 'Forbidden'],
    ['nothing', writing('alice'), asRole(), 'allowed'],
    ['anything, as superuser', writing('mallory of system:masters'), secrets, 'allowed'],
    ['anything, with escalate on that name', writing('eve', { urlName: 'special' }), secrets, 'allowed'],
    ['another name', writing('eve', { urlName: 'other' }), secrets, 'Forbidden'],
    ['no name in the URL', writing('eve'), secrets, 'Forbidden'],
  ])('%s', async (_what, who, next, expected) => {
    expect(told(await checkRole(deps, who, next))).toBe(expected);
  });

  it('may change only owners and finalizers of any role', async () => {
    const old = { metadata: { name: 'r', finalizers: ['x'] }, rules: [rule('get secrets')] };
    expect(told(await checkRole(deps, writing('alice'), { ...old, metadata: { name: 'r' } }, old))).toBe('allowed');
    expect(told(await checkRole(deps, writing('alice'), { ...old, metadata: { name: 'r', labels: {} } }, old))).toBe(
      'Forbidden',
    );
  });

  it('may aggregate by label only with all rights', async () => {
    const gathering = { ...asRole(), aggregationRule: { clusterRoleSelectors: [{}] } };
    expect(told(await checkRole(deps, writing('alice', { namespace: '' }), gathering))).toBe('Forbidden');
    expect(told(await checkRole(deps, writing('root', { namespace: '' }), gathering))).toBe('allowed');
    expect(
      told(await checkRole(deps, writing('alice'), { ...asRole(), aggregationRule: { clusterRoleSelectors: [] } })),
    ).toBe('allowed');
  });

  it('is told the missing rules', async () => {
    const refused = await checkRole(deps, writing('alice of dev'), asRole(rule('get,list secrets')));
    expect(refused?.status.message).toBe(
      `roles.${RBAC} "new" is forbidden: user "alice" (groups=["dev"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}`,
    );
  });
});

describe('a writer of bindings can bind only roles within its rights', () => {
  const to = (
    name: string,
    kind = 'ClusterRole',
  ): { metadata: object; roleRef: { apiGroup: string; kind: string; name: string } } => ({
    metadata: { name: 'new' },
    roleRef: { apiGroup: RBAC, kind, name },
  });
  it.each([
    ['a role within its rights', writing('alice'), to('small'), 'allowed'],
    ['a role beyond them', writing('alice'), to('big'), 'Forbidden'],
    ['a role that is not there', writing('alice'), to('none'), 'NotFound'],
    ['with bind on that role', writing('eve'), to('big'), 'allowed'],
    ['bind on another', writing('eve'), to('everything'), 'Forbidden'],
    ['as superuser, even to what is not there', writing('x of system:masters'), to('none'), 'allowed'],
  ])('%s', async (_what, who, next, expected) => {
    expect(told(await checkBinding(deps, who, next))).toBe(expected);
  });

  it('answers an unknown role kind with a bare 500, as the reference does', async () => {
    const refused = await checkBinding(deps, writing('alice'), to('x', 'Other'));
    expect(refused?.status).toMatchObject({ code: 500 });
    expect(refused?.status.reason).toBeUndefined();
  });
});

describe('the permission needed to write roles and bindings', () => {
  const asking = async (check: (deps: EscalationDeps) => Promise<unknown>): Promise<unknown[]> => {
    const asked: unknown[] = [];
    await check({
      index,
      authorize: (request) => {
        asked.push(request);
        return Promise.resolve({ decision: 'no-opinion', reason: '', verdicts: [] });
      },
    });
    return asked;
  };
  const common = { group: RBAC, namespace: 'a', isResource: true, path: '', version: '*', subresource: '' };

  it('is the verb escalate, by the name in the URL', async () => {
    const asked = await asking((own) => checkRole(own, writing('alice', { urlName: 'x' }), asRole()));
    expect(asked).toEqual([{ ...common, user: user('alice'), verb: 'escalate', resource: 'roles', name: 'x' }]);
  });

  it.each([
    ['Role', 'roles'],
    ['ClusterRole', 'clusterroles'],
    ['Other', undefined],
  ])('is the verb bind, by the name of the %s', async (kind, resource) => {
    const next = { metadata: { name: 'new' }, roleRef: { apiGroup: RBAC, kind, name: 'x' } };
    const asked = await asking((own) => checkBinding(own, writing('alice'), next));
    expect(asked).toEqual(
      resource === undefined ? [] : [{ ...common, user: user('alice'), verb: 'bind', resource, name: 'x' }],
    );
  });
});

describe('a refusal says why', () => {
  const bindingTo = (
    kind: string,
    name: string,
  ): { metadata: object; roleRef: { apiGroup: string; kind: string; name: string } } => ({
    metadata: { name: 'new' },
    roleRef: { apiGroup: RBAC, kind, name },
  });

  it.each([
    ['Role', `roles.${RBAC} "none" not found`, 404, { name: 'none', group: RBAC, kind: 'roles' }],
    ['ClusterRole', `clusterroles.${RBAC} "none" not found`, 404, { name: 'none', group: RBAC, kind: 'clusterroles' }],
    ['Other', 'unsupported role reference kind: "Other"', 500, undefined],
  ])('when the %s is not there', async (kind, message, code, details) => {
    const refused = await checkBinding(deps, writing('alice'), bindingTo(kind, 'none'));
    expect(refused?.status).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message, code });
    expect(refused?.status.details).toEqual(details);
  });

  it('with the missing rules in order, the groups, and evaluation errors', async () => {
    const own = indexOf([], [binding('a/b', 'Role lost', 'User u'), binding('c', 'ClusterRole gone', 'User u')]);
    const wanted = asRole(rule('get services'), rule('list,get pods'), rule('get /x'));
    const refused = await checkRole({ ...deps, index: own }, writing('u of g,h'), wanted);
    expect(refused?.status.message).toBe(
      [
        `roles.${RBAC} "new" is forbidden: user "u" (groups=["g" "h"]) is attempting to grant RBAC permissions not currently held:`,
        '{APIGroups:[""], Resources:["pods"], Verbs:["list" "get"]}',
        '{APIGroups:[""], Resources:["services"], Verbs:["get"]}',
        `{NonResourceURLs:["/x"], Verbs:["get"]}; resolution errors: [clusterrole.${RBAC} "gone" not found, role.${RBAC} "lost" not found]`,
      ].join('\n'),
    );
  });

  it('when a role aggregates and its writer lacks rights', async () => {
    const gathering = { ...asRole(), aggregationRule: { clusterRoleSelectors: [{}] } };
    const cluster = { namespace: '', resource: 'clusterroles' };
    const message = `clusterroles.${RBAC} "new" is forbidden: must have cluster-admin privileges to use the aggregationRule`;
    expect((await checkRole(deps, writing('alice', cluster), gathering))?.status.message).toBe(message);
    // Nor may the rule be taken out of a role that has it.
    expect((await checkRole(deps, writing('alice', cluster), asRole(), gathering))?.status.message).toBe(message);
    const paths = indexOf([role('all', '* *@*')], [binding('b', 'ClusterRole all', 'User u')]);
    expect((await checkRole({ ...deps, index: paths }, writing('u', cluster), gathering))?.status.message).toBe(
      message,
    );
  });

  it.each([{ aggregationRule: null }, { aggregationRule: {} }, { aggregationRule: { clusterRoleSelectors: null } }])(
    'but not for a role without aggregation: %j',
    async (fields) => {
      expect(told(await checkRole(deps, writing('alice'), { ...asRole(), ...fields }))).toBe('allowed');
    },
  );

  it('not for a binding with changes only to owners, finalizers and managers', async () => {
    const old = { ...bindingTo('ClusterRole', 'big'), metadata: { name: 'new', finalizers: ['x'] } };
    const next = { ...old, metadata: { name: 'new', ownerReferences: [{}], managedFields: [{}] } };
    expect(told(await checkBinding(deps, writing('alice'), next, old))).toBe('allowed');
    const labelled = { ...next, metadata: { name: 'new', labels: { a: 'b' } } };
    expect(told(await checkBinding(deps, writing('alice'), labelled, old))).toBe('Forbidden');
  });
});
