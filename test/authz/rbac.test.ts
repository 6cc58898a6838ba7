import { describe, expect, it } from 'vitest';
import { rbacAuthorizer } from '../../src/authz/index.ts';
import type { Verdict } from '../../src/authz/index.ts';
import { binding, indexOf, request, role } from './helpers.ts';

const index = indexOf(
  [
    role('reader', 'get,list,watch pods,pods/log', 'get /healthz,/logs/*'),
    role('a/one', 'get configmaps named first,second', 'update deployments@apps'),
    role('scaler', 'get,update */scale@*'),
    role('all', '* *@*', '* * paths'),
    role('b/empty'),
  ],
  [
    binding('readers', 'ClusterRole reader', 'User alice', 'Group dev'),
    binding('a/readers', 'ClusterRole reader', 'User bob', 'ServiceAccount robot', 'ServiceAccount b/robot'),
    binding('a/ones', 'Role one', 'User bob'),
    binding('a/lost', 'Role missing', 'User lost', 'User bob'),
    binding('lost', 'ClusterRole gone', 'User lost'),
    binding('scalers', 'ClusterRole scaler', 'User Scaler'),
    binding('everything', 'ClusterRole all', 'Group system:masters'),
    binding('b/star', 'ClusterRole all', 'User *', 'Group *'),
  ],
);

const decide = (who: string, what: string): Verdict => rbacAuthorizer(index).authorize(request(who, what)) as Verdict;

describe('RBAC decides by roles and bindings', () => {
  it.each([
    ['alice', 'get pods x in a', 'allow'],
    ['alice', 'list pods', 'allow'],
    ['alice', 'get pods/log x in a', 'allow'],
    ['alice', 'get pods/exec x in a', 'no-opinion'],
    ['alice', 'delete pods x in a', 'no-opinion'],
    ['alice', 'get pods.metrics x in a', 'no-opinion'],
    ['alice', 'get /healthz', 'allow'],
    ['alice', 'get /healthz/ping', 'no-opinion'],
    ['alice', 'get /logs/x/y', 'allow'],
    ['alice', 'get /logs', 'no-opinion'],
    ['alice', 'post /healthz', 'no-opinion'],
    ['carol of dev', 'list pods in b', 'allow'],
    ['carol of ops', 'list pods in b', 'no-opinion'],
    ['bob', 'list pods in a', 'allow'],
    ['bob', 'list pods in b', 'no-opinion'],
    ['bob', 'list pods', 'no-opinion'],
    ['bob', 'get /healthz', 'no-opinion'],
    ['bob', 'get configmaps first in a', 'allow'],
    ['bob', 'get configmaps third in a', 'no-opinion'],
    ['bob', 'get configmaps in a', 'no-opinion'],
    ['bob', 'update deployments.apps x in a', 'allow'],
    ['bob', 'update deployments.extensions x in a', 'no-opinion'],
    ['bob', 'update deployments.apps/scale x in a', 'no-opinion'],
    ['system:serviceaccount:a:robot', 'list pods in a', 'allow'],
    ['system:serviceaccount:b:robot', 'list pods in a', 'allow'],
    ['system:serviceaccount:c:robot', 'list pods in a', 'no-opinion'],
    ['robot', 'list pods in a', 'no-opinion'],
    ['scaler', 'update deployments.apps/scale x in a', 'allow'],
    ['scaler', 'update deployments.apps x in a', 'no-opinion'],
    ['scaler', 'get things.anything/scale x', 'allow'],
    ['root of system:masters', 'delete nodes x', 'allow'],
    ['root of system:masters', 'options /anything', 'allow'],
    ['alice', 'get secrets x in b', 'no-opinion'],
    ['*', 'get secrets x in b', 'allow'],
    ['anyone of *', 'get secrets x in b', 'allow'],
  ])('%s: %s → %s', (who, what, decision) => {
    expect(decide(who, what).decision).toBe(decision);
  });

  it('names binding, role and subject in its reason', () => {
    expect(decide('bob', 'list pods in a').reason).toBe(
      'RBAC: allowed by RoleBinding "readers/a" of ClusterRole "reader" to User "bob"',
    );
    expect(decide('carol of dev', 'list pods').reason).toBe(
      'RBAC: allowed by ClusterRoleBinding "readers" of ClusterRole "reader" to Group "dev"',
    );
    expect(decide('system:serviceaccount:a:robot', 'list pods in a').reason).toContain('to ServiceAccount "robot/a"');
  });

  it.each([
    ['Group ops, User alice', 'alice of dev,ops', 'Group "ops"'],
    ['User alice, Group ops', 'alice of dev,ops', 'User "alice"'],
    ['User bob, Group dev, Group ops', 'alice of ops,dev', 'Group "dev"'],
  ])('names of %s for %s the first that applies', (subjects, who, named) => {
    const index = indexOf([role('reader', 'list pods')], [binding('b', 'ClusterRole reader', ...subjects.split(', '))]);
    expect((rbacAuthorizer(index).authorize(request(who, 'list pods')) as Verdict).reason).toBe(
      `RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "reader" to ${named}`,
    );
  });

  it('compares subject names without regard to case (specification, RoleBinding)', () => {
    expect(decide('ALICE', 'list pods').decision).toBe('allow');
    expect(decide('carol of DEV', 'list pods').decision).toBe('allow');
    expect(decide('alice', 'list Pods').decision).toBe('no-opinion');
  });

  it('reports a missing role, and still uses the others', () => {
    expect(decide('lost', 'list pods in a')).toMatchObject({
      decision: 'no-opinion',
      reason:
        'RBAC: [clusterrole.rbac.authorization.cluster.io "gone" not found, role.rbac.authorization.cluster.io "missing" not found]',
    });
    expect(decide('bob', 'list pods in a').decision).toBe('allow');
  });

  it.each([
    ['an unknown kind', { kind: 'Robot', name: 'alice' }, 'unrecognized subject kind "Robot"'],
    [
      'a user with a namespace',
      { kind: 'User', name: 'alice', namespace: 'a' },
      'User "alice" must not have a namespace',
    ],
    [
      'a group with a namespace',
      { kind: 'Group', name: 'dev', namespace: 'a' },
      'Group "dev" must not have a namespace',
    ],
    ['an account without one', { kind: 'ServiceAccount', name: 'robot' }, 'ServiceAccount "robot" has no namespace'],
  ])('reports %s as an error of the evaluation (specification, Errors 2)', (_what, wrong, message) => {
    const broken = indexOf([role('all', '* *@*')], [{ ...binding('x', 'ClusterRole all'), subjects: [wrong] }]);
    const verdict = rbacAuthorizer(broken).authorize(request('alice of dev', 'get pods')) as Verdict;
    expect(verdict).toMatchObject({ decision: 'no-opinion', reason: `RBAC: ${message}`, error: message });
  });
});

