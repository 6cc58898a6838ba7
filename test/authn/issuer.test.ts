/** An issuer in the cluster: its tokens are believed as far as the flags say, and no further. */
import { afterEach, describe, expect, it } from 'vitest';
import {
  createAuthorityFiles,
  exportPrivateKey,
  exportPublicKey,
  generateKeys,
  type IdTokenWish,
} from '../../src/authn/index.ts';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { manualClock, seededRandom } from '../../src/std/index.ts';

const deps = { clock: manualClock(), random: seededRandom('f') };
const foreign = await createAuthorityFiles('foreign', deps);
const own = await createAuthorityFiles('own', deps);
const accounts = await generateKeys('RSA');
/** Made once: a cluster that has them needs to make none. */
const pki = {
  'pki/ca.crt': own.certificate,
  'pki/ca.key': own.key,
  'pki/sa.pub': await exportPublicKey(accounts.publicKey),
  'pki/sa.key': await exportPrivateKey(accounts.privateKey),
};
const wish: IdTokenWish = {
  subject: 'jane',
  audience: 'app',
  lifetimeSeconds: 600,
  claims: { groups: ['dev', 'ops'] },
};

let cluster: Cluster | undefined;
afterEach(() => cluster?.stop());

async function start(...flags: string[]): Promise<Cluster> {
  cluster = await createCluster({
    name: 'oidc',
    clock: 'manual',
    apiserver: [
      '--authorization-mode=RBAC',
      '--oidc-issuer-url=https://oidc.vitrine.dev',
      '--oidc-client-id=app',
      '--oidc-groups-claim=groups',
      ...flags,
    ],
    files: { ...pki, 'foreign.crt': foreign.certificate },
  });
  return cluster;
}

/** Who the server takes the bearer for, with groups; `401` where it takes nobody. */
async function whoIs({ fetch, names }: Cluster, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const path = names.fill('http://cluster.local/apis/authorization.{domain}/v1/selfsubjectaccessreviews');
  const spec = { resourceAttributes: { verb: 'get', resource: 'pods' } };
  const response = await fetch(new Request(path, { method: 'POST', headers, body: JSON.stringify({ spec }) }));
  if (response.status === 401) return '401';
  const refused = await fetch(new Request('http://cluster.local/api/v1/secrets', { headers }));
  const { message = '' } = (await refused.json()) as { message?: string };
  return /User "([^"]+)"/.exec(message)?.[1] ?? message;
}

describe('a simulated issuer', () => {
  it('issues tokens that the authenticator accepts until they expire', async () => {
    const running = await start();
    const token = await running.issuer.issue(wish);
    expect(await whoIs(running, token)).toBe('https://oidc.vitrine.dev#jane');
    await running.clock.step(601_000);
    expect(await whoIs(running, token)).toBe('401');
  });

  it.each<[string, string[], Partial<IdTokenWish>, string]>([
    ['another audience', [], { audience: 'other' }, '401'],
    ['an algorithm that is not allowed', [], { algorithm: 'ES256' }, '401'],
    [
      'an algorithm that the flags allow',
      ['--oidc-signing-algs=ES256'],
      { algorithm: 'ES256' },
      'https://oidc.vitrine.dev#jane',
    ],
    ['another issuer in its claims', [], { claims: { iss: 'https://elsewhere.example' } }, '401'],
    ['a claim for the name', ['--oidc-username-claim=email'], { claims: { email: 'j@x.org' } }, 'j@x.org'],
    [
      'an address that nobody verified',
      ['--oidc-username-claim=email'],
      { claims: { email: 'j@x.org', email_verified: false } },
      '401',
    ],
    ['a prefix', ['--oidc-username-prefix=oidc:'], {}, 'oidc:jane'],
    [
      'a required claim',
      ['--oidc-required-claim=hd=x.org'],
      { claims: { hd: 'x.org' } },
      'https://oidc.vitrine.dev#jane',
    ],
    ['a required claim of another value', ['--oidc-required-claim=hd=x.org'], { claims: { hd: 'y.org' } }, '401'],
    ['groups that are none', [], { claims: { groups: 7 } }, '401'],
    ['a time that has not come', [], { claims: { nbf: 4_000_000_000 } }, '401'],
    [
      'an authority that signed the issuer’s certificate',
      ['--oidc-ca-file=pki/ca.crt'],
      {},
      'https://oidc.vitrine.dev#jane',
    ],
    ['an authority that did not', ['--oidc-ca-file=foreign.crt'], {}, '401'],
  ])('with %s', async (_what, flags, more, who) => {
    const running = await start(...flags);
    expect(await whoIs(running, await running.issuer.issue({ ...wish, ...more }))).toBe(who);
  });

  it('rotates its keys: earlier tokens are invalid once the keys are refreshed', async () => {
    const running = await start();
    const before = await running.issuer.issue(wish);
    expect(await whoIs(running, before)).not.toBe('401');
    await running.issuer.rotate();
    await running.clock.step(11_000);
    const after = await running.issuer.issue(wish);
    expect(await whoIs(running, after)).toBe('https://oidc.vitrine.dev#jane');
    expect(await whoIs(running, before)).toBe('401');
  });

  it('is not trusted by a server without its configuration', async () => {
    cluster = await createCluster({
      name: 'plain',
      apiserver: ['--authorization-mode=RBAC', '--token-auth-file=t'],
      files: { ...pki, t: 'a,a,a\n' },
    });
    expect(await whoIs(cluster, await cluster.issuer.issue(wish))).toBe('401');
  });
});
