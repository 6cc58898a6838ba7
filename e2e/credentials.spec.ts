/** Every kind of credential in a browser: what it lets in, and what of it is refused. */
import { expect, test, type Page } from '@playwright/test';
import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { generateKeyPair, SignJWT, UnsecuredJWT, decodeJwt, type JWTPayload } from 'jose';
import {
  bearer,
  bootSeeing,
  certificateOf,
  credentialCluster,
  HOUR_MS,
  makeAuthority,
  proving,
  step,
  whoIs,
  write,
} from './credentialsSupport.ts';
import { ask, boot, cluster, configMaps } from './support.ts';

const ISSUER = 'https://oidc.vitrine.dev';
const nobody = 'system:anonymous [system:unauthenticated]';

/** The same claims, signed in ways in which nobody should believe them; `jwk` is the public key of whom they pretend to be from. */
async function forgeries(claims: JWTPayload, kid: string, jwk: JsonWebKey): Promise<ReadonlyMap<string, string>> {
  const { privateKey } = await generateKeyPair('RS256');
  const sign = (alg: string, key: CryptoKey | Uint8Array): Promise<string> =>
    new SignJWT(claims).setProtectedHeader({ alg, kid }).sign(key);
  const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  return new Map([
    ['signed by another key', await sign('RS256', privateKey)],
    ['alg none', new UnsecuredJWT(claims).encode()],
    ['the public key taken for a shared secret', await sign('HS256', new TextEncoder().encode(pem.toString()))],
  ]);
}

const changed = (token: string, part: number): string =>
  token
    .split('.')
    .map((text, at) =>
      at === part ? `${text.slice(0, -6)}${text.slice(-6) === 'AAAAAA' ? 'BBBBBB' : 'AAAAAA'}` : text,
    )
    .join('.');

test('client certificates', async ({ page }) => {
  const own = await makeAuthority('own');
  const options = credentialCluster('certificates', ['--client-ca-file=ca.crt'], {
    files: { 'ca.crt': own.files.certificate },
  });
  const base = await bootSeeing(page, options);
  const carol = await certificateOf(own, 'carol', ['ops', 'dev']);
  expect(await whoIs(page, base, proving(page, carol))).toBe('carol [ops, dev, system:authenticated]');

  const stranger = await certificateOf(await makeAuthority('own'), 'carol', ['system:masters']);
  expect(await whoIs(page, base, proving(page, stranger)), 'unknown authority').toBe('401');
  const server = await certificateOf(own, 'carol', [], ['server auth']);
  expect(await whoIs(page, base, proving(page, server)), 'a server’s certificate').toBe('401');
  const thief = { certificate: carol.certificate, key: server.key };
  expect(await whoIs(page, base, proving(page, thief)), 'without its key').toBe('401');
  const overheard = await proving(page, carol)('/version?probe=overheard');
  expect(await whoIs(page, base, overheard), 'a proof for another request').toBe('401');

  await step(page, HOUR_MS + 60_000);
  expect(await whoIs(page, base, proving(page, carol)), 'expired').toBe('401');
});

test('static tokens', async ({ page }) => {
  const files = { 'tokens.csv': 'admintoken,admin,1,system:masters\njanetoken,jane,7,"dev,ops"\n' };
  const base = await bootSeeing(page, credentialCluster('static', [], { files }));
  expect(await whoIs(page, base, bearer('janetoken'))).toBe('jane [dev, ops, system:authenticated]');
  expect(await whoIs(page, base, bearer('other')), 'unknown').toBe('401');
  expect(await whoIs(page, base, { authorization: 'Basic amFuZTpq' }), 'no bearer').toBe(nobody);
  const elsewhere = await bootSeeing(page, credentialCluster('elsewhere', []));
  expect(await whoIs(page, elsewhere, bearer('janetoken')), 'in another cluster').toBe('401');
});

const SECRETS = '/api/v1/namespaces/cluster-system/secrets';

async function bootstrapToken(page: Page, base: string, id: string, data: object): Promise<string> {
  const stringData = {
    'token-id': id,
    'token-secret': '0123456789abcdef',
    'usage-bootstrap-authentication': 'true',
    ...data,
  };
  const metadata = { name: `bootstrap-token-${id}` };
  await write(page, base, 'POST', SECRETS, { metadata, type: 'bootstrap.cluster.io/token', stringData });
  return `${id}.0123456789abcdef`;
}

