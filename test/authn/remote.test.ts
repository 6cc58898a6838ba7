import { SignJWT, UnsecuredJWT, exportJWK } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { generateKeys, oidcProblem, readEndpoint, RemoteConfigError } from '../../src/authn/index.ts';
import { loadYaml, manualClock } from '../../src/std/index.ts';
import { chain, get, shown } from './helpers.ts';

const ISSUER = 'https://issuer.example';
const START = Date.UTC(2026, 0, 1);
await loadYaml();
const [first, second] = await Promise.all([generateKeys('RSA'), generateKeys('RSA')]);

type OidcSettings = NonNullable<Parameters<typeof chain>[0]>['oidc'];

/** An issuer that may change its keys. */
function issuer(settings: Partial<NonNullable<OidcSettings>> = {}) {
  const clock = manualClock(START);
  const served = { keys: [first], asked: 0 };
  const fetch = async (request: Request): Promise<Response> => {
    served.asked++;
    if (request.url.endsWith('/.well-known/openid-configuration'))
      return Response.json({ issuer: ISSUER, jwks_uri: `${ISSUER}/keys` });
    return Response.json({
      keys: await Promise.all(
        served.keys.map(async (key, i) => ({
          ...(await exportJWK(key.publicKey)),
          kid: `k${i}${key === first ? 'a' : 'b'}`,
          alg: 'RS256',
        })),
      ),
    });
  };
  const oidc = {
    fetch,
    issuer: ISSUER,
    clientId: 'app',
    usernameClaim: 'sub',
    usernamePrefix: undefined,
    groupsClaim: 'groups',
    groupsPrefix: 'oidc:',
    requiredClaims: new Map<string, string>(),
    algorithms: ['RS256'],
    ...settings,
  };
  return {
    clock,
    served,
    ask: async (token: string) => shown(await chain({ clock, oidc }).authenticate(get(token))),
    authentication: chain({ clock, oidc }),
  };
}

const claims = { iss: ISSUER, aud: 'app', sub: 'jane', exp: START / 1000 + 3600, groups: ['dev', 'ops'] };
const sign = (payload: Record<string, unknown>, key = first.privateKey, alg = 'RS256'): Promise<string> =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(key);

describe('ID tokens of an issuer', () => {
  it.each<[string, Record<string, unknown>, Partial<NonNullable<OidcSettings>>, string]>([
    ['as they should be', {}, {}, `${ISSUER}#jane [oidc:dev, oidc:ops, system:authenticated]`],
    ['with several audiences', { aud: ['x', 'app'] }, {}, `${ISSUER}#jane [oidc:dev, oidc:ops, system:authenticated]`],
    ['for another audience', { aud: 'x' }, {}, 'refused'],
    ['that have expired', { exp: START / 1000 - 1 }, {}, 'refused'],
    ['without an end', { exp: undefined }, {}, 'refused'],
    ['that begin later', { nbf: START / 1000 + 3600 }, {}, 'refused'],
    ['of another issuer', { iss: 'https://other.example' }, {}, 'refused'],
    ['with one group', { groups: 'dev' }, {}, `${ISSUER}#jane [oidc:dev, system:authenticated]`],
    ['with groups that are none', { groups: [1] }, {}, 'refused'],
    ['with a prefix', {}, { usernamePrefix: 'oidc:', groupsClaim: '' }, 'oidc:jane [system:authenticated]'],
    ['with none', {}, { usernamePrefix: '-', groupsClaim: '' }, 'jane [system:authenticated]'],
    [
      'by e-mail',
      { email: 'jane@example.com', email_verified: true },
      { usernameClaim: 'email', groupsClaim: '' },
      'jane@example.com [system:authenticated]',
    ],
    [
      'by e-mail that nobody checked',
      { email: 'jane@example.com', email_verified: false },
      { usernameClaim: 'email' },
      'refused',
    ],
    ['without the claim', {}, { usernameClaim: 'email' }, 'refused'],
    [
      'with what is required',
      { hd: 'example.com' },
      { requiredClaims: new Map([['hd', 'example.com']]), groupsClaim: '' },
      `${ISSUER}#jane [system:authenticated]`,
    ],
    ['without it', {}, { requiredClaims: new Map([['hd', 'example.com']]) }, 'refused'],
  ])('%s → %s', async (_what, more, settings, expected) => {
    expect(await issuer(settings).ask(await sign({ ...claims, ...more }))).toBe(expected);
  });

  it.each<[string, () => Promise<string> | string]>([
    ['another key', () => sign(claims, second.privateKey)],
    ['alg none', () => new UnsecuredJWT(claims).encode()],
    ['an HMAC', () => new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32))],
  ])('signed with %s are refused', async (_what, make) => {
    expect(await issuer().ask(await make())).toBe('refused');
  });

  it('are verified with refreshed keys, without a request for every forged token', async () => {
    const { clock, served, authentication } = issuer();
    const ask = async (token: string): Promise<string> => shown(await authentication.authenticate(get(token)));
    const token = await sign(claims, second.privateKey);
    expect(await ask(token)).toBe('refused');
    served.keys = [second];
    expect(await ask(token)).toBe('refused');
    const before = served.asked;
    await clock.step(11_000);
    expect(await ask(token)).toContain('jane');
    expect(served.asked).toBe(before + 2);
  });

  it.each([
    [{ issuer: 'http://x', clientId: 'a', algorithms: ['RS256'] }, 'https'],
    [{ issuer: ISSUER, clientId: '', algorithms: ['RS256'] }, 'oidc-client-id'],
    [{ issuer: ISSUER, clientId: 'a', algorithms: ['HS256'] }, 'HS256'],
  ])('%j is refused at the start', (options, why) => {
    expect(oidcProblem(options)).toContain(why);
  });
});

