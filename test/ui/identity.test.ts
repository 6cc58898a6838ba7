import { describe, expect, it } from 'vitest';
import type { Transport } from '../../src/client/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { userNameOf } from '../../src/ui/stores/administrator.ts';
import {
  credentialsOf,
  identityOf,
  keyOfIdentity,
  nameOfIdentity,
  transportAs,
  type Identity,
} from '../../src/ui/stores/identity.ts';
import { readUser } from '../../src/ui/shell/offers.ts';

const identities: readonly (readonly [string, Identity])[] = [
  ['system:anonymous', { kind: 'anonymous' }],
  ['jane', { kind: 'user', name: 'jane', groups: [] }],
  ['system:serviceaccount:default:builder', { kind: 'account', namespace: 'default', name: 'builder' }],
  ['system:node:node-1', { kind: 'node', name: 'node-1' }],
  ['system:cluster-scheduler', { kind: 'user', name: 'system:cluster-scheduler', groups: [] }],
];

describe('an identity', () => {
  it.each(identities)('%s is known by its name, and named so again', (name, identity) => {
    expect(identityOf(name)).toEqual(identity);
    expect(nameOfIdentity(identity)).toBe(name);
  });

  it('is read with its groups', () => {
    expect(readUser('jane dev, ops')).toEqual({ kind: 'user', name: 'jane', groups: ['dev', 'ops'] });
  });

  it('never has its token in its key', () => {
    expect(keyOfIdentity({ kind: 'token', label: 'robot', token: 'very-secret' })).not.toContain('very-secret');
  });
});

describe('a request as somebody', () => {
  const sent = async (identity: Identity, headers: Record<string, string> = {}): Promise<Record<string, string>> => {
    let seen = new Headers();
    const transport: Transport = (_path, init) => {
      seen = new Headers(init?.headers);
      return Promise.resolve(new Response());
    };
    await transportAs(transport, identity)('/api', { headers });
    return Object.fromEntries(seen);
  };

  it.each<readonly [string, Identity, Record<string, string>]>([
    ['the administrator', { kind: 'administrator' }, {}],
    [
      'a user',
      { kind: 'user', name: 'jane', groups: ['dev'] },
      { 'impersonate-user': 'jane', 'impersonate-group': 'dev' },
    ],
    [
      'nobody',
      { kind: 'anonymous' },
      { 'impersonate-user': 'system:anonymous', 'impersonate-group': 'system:unauthenticated' },
    ],
    [
      'a node',
      { kind: 'node', name: 'a' },
      { 'impersonate-user': 'system:node:a', 'impersonate-group': 'system:nodes' },
    ],
    [
      'a service account',
      { kind: 'account', namespace: 'x', name: 'y' },
      { 'impersonate-user': 'system:serviceaccount:x:y' },
    ],
    ['a token’s holder', { kind: 'token', label: 'robot', token: 't0k' }, { authorization: 'Bearer t0k' }],
  ])('%s carries their credentials', async (_who, identity, headers) => {
    expect(await sent(identity)).toEqual(headers);
    expect(Object.fromEntries(credentialsOf(identity))).toEqual(headers);
  });

  it('keeps credentials that it carries itself', async () => {
    expect(await sent({ kind: 'user', name: 'jane', groups: [] }, { authorization: 'Bearer own' })).toEqual({
      authorization: 'Bearer own',
    });
  });
});

it.each([
  ['k8s.io', { kind: 'administrator' }, 'kubernetes-admin'],
  ['k8s.io', { kind: 'user', name: 'ben', groups: [] }, 'ben'],
] as const)('with the names of %s the server knows %o as %s', (profile, identity, user) => {
  expect(userNameOf(identity, namesOf(profile))).toBe(user);
});