test('bootstrap tokens', async ({ page }) => {
  const base = await bootSeeing(page, credentialCluster('bootstrap', ['--enable-bootstrap-token-auth']));
  const { now } = await page.evaluate(() => window.vitrine.clock.state());
  const inAnHour = new Date(now + HOUR_MS).toISOString().replace(/\.\d+/, '');
  const who = async (id: string, data: object): Promise<string> =>
    whoIs(page, base, bearer(await bootstrapToken(page, base, id, data)));
  expect(await who('aaaaaa', { 'auth-extra-groups': 'system:bootstrappers:x', expiration: inAnHour })).toBe(
    'system:bootstrap:aaaaaa [system:bootstrappers, system:bootstrappers:x, system:authenticated]',
  );
  expect(await whoIs(page, base, bearer('aaaaaa.fedcba9876543210')), 'wrong secret').toBe('401');
  expect(await who('bbbbbb', { expiration: '2020-01-01T00:00:00Z' }), 'expired').toBe('401');
  expect(await who('cccccc', { 'usage-bootstrap-authentication': 'false' }), 'wrong usage').toBe('401');
  expect(await who('dddddd', { 'auth-extra-groups': 'system:masters' }), 'a group that is none of its own').toBe('401');
  expect(await who('eeeeee', {})).toContain('system:bootstrap:eeeeee');
  await write(page, base, 'DELETE', `${SECRETS}/bootstrap-token-eeeeee`);
  expect(await whoIs(page, base, bearer('eeeeee.0123456789abcdef')), 'revoked').toBe('401');
  await step(page, HOUR_MS + 1000);
  expect(await whoIs(page, base, bearer('aaaaaa.0123456789abcdef')), 'its time is over').toBe('401');
});

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts';
const robot =
  'system:serviceaccount:default:robot [system:serviceaccounts, system:serviceaccounts:default, system:authenticated]';

interface TokenRequest {
  readonly status: { readonly token: string };
}

const requestToken = async (page: Page, base: string, spec: object): Promise<string> =>
  (await write<TokenRequest>(page, base, 'POST', `${ACCOUNTS}/robot/token`, { spec })).status.token;

test('service account tokens that were asked for', async ({ page }) => {
  const base = await bootSeeing(
    page,
    credentialCluster('accounts', ['--service-account-issuer=https://accounts.test']),
  );
  await write(page, base, 'POST', ACCOUNTS, { metadata: { name: 'robot' } });
  const token = await requestToken(page, base, { expirationSeconds: 600 });
  expect(await whoIs(page, base, bearer(token))).toBe(robot);
  expect(await whoIs(page, base, bearer(await requestToken(page, base, { audiences: ['vault'] }))), 'audience').toBe(
    '401',
  );

  const { keys } = await write<{ keys: [JsonWebKey & { kid: string }] }>(page, base, 'GET', '/openid/v1/jwks');
  for (const [what, forged] of await forgeries(decodeJwt(token), keys[0].kid, keys[0]))
    expect(await whoIs(page, base, bearer(forged)), what).toBe('401');
  expect(await whoIs(page, base, bearer(changed(token, 1))), 'other claims').toBe('401');
  expect(await whoIs(page, base, bearer(changed(token, 2))), 'another signature').toBe('401');

  const elsewhere = await bootSeeing(
    page,
    credentialCluster('twin', ['--service-account-issuer=https://accounts.test']),
  );
  await write(page, elsewhere, 'POST', ACCOUNTS, { metadata: { name: 'robot' } });
  const foreign = await requestToken(page, elsewhere, {});
  expect(await whoIs(page, elsewhere, bearer(foreign))).toBe(robot);
  expect(await whoIs(page, base, bearer(foreign)), 'of another cluster').toBe('401');

  await page.evaluate((ms) => window.vitrine.clock.step(ms, 'accounts'), 700_000);
  expect(await whoIs(page, base, bearer(token)), 'expired').toBe('401');
  const next = await requestToken(page, base, {});
  await write(page, base, 'DELETE', `${ACCOUNTS}/robot`);
  expect(await whoIs(page, base, bearer(next)), 'the account is gone').toBe('401');
});