describe('the index follows changes', () => {
  it('sees a role edited, deleted and created again', () => {
    const own = indexOf([role('r', 'get pods')], [binding('b', 'ClusterRole r', 'User u')]);
    const ask = (what: string): string => (rbacAuthorizer(own).authorize(request('u', what)) as Verdict).decision;
    expect(ask('get pods')).toBe('allow');
    own.upsertRole(role('r', 'list pods'));
    expect([ask('get pods'), ask('list pods')]).toEqual(['no-opinion', 'allow']);
    own.removeRole(role('r'));
    expect(ask('list pods')).toBe('no-opinion');
    own.upsertRole(role('r', 'list pods'));
    expect(ask('list pods')).toBe('allow');
  });

  it('sees added and removed subjects', () => {
    const own = indexOf([role('r', 'get pods')], [binding('b', 'ClusterRole r', 'User u', 'User v')]);
    const ask = (who: string): string => (rbacAuthorizer(own).authorize(request(who, 'get pods')) as Verdict).decision;
    own.upsertBinding(binding('b', 'ClusterRole r', 'User v', 'User w'));
    expect(['u', 'v', 'w'].map(ask)).toEqual(['no-opinion', 'allow', 'allow']);
    own.removeBinding(binding('b', 'ClusterRole r'));
    expect(['u', 'v', 'w'].map(ask)).toEqual(['no-opinion', 'no-opinion', 'no-opinion']);
  });

  it('distinguishes a role from a cluster role of the same name', () => {
    const own = indexOf([role('r', 'get pods'), role('a/r', 'get secrets')], [binding('a/b', 'Role r', 'User u')]);
    const ask = (what: string): string => (rbacAuthorizer(own).authorize(request('u', what)) as Verdict).decision;
    expect([ask('get pods x in a'), ask('get secrets x in a')]).toEqual(['no-opinion', 'allow']);
  });
});

describe('the rules of a user in a namespace', () => {
  it('are those of all bindings that apply there', () => {
    const summary = rbacAuthorizer(index).rules?.(request('bob', 'get x').user, 'a');
    expect(summary?.resourceRules).toEqual([
      { verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['pods', 'pods/log'] },
      { verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['first', 'second'] },
      { verbs: ['update'], apiGroups: ['apps'], resources: ['deployments'] },
    ]);
    expect(summary?.nonResourceRules).toEqual([{ verbs: ['get'], nonResourceURLs: ['/healthz', '/logs/*'] }]);
    expect(summary?.error).toBe('role.rbac.authorization.cluster.io "missing" not found');
  });
});
