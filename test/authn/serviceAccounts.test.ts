import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import {
  exportPrivateKey,
  exportPublicKey,
  generateKeys,
  readSigningKey,
  readVerifyKeys,
  splitAccountUsername,
  tokenMaker,
} from '../../src/authn/index.ts';
import type { BoundTokenRequest, TokenObjects } from '../../src/authn/index.ts';
import type { ApiObject } from '../../src/schema/index.ts';
import { encodeText, manualClock, rfc3339 } from '../../src/std/index.ts';
import { chain, get, names, secret, shown } from './helpers.ts';

const ISSUER = 'https://cluster';
const START = Date.UTC(2026, 0, 1);
const [keys, foreign] = await Promise.all([generateKeys('RSA'), generateKeys('RSA')]);
const signing = await readSigningKey(await exportPrivateKey(keys.privateKey));
const publicPem = await exportPublicKey(keys.publicKey);
const verifyKeys = await readVerifyKeys(publicPem);
const maker = tokenMaker(signing, ISSUER, names);

const account: ApiObject = { metadata: { name: 'robot', namespace: 'a', uid: 'u1', creationTimestamp: null } };
const pod: ApiObject = { metadata: { name: 'p', namespace: 'a', uid: 'pu', creationTimestamp: null } };
const legacy = await maker.legacy({ namespace: 'a', name: 'robot', uid: 'u1' }, 's');
const stored = secret('a', 's', 'kubernetes.io/service-account-token', { token: legacy });

type World = Partial<Record<keyof TokenObjects, ApiObject | undefined>>;

function accounts(world: World = {}, now = START, lookup = true) {
  const all: World = { secret: stored, serviceAccount: account, pod, ...world };
  const find = (kind: keyof TokenObjects) => (namespace: string, name: string) => {
    const object = all[kind];
    return object?.metadata.name === name && object.metadata.namespace === namespace ? object : undefined;
  };
  const objects: TokenObjects = { secret: find('secret'), serviceAccount: find('serviceAccount'), pod: find('pod') };
  return chain({ clock: manualClock(now), serviceAccount: { keys: verifyKeys, issuer: ISSUER, lookup, objects } });
}

const deleted = (object: ApiObject, at: number): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, deletionTimestamp: rfc3339(at) },
});
const ROBOT = 'system:serviceaccount:a:robot [system:serviceaccounts, system:serviceaccounts:a, system:authenticated]';

describe('tokens from secrets', () => {
  it.each<[string, World, string]>([
    ['what is stored', {}, ROBOT],
    ['no secret', { secret: undefined }, 'refused'],
    ['another token in the secret', { secret: secret('a', 's', 'x', { token: 'other' }) }, 'refused'],
    ['a secret that is being deleted', { secret: deleted(stored, START) }, 'refused'],
    ['no account', { serviceAccount: undefined }, 'refused'],
    ['an account made anew', { serviceAccount: { metadata: { ...account.metadata, uid: 'u2' } } }, 'refused'],
    ['an account that is being deleted', { serviceAccount: deleted(account, START) }, 'refused'],
  ])('with %s → %s', async (_what, world, expected) => {
    expect(shown(await accounts(world).authenticate(get(legacy)))).toBe(expected);
  });

  it('are accepted without reading objects if lookup is disabled', async () => {
    expect(
      shown(await accounts({ secret: undefined, serviceAccount: undefined }, START, false).authenticate(get(legacy))),
    ).toBe(ROBOT);
  });

  it('never expire', async () => {
    expect(shown(await accounts({}, START + 100 * 365 * 24 * 3600_000).authenticate(get(legacy)))).toBe(ROBOT);
  });
});

const bound = (more: Partial<BoundTokenRequest> = {}): Promise<string> =>
  maker.bound({
    account: { namespace: 'a', name: 'robot', uid: 'u1' },
    audiences: [ISSUER],
    now: START / 1000,
    expiresInSeconds: 3600,
    ...more,
  });