interface SecretList {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly data?: { readonly token?: string };
  }[];
}

test('service account tokens in secrets', async ({ page }) => {
  const base = await bootSeeing(page, credentialCluster('legacy', []));
  await write(page, base, 'POST', ACCOUNTS, { metadata: { name: 'robot' } });
  const path = '/api/v1/namespaces/default/secrets';
  const secret = async () =>
    (await write<SecretList>(page, base, 'GET', path)).items.find(({ metadata }) =>
      metadata.name.startsWith('robot-token-'),
    );
  await expect.poll(async () => (await secret())?.data?.token !== undefined).toBe(true);
  const found = await secret();
  const token = atob(found?.data?.token ?? '');
  expect(await whoIs(page, base, bearer(token))).toBe(robot);
  await write(page, base, 'DELETE', `${path}/${found?.metadata.name}`);
  expect(await whoIs(page, base, bearer(token)), 'revoked').toBe('401');
});

test('ID tokens of an issuer in the tab', async ({ page }) => {
  const flags = [
    `--oidc-issuer-url=${ISSUER}`,
    '--oidc-client-id=app',
    '--oidc-groups-claim=groups',
    '--oidc-groups-prefix=oidc:',
    '--oidc-username-prefix=oidc:',
    '--oidc-required-claim=hd=example.org',
    '--oidc-ca-file=pki/ca.crt',
  ];
  const base = await bootSeeing(page, credentialCluster('oidc', flags));
  const issue = (more: object = {}, name = 'oidc'): Promise<string> =>
    page.evaluate(([wish, cluster]) => window.vitrine.issuer.issue(wish, cluster), [
      {
        subject: 'jane',
        audience: 'app',
        lifetimeSeconds: 600,
        claims: { groups: ['dev'], hd: 'example.org' },
        ...more,
      },
      name,
    ] as const);
  const who = async (more: object): Promise<string> => whoIs(page, base, bearer(await issue(more)));
  const token = await issue();
  expect(await whoIs(page, base, bearer(token))).toBe('oidc:jane [oidc:dev, system:authenticated]');
  expect(await who({ audience: 'other' }), 'audience').toBe('401');
  expect(await who({ claims: { hd: 'example.com' } }), 'required claim').toBe('401');
  expect(await who({ algorithm: 'ES256' }), 'an algorithm that is not allowed').toBe('401');
  const { publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = (await crypto.subtle.exportKey('jwk', publicKey)) as JsonWebKey;
  for (const [what, forged] of await forgeries(decodeJwt(token), 'k', jwk))
    expect(await whoIs(page, base, bearer(forged)), what).toBe('401');

  await bootSeeing(page, credentialCluster('other-issuer', []));
  expect(await whoIs(page, base, bearer(await issue({}, 'other-issuer'))), 'of another cluster').toBe('401');

  await page.evaluate(() => window.vitrine.issuer.rotate('oidc'));
  await page.evaluate((ms) => window.vitrine.clock.step(ms, 'oidc'), 11_000);
  expect(await whoIs(page, base, bearer(await issue()))).toBe('oidc:jane [oidc:dev, system:authenticated]');
  expect(await whoIs(page, base, bearer(token)), 'of keys that are no longer').toBe('401');
  const last = await issue();
  await page.evaluate((ms) => window.vitrine.clock.step(ms, 'oidc'), 601_000);
  expect(await whoIs(page, base, bearer(last)), 'expired').toBe('401');
});

const KUBECONFIG = JSON.stringify({
  clusters: [{ name: 'c', cluster: { server: 'https://tokens.default.svc/', 'certificate-authority': 'pki/ca.crt' } }],
  contexts: [{ name: 'x', context: { cluster: 'c' } }],
  'current-context': 'x',
});

const handler = (name: string): string => `export default (review) => ({
  apiVersion: review.apiVersion,
  kind: review.kind,
  status: review.spec.token === 'good'
    ? { authenticated: true, user: { username: '${name}', groups: ['hooked'] } }
    : { authenticated: false },
});`;

test('a webhook that is asked about tokens', async ({ page }) => {
  const flags = ['--authentication-token-webhook-config-file=hook.yaml', '--authentication-token-webhook-cache-ttl=2m'];
  const base = await bootSeeing(page, credentialCluster('hook', flags, { files: { 'hook.yaml': KUBECONFIG } }));
  const path = '/api/v1/namespaces/default/configmaps';
  const metadata = { name: 'tokens', labels: { 'simulation.vitrine.dev/webhook': 'true' } };
  await write(page, base, 'POST', '/api/v1/namespaces/default/services', {
    metadata: { name: 'tokens' },
    spec: { ports: [{ port: 443 }] },
  });
  await write(page, base, 'POST', path, { metadata, data: { 'handler.js': handler('hook') } });
  expect(await whoIs(page, base, bearer('good'))).toBe('hook [hooked, system:authenticated]');
  expect(await whoIs(page, base, bearer('bad')), 'unknown').toBe('401');

  await write(page, base, 'PUT', `${path}/tokens`, { metadata, data: { 'handler.js': handler('changed') } });
  expect(await whoIs(page, base, bearer('good')), 'from the cache').toBe('hook [hooked, system:authenticated]');
  await step(page, 121_000);
  expect(await whoIs(page, base, bearer('good')), 'asked anew').toBe('changed [hooked, system:authenticated]');
});

test('request headers', async ({ page }) => {
  const proxies = await makeAuthority('proxies');
  const base = await bootSeeing(
    page,
    credentialCluster(
      'headers',
      [
        '--requestheader-client-ca-file=proxy.crt',
        '--requestheader-allowed-names=front',
        '--requestheader-username-headers=X-Remote-User',
        '--requestheader-group-headers=X-Remote-Group',
        '--requestheader-extra-headers-prefix=X-Remote-Extra-',
      ],
      { files: { 'proxy.crt': proxies.files.certificate } },
    ),
  );
  const zoe = { 'x-remote-user': 'zoe', 'x-remote-group': 'readers' };
  const front = await certificateOf(proxies, 'front');
  expect(await whoIs(page, base, proving(page, front, zoe))).toBe('zoe [readers, system:authenticated]');
  const impostor = await certificateOf(proxies, 'impostor');
  expect(await whoIs(page, base, proving(page, impostor, zoe)), 'another name').toBe('401');
  const foreign = await certificateOf(await makeAuthority('proxies'), 'front');
  expect(await whoIs(page, base, proving(page, foreign, zoe)), 'another authority').toBe('401');
  expect(await whoIs(page, base, zoe), 'headers alone').toBe(nobody);
});

test('nobody, and somebody in another’s name', async ({ page }) => {
  const files = { 'tokens.csv': 'admintoken,admin,1,system:masters\njanetoken,jane,7\n' };
  const base = await bootSeeing(page, credentialCluster('names', [], { files }));
  expect(await whoIs(page, base, {})).toBe(nobody);
  const as = (token: string, more: Record<string, string>) => whoIs(page, base, { ...bearer(token), ...more });
  expect(await as('admintoken', { 'impersonate-user': 'bob', 'impersonate-group': 'dev' })).toBe(
    'bob [dev, system:authenticated]',
  );
  expect(await as('admintoken', { 'impersonate-user': 'system:serviceaccount:default:robot' })).toBe(robot);
  expect(await as('janetoken', { 'impersonate-user': 'bob' }), 'who may not').toBe('403');
  const strict = await bootSeeing(page, credentialCluster('strict', ['--anonymous-auth=false']));
  expect(await whoIs(page, strict, {}), 'where nobody is let in unknown').toBe('401');
});

test('the page remembers a cluster without its files, which the cluster keeps', async ({ page }) => {
  const options = cluster('remembered', { storage: 'indexeddb' });
  const remembered = (): Promise<string | null> => page.evaluate(() => localStorage.getItem('vitrine.clusters'));
  await boot(page, options);
  expect(await remembered()).not.toContain('admintoken');

  // As an older version left it.
  const list = JSON.stringify({ remembered: { name: 'remembered', options } });
  await page.evaluate((text) => localStorage.setItem('vitrine.clusters', text), list);
  await boot(page, { name: 'remembered' });
  expect(await remembered()).not.toContain('admintoken');

  const base = await boot(page, { name: 'remembered' });
  expect((await ask(page, base, configMaps)).status, 'the token still counts').toBe(200);
  expect(await remembered()).toContain('--token-auth-file=tokens.csv');
});
