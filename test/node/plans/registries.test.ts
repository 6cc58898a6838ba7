/** Which registry a login is for, and the words of a request that does not reach its server. */
import { describe, expect, test } from 'vitest';
import type { Secret } from '../../../src/client/index.ts';
import { namesOf } from '../../../src/names/index.ts';
import { isFor, loginsFor } from '../../../src/node/pod/pullSecrets.ts';
import { serverFetch } from '../../../src/node/serverFetch.ts';
import { encodeText, toBase64 } from '../../../src/std/index.ts';
import { DataplaneWorld } from '../../network/dataplaneWorld.ts';

describe('a login', () => {
  test.each([
    ['r*g*y.io', 'registry.io/a', true],
    ['r*gg*y.io', 'registry.io/a', false],
    ['re*s*t*.io', 'registry.io/a', true],
    ['re*t*s*.io', 'registry.io/a', false],
    ['*.io', 'registry.io/a', true],
    ['*stry.io', 'registry.io/a', true],
    ['reg*.io', 'registry.io/a', true],
    ['aba*ba.io', 'aba.io/a', false],
    ['a*b*a.io', 'aba.io/a', true],
    ['a*a.io', 'a.io/a', false],
    ['http://gcr.io/v2', 'gcr.io/a', true],
    ['gcr.io/v3', 'gcr.io/a', false],
    ['gcr.io//', 'gcr.io/a', true],
    ['ghcr.io', 'nginx', false],
  ])('of %s is for %s: %s', (registry, image, expected) => {
    expect(isFor(registry, image)).toBe(expected);
  });

  const base64 = (text: string): string => toBase64(encodeText(text));
  test.each<[object, object | undefined]>([
    [
      { username: 'u', password: 'p' },
      { user: 'u', password: 'p' },
    ],
    [{ auth: base64('u:p:q') }, { user: 'u', password: 'p:q' }],
    [{ auth: base64('u:p\0\0') }, { user: 'u', password: 'p' }],
    [
      { auth: base64('u:p'), username: 'v', password: 'w' },
      { user: 'v', password: 'w' },
    ],
    [{ auth: base64(':p') }, undefined],
    [{ auth: base64('u:') }, undefined],
    [{ auth: base64('up') }, undefined],
    [{ auth: '%' }, undefined],
    [{ username: 7, password: 'p' }, undefined],
    [[], undefined],
  ])('%j is %j', (entry, login) => {
    const auths = { 'example.com': entry, 'other.com': { username: 'x', password: 'y' } };
    const secret: Partial<Secret> = {
      type: 'cluster.io/dockerconfigjson',
      data: { '.dockerconfigjson': base64(JSON.stringify({ auths })) },
    };
    expect(loginsFor('example.com/a', secret as Secret, namesOf('cluster.io'))).toEqual(login ? [login] : []);
  });
});

test.each([
  ['10.244.0.2', 81, 'dial tcp 10.244.0.2:81: connect: connection refused'],
  ['none', 80, 'dial tcp: lookup none: no such host'],
])('a request to %s at port %d fails with %s', async (host, port, message) => {
  const network = new DataplaneWorld('').network('x/a');
  const request = new Request('http://server/path');
  await expect(serverFetch(network, request, { host, port })).rejects.toThrow(new Error(message));
});