describe('tokens reviewed by a service', () => {
  function remote(status: (token: string) => object, down = 0) {
    const clock = manualClock(START);
    const asked: { token: string; audiences?: string[] }[] = [];
    let failures = down;
    const fetch = async (request: Request): Promise<Response> => {
      const { spec } = (await request.json()) as { spec: { token: string } };
      asked.push(spec);
      if (failures-- > 0) return new Response('busy', { status: 503 });
      return Response.json({ status: status(spec.token) });
    };
    const webhook = {
      fetch,
      endpoint: { url: 'https://tokens.example/', headers: {} },
      apiVersion: 'authentication.k8s.io/v1beta1',
      cacheTtlMs: 120_000,
    };
    return { clock, asked, authentication: chain({ clock, webhook }) };
  }
  const known = (token: string): object =>
    token === 'good'
      ? { authenticated: true, user: { username: 'ann', uid: '1', groups: ['dev'], extra: { scopes: ['a', 'b'] } } }
      : { authenticated: false };

  it('are accepted according to the service', async () => {
    const { authentication } = remote(known);
    const { user } = await authentication.authenticate(get('good'));
    expect(user).toEqual({
      name: 'ann',
      uid: '1',
      groups: ['dev', 'system:authenticated'],
      extra: { scopes: ['a', 'b'] },
    });
    expect(shown(await authentication.authenticate(get('bad')))).toBe('refused');
  });

  it('are cached for a while, accepted or refused', async () => {
    const { authentication, asked, clock } = remote(known);
    for (const token of ['good', 'good', 'bad', 'bad']) await authentication.authenticate(get(token));
    expect(asked.length).toBe(2);
    await clock.step(121_000);
    await authentication.authenticate(get('good'));
    expect(asked.length).toBe(3);
  });

  it('are retried when the service is busy', async () => {
    const { authentication, asked, clock } = remote(known, 2);
    const answer = authentication.authenticate(get('good'));
    await vi.waitFor(async () => {
      await clock.step(1_000);
      expect(asked.length).toBe(3);
    });
    expect(shown(await answer)).toBe('ann [dev, system:authenticated]');
  });

  it('are valid only for audiences that the service confirms', async () => {
    const { authentication } = remote(() => ({ authenticated: true, user: { username: 'ann' }, audiences: ['vault'] }));
    expect(shown(await authentication.authenticate(get('good')))).toBe('refused');
    expect((await authentication.review('good', ['vault', 'x'])).audiences).toEqual(['vault']);
  });
});

describe('client configurations', () => {
  const config = (user: string, server = 'https://remote.example/path'): string => `
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "${server}"}}]
users: [{name: u, user: ${user}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x`;

  it('contain address and credentials', () => {
    expect(readEndpoint(config('{token: secret}'))).toEqual({
      url: 'https://remote.example/path',
      headers: { authorization: 'Bearer secret' },
    });
    expect(readEndpoint(config('{username: a, password: b}')).headers).toEqual({
      authorization: `Basic ${btoa('a:b')}`,
    });
    expect(readEndpoint(config('{}')).headers).toEqual({});
    expect(readEndpoint(config('{username: a, password: ü}')).headers.authorization).toBe('Basic YTrDvA==');
  });

  it.each([
    ['remote', 'server "remote" is no URL'],
    ['https://a:hidden@remote', 'server: a user belongs into users, not into the URL'],
  ])('with the server %s are refused', (server, why) => {
    expect(() => readEndpoint(config('{}', server))).toThrow(new RemoteConfigError(why));
  });

  it.each(['', 'x', 'contexts: []\ncurrent-context: x'])('%j is not started with', (text) => {
    expect(() => readEndpoint(text)).toThrow(RemoteConfigError);
  });
});
