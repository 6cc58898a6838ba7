import { describe, expect, it } from 'vitest';
import { impersonationOf } from '../../src/authn/index.ts';
import { names } from './helpers.ts';

const ask = (headers: Record<string, string>) => impersonationOf(new Headers(headers), names);

describe('impersonation', () => {
  it.each<[string, Record<string, string>, string, string[]]>([
    ['a user', { 'Impersonate-User': 'jane' }, 'jane [system:authenticated]', ['users jane']],
    [
      'a user with groups',
      { 'Impersonate-User': 'jane', 'Impersonate-Group': 'dev' },
      'jane [dev, system:authenticated]',
      ['users jane', 'groups dev'],
    ],
    [
      'a group with a comma',
      { 'Impersonate-User': 'jane', 'Impersonate-Group': 'a,b' },
      'jane [a,b, system:authenticated]',
      ['users jane', 'groups a,b'],
    ],
    [
      'somebody not authenticated',
      { 'Impersonate-User': 'jane', 'Impersonate-Group': 'system:unauthenticated' },
      'jane [system:unauthenticated]',
      ['users jane', 'groups system:unauthenticated'],
    ],
    [
      'anonymous',
      { 'Impersonate-User': 'system:anonymous' },
      'system:anonymous [system:unauthenticated]',
      ['users system:anonymous'],
    ],
    [
      'anonymous among those who are known',
      { 'Impersonate-User': 'system:anonymous', 'Impersonate-Group': 'system:authenticated' },
      'system:anonymous [system:authenticated, system:unauthenticated]',
      ['users system:anonymous', 'groups system:authenticated'],
    ],
    [
      'anonymous in a group',
      { 'Impersonate-User': 'system:anonymous', 'Impersonate-Group': 'dev' },
      'system:anonymous [dev, system:unauthenticated]',
      ['users system:anonymous', 'groups dev'],
    ],
    [
      'an account',
      { 'Impersonate-User': 'system:serviceaccount:a:b' },
      'system:serviceaccount:a:b [system:serviceaccounts, system:serviceaccounts:a, system:authenticated]',
      ['a/serviceaccounts b'],
    ],
    [
      'an account with groups',
      { 'Impersonate-User': 'system:serviceaccount:a:b', 'Impersonate-Group': 'g' },
      'system:serviceaccount:a:b [g, system:authenticated]',
      ['a/serviceaccounts b', 'groups g'],
    ],
    [
      'what only looks like an account',
      { 'Impersonate-User': 'system:serviceaccount:a:Bad_Name' },
      'system:serviceaccount:a:Bad_Name [system:authenticated]',
      ['users system:serviceaccount:a:Bad_Name'],
    ],
  ])('%s', (_what, headers, who, requires) => {
    const wanted = ask(headers);
    if (typeof wanted !== 'object') throw new Error(String(wanted));
    expect(`${wanted.user.name} [${wanted.user.groups.join(', ')}]`).toBe(who);
    expect(
      wanted.requires.map(
        ({ namespace, resource, name }) => `${namespace === '' ? '' : `${namespace}/`}${resource} ${name}`,
      ),
    ).toEqual(requires);
  });

  it('of several groups and extra values', () => {
    const headers = new Headers({
      'Impersonate-User': 'jane',
      'Impersonate-Extra-Scopes': 'view',
      'Impersonate-Extra-Acme%2Fproject': 'x',
      'Impersonate-Extra-%41': 'y',
    });
    headers.append('Impersonate-Group', 'dev');
    headers.append('Impersonate-Group', 'ops');
    const wanted = impersonationOf(headers, names);
    if (typeof wanted !== 'object') throw new Error(String(wanted));
    expect(wanted.user.groups).toEqual(['dev', 'ops', 'system:authenticated']);
    expect(wanted.user.extra).toEqual({ A: ['y'], 'acme/project': ['x'], scopes: ['view'] });
    expect(wanted.requires.filter(({ resource }) => resource === 'userextras')).toEqual([
      { group: 'authentication.k8s.io', namespace: '', resource: 'userextras', subresource: 'A', name: 'y' },
      { group: 'authentication.k8s.io', namespace: '', resource: 'userextras', subresource: 'acme/project', name: 'x' },
      { group: 'authentication.k8s.io', namespace: '', resource: 'userextras', subresource: 'scopes', name: 'view' },
    ]);
  });

  it('of nobody', () => {
    expect(ask({})).toBeUndefined();
    expect(ask({ 'Impersonate-Group': 'dev' })).toBe('requested [{Group  dev    }] without impersonating a user');
    expect(ask({ 'Impersonate-Extra-x': 'y' })).toBe(
      'requested [{UserExtra  y  authentication.k8s.io/v1  x}] without impersonating a user',
    );
  });
});