describe('requested tokens', () => {
  const MINUTE = 60_000;
  it.each<[string, Partial<BoundTokenRequest>, World, number, string]>([
    ['at once', {}, {}, 0, ROBOT],
    ['near its end', {}, {}, 60 * MINUTE, ROBOT],
    ['within the leeway', {}, {}, 61 * MINUTE, ROBOT],
    ['after it', {}, {}, 62 * MINUTE, 'refused'],
    ['before it begins', {}, {}, -2 * MINUTE, 'refused'],
    ['for another audience', { audiences: ['vault'] }, {}, 0, 'refused'],
    ['for this audience too', { audiences: ['vault', ISSUER] }, {}, 0, ROBOT],
    ['of an account made anew', {}, { serviceAccount: { metadata: { ...account.metadata, uid: 'u2' } } }, 0, 'refused'],
    ['of an account that is gone', {}, { serviceAccount: undefined }, 0, 'refused'],
    ['of an account that is just being deleted', {}, { serviceAccount: deleted(account, START) }, 0, ROBOT],
    [
      'of an account that was deleted a while ago',
      {},
      { serviceAccount: deleted(account, START - 2 * MINUTE) },
      0,
      'refused',
    ],
    ['bound to a pod', { pod: { name: 'p', uid: 'pu' } }, {}, 0, ROBOT],
    ['bound to a pod that is gone', { pod: { name: 'p', uid: 'pu' } }, { pod: undefined }, 0, 'refused'],
    ['bound to a pod of that name made anew', { pod: { name: 'p', uid: 'old' } }, {}, 0, 'refused'],
    ['bound to a secret', { secret: { name: 's', uid: 'uid-s' } }, {}, 0, ROBOT],
    ['bound to a secret that is gone', { secret: { name: 's', uid: 'uid-s' } }, { secret: undefined }, 0, 'refused'],
  ])('%s', async (_what, request, world, after, expected) => {
    expect(shown(await accounts(world, START + after).authenticate(get(await bound(request))))).toBe(expected);
  });

  it('contain the pod that they are bound to', async () => {
    const { user } = await accounts().authenticate(get(await bound({ pod: { name: 'p', uid: 'pu' } })));
    expect(user?.extra).toEqual({
      'authentication.kubernetes.io/pod-name': ['p'],
      'authentication.kubernetes.io/pod-uid': ['pu'],
    });
  });

  it('are reviewed for the requested audiences', async () => {
    const token = await bound({ audiences: ['vault', 'other'] });
    const answer = await accounts().review(token, ['x', 'other', 'vault']);
    expect([shown(answer), answer.audiences]).toEqual([ROBOT, ['other', 'vault']]);
    expect(shown(await accounts().review(token, [ISSUER]))).toBe('refused');
  });
});

const claims = (await bound()).split('.')[1] ?? '';
const payload = decodeJwt(await bound());

describe('forged tokens', () => {
  const changed = async (token: string): Promise<string> => {
    const [head, , tail] = token.split('.');
    return [
      head,
      btoa(JSON.stringify({ ...payload, sub: 'system:serviceaccount:a:admin' })).replace(/=+$/, ''),
      tail,
    ].join('.');
  };

  it.each<[string, () => Promise<string> | string]>([
    ['alg none', () => new UnsecuredJWT(payload).encode()],
    ['alg none in capitals', () => `${btoa('{"alg":"NONE"}').replace(/=+$/, '')}.${claims}.`],
    [
      'an HMAC keyed with the public key',
      () => new SignJWT(payload).setProtectedHeader({ alg: 'HS256', kid: signing.id }).sign(encodeText(publicPem)),
    ],
    [
      'another cluster’s key',
      () => new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: signing.id }).sign(foreign.privateKey),
    ],
    ['a changed payload', async () => changed(await bound())],
    ['a signature cut off', async () => (await bound()).split('.').slice(0, 2).join('.') + '.'],
    ['an empty signature', async () => `${(await bound()).split('.').slice(0, 2).join('.')}.AA`],
    ['no token at all', () => 'a.b.c'],
  ])('%s are refused', async (_what, forge) => {
    expect(shown(await accounts().authenticate(get(await forge())))).toBe('refused');
  });

  it('a token from a secret whose subject is not its account is refused', async () => {
    const own = tokenMaker(signing, ISSUER, names);
    const token = await own.legacy({ namespace: 'a', name: 'robot', uid: 'u1' }, 's');
    const wrong = await new SignJWT({ ...decodeJwt(token), sub: 'system:serviceaccount:a:other' })
      .setProtectedHeader({ alg: 'RS256' })
      .sign(keys.privateKey);
    expect(shown(await accounts({}, START, false).authenticate(get(wrong)))).toBe('refused');
  });
});

describe('names of accounts', () => {
  it.each([
    ['system:serviceaccount:a:b', { namespace: 'a', name: 'b' }],
    ['system:serviceaccount:a:b.c', { namespace: 'a', name: 'b.c' }],
    ['system:serviceaccount:a', undefined],
    ['system:serviceaccount:a:b:c', undefined],
    ['system:serviceaccount:a:Bad_Name', undefined],
    ['system:serviceaccount:A:b', undefined],
    ['a:b', undefined],
  ])('%s', (text, expected) => {
    expect(splitAccountUsername(text)).toEqual(expected);
  });
});
