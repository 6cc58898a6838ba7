/** Every row of the specification's credential table, against a whole cluster: once let in, once refused. */
import { proveRequest } from '../../src/client/index.ts';
import { exportJWK, SignJWT, UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createAuthorityFiles,
  exportPublicKey,
  generateKeys,
  openAuthority,
  pemBodies,
  type Authority,
} from '../../src/authn/index.ts';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { encodeText, manualClock, seededRandom } from '../../src/std/index.ts';

const ISSUER = 'https://issuer.example';
const START = Date.UTC(2026, 0, 1);
const keys = await generateKeys('RSA');
const accountKeys = await generateKeys('RSA');
const clock = manualClock(START);
const deps = { clock, random: seededRandom('test') };
const caFiles = await createAuthorityFiles('test-ca', deps);
const ca = await openAuthority(caFiles, deps);
const proxyFiles = await createAuthorityFiles('proxy-ca', deps);
const proxyCA = await openAuthority(proxyFiles, deps);
const foreign = await openAuthority(await createAuthorityFiles('foreign', deps), deps);

const WEBHOOK = `
clusters: [{name: c, cluster: {server: "https://tokens.example/"}}]
contexts: [{name: x, context: {cluster: c}}]
current-context: x`;

/** The world outside: an issuer, and a service that knows one token. */
async function outside(request: Request): Promise<Response> {
  if (request.url === `${ISSUER}/.well-known/openid-configuration`)
    return Response.json({ issuer: ISSUER, jwks_uri: `${ISSUER}/keys` });
  if (request.url === `${ISSUER}/keys`)
    return Response.json({ keys: [{ ...(await exportJWK(keys.publicKey)), alg: 'RS256' }] });
  const { spec } = (await request.json()) as { spec: { token: string } };
  return Response.json({
    status:
      spec.token === 'webhook-good'
        ? { authenticated: true, user: { username: 'hook', groups: ['hooked'] } }
        : { authenticated: false },
  });
}

let cluster: Cluster;

beforeAll(async () => {
  cluster = await createCluster(
    {
      name: 'credentials',
      naming: 'k8s.io',
      clock: 'manual',
      seed: 'credentials',
      storage: 'memory',
      controllerManager: ['--use-service-account-credentials=true'],
      apiserver: [
        '--authorization-mode=Node,RBAC',
        '--token-auth-file=tokens.csv',
        '--enable-bootstrap-token-auth=true',
        '--service-account-issuer=https://cluster.test',
        '--requestheader-client-ca-file=proxy.crt',
        '--requestheader-allowed-names=proxy',
        '--requestheader-username-headers=X-Remote-User',
        '--requestheader-group-headers=X-Remote-Group',
        '--requestheader-extra-headers-prefix=X-Remote-Extra-',
        `--oidc-issuer-url=${ISSUER}`,
        '--oidc-client-id=app',
        '--oidc-groups-claim=groups',
        '--authentication-token-webhook-config-file=webhook.yaml',
      ],
      files: {
        'tokens.csv': 'admintoken,admin,1,"system:masters"\nalicetoken,alice,2,"dev"',
        'pki/ca.crt': caFiles.certificate,
        'pki/ca.key': caFiles.key,
        'proxy.crt': proxyFiles.certificate,
        'webhook.yaml': WEBHOOK,
      },
    },
    { fetch: outside },
  );
}, 60_000);

afterAll(() => cluster.stop());

/** Who a request comes from, as the cluster records it; `401` where it is refused. */
async function whoIs(request: Request, certificates?: readonly Uint8Array[]): Promise<string> {
  let seen = '';
  const stop = cluster.trace.listen(
    (event) => {
      if (event.topic === 'request' && event.stage === 'authentication')
        seen = event.user === undefined ? '401' : `${event.user} [${(event.groups ?? []).join(', ')}]`;
    },
    ['request'],
  );
  const response = await cluster.fetch(request, certificates ? { certificates } : {});
  stop();
  return response.status === 401 ? '401' : seen;
}

const get = (headers: Record<string, string> = {}): Request => new Request('http://cluster.test/api', { headers });
const bearer = (token: string): Request => get({ authorization: `Bearer ${token}` });

async function post<T>(path: string, body: object): Promise<T> {
  const headers = { authorization: 'Bearer admintoken', 'content-type': 'application/json' };
  const response = await cluster.fetch(
    new Request(`http://cluster.test${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
  );
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as T;
}

/** A request that proves a certificate, at the cluster's time. */
async function proving(
  by: Authority,
  subject: { commonName: string; organizations?: string[] },
  headers: Record<string, string> = {},
  skew = 0,
): Promise<Request> {
  const pair = await generateKeys();
  const pem = await by.issue(subject, pair.publicKey, { usages: ['client auth'], durationMs: 3600_000 });
  const now = (): number => cluster.clock.now() + skew;
  return proveRequest(get(headers), { certificate: pem, key: pair.privateKey }, { now, random: seededRandom(pem) });
}

const idToken = (claims: object = {}): Promise<string> => {
  const all = {
    iss: ISSUER,
    aud: 'app',
    sub: 'jane',
    groups: ['g'],
    exp: cluster.clock.now() / 1000 + 3600,
    ...claims,
  };
  return new SignJWT(all).setProtectedHeader({ alg: 'RS256' }).sign(keys.privateKey);
};

describe('credentials', () => {
  it.each<[string, () => Request | Promise<Request>, string]>([
    [
      'client certificate',
      () => proving(ca, { commonName: 'carol', organizations: ['ops'] }),
      'carol [ops, system:authenticated]',
    ],
    ['client certificate of an unknown authority', () => proving(foreign, { commonName: 'carol' }), '401'],
    ['client certificate, proved too long ago', () => proving(ca, { commonName: 'dave' }, {}, -120_000), '401'],
    ['static token', () => bearer('alicetoken'), 'alice [dev, system:authenticated]'],
    ['static token that is none', () => bearer('nobody'), '401'],
    ['ID token', async () => bearer(await idToken()), `${ISSUER}#jane [g, system:authenticated]`],
    ['ID token for another audience', async () => bearer(await idToken({ aud: 'other' })), '401'],
    ['ID token that has expired', async () => bearer(await idToken({ exp: START / 1000 - 10 })), '401'],
    [
      'ID token with alg none',
      () => bearer(new UnsecuredJWT({ iss: ISSUER, aud: 'app', sub: 'jane', exp: START / 1000 + 3600 }).encode()),
      '401',
    ],
    ['webhook', () => bearer('webhook-good'), 'hook [hooked, system:authenticated]'],
    ['webhook that does not know the token', () => bearer('webhook-bad'), '401'],
    [
      'request headers from the proxy',
      () => proving(proxyCA, { commonName: 'proxy' }, { 'X-Remote-User': 'zoe', 'X-Remote-Group': 'r' }),
      'zoe [r, system:authenticated]',
    ],
    [
      'request headers from another',
      () => proving(proxyCA, { commonName: 'impostor' }, { 'X-Remote-User': 'zoe' }),
      '401',
    ],
    ['request headers from nobody', () => get({ 'X-Remote-User': 'zoe' }), 'system:anonymous [system:unauthenticated]'],
    ['nothing at all', () => get(), 'system:anonymous [system:unauthenticated]'],
  ])('%s', async (_what, make, expected) => {
    expect(await whoIs(await make())).toBe(expected);
  });
});

describe('certificates from the TLS handshake', () => {
  it.each<[string, Authority, string]>([
    ['of the cluster’s authority', ca, 'erin [system:authenticated]'],
    ['of another', foreign, '401'],
  ])('%s', async (_what, by, expected) => {
    const pem = await by.issue({ commonName: 'erin' }, (await generateKeys()).publicKey, {
      usages: ['client auth'],
      durationMs: 3600_000,
    });
    expect(await whoIs(get(), pemBodies(pem, 'CERTIFICATE'))).toBe(expected);
  });
});

describe('bootstrap tokens', () => {
  const secret = (id: string, data: object) =>
    post('/api/v1/namespaces/kube-system/secrets', {
      metadata: { name: `bootstrap-token-${id}` },
      type: 'bootstrap.kubernetes.io/token',
      stringData: {
        'token-id': id,
        'token-secret': '0123456789abcdef',
        'usage-bootstrap-authentication': 'true',
        ...data,
      },
    });

  it('authenticate a machine until they expire or are deleted', async () => {
    await secret('aaaaaa', { 'auth-extra-groups': 'system:bootstrappers:x', expiration: '2026-01-01T01:00:00Z' });
    const token = 'aaaaaa.0123456789abcdef';
    expect(await whoIs(bearer(token))).toBe(
      'system:bootstrap:aaaaaa [system:bootstrappers, system:bootstrappers:x, system:authenticated]',
    );
    expect(await whoIs(bearer('aaaaaa.fedcba9876543210'))).toBe('401');
    await secret('bbbbbb', { expiration: '2025-12-31T00:00:00Z' });
    expect(await whoIs(bearer('bbbbbb.0123456789abcdef'))).toBe('401');
  });
});

describe('service accounts', () => {
  interface TokenRequest {
    readonly status: { readonly token: string };
  }
  const request = (spec: object): Promise<TokenRequest> =>
    post('/api/v1/namespaces/default/serviceaccounts/robot/token', { spec });

  it('authenticate with requested tokens until they expire, and not with forged ones', async () => {
    await post('/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'robot' } });
    const { token } = (await request({ expirationSeconds: 600 })).status;
    const robot =
      'system:serviceaccount:default:robot [system:serviceaccounts, system:serviceaccounts:default, system:authenticated]';
    expect(await whoIs(bearer(token))).toBe(robot);
    expect(await whoIs(bearer((await request({ audiences: ['vault'] })).status.token))).toBe('401');
    const claims = JSON.parse(atob(String(token.split('.')[1]).replaceAll('-', '+').replaceAll('_', '/'))) as Record<
      string,
      unknown
    >;
    const publicPem = await exportPublicKey(accountKeys.publicKey);
    const forged = [
      await new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(accountKeys.privateKey),
      await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(encodeText(publicPem)),
      new UnsecuredJWT(claims).encode(),
    ];
    for (const one of forged) expect(await whoIs(bearer(one))).toBe('401');
    await cluster.clock.step(12 * 60_000);
    expect(await whoIs(bearer(token))).toBe('401');
  });

  it('authenticate with the token in their secret, until it is deleted', async () => {
    const secretOf = async (): Promise<{ metadata: { name: string }; data: { token: string } } | undefined> => {
      const list = (await (
        await cluster.fetch(
          new Request('http://cluster.test/api/v1/namespaces/default/secrets', {
            headers: { authorization: 'Bearer admintoken' },
          }),
        )
      ).json()) as { items: { metadata: { name: string }; data: { token: string } }[] };
      return list.items.find(({ metadata }) => metadata.name.startsWith('robot-token-'));
    };
    await expect.poll(async () => (await secretOf()) !== undefined).toBe(true);
    const found = await secretOf();
    const token = atob(found?.data.token ?? '');
    expect(await whoIs(bearer(token))).toContain('system:serviceaccount:default:robot');
    await cluster.fetch(
      new Request(`http://cluster.test/api/v1/namespaces/default/secrets/${found?.metadata.name}`, {
        method: 'DELETE',
        headers: { authorization: 'Bearer admintoken' },
      }),
    );
    expect(await whoIs(bearer(token))).toBe('401');
  });
});

describe('a node that joins', () => {
  it('joins with a bootstrap token, has its request signed, and authenticates with the certificate', async () => {
    const { x509 } = await import('../../src/authn/x509/library.ts');
    await post('/api/v1/namespaces/kube-system/secrets', {
      metadata: { name: 'bootstrap-token-cccccc' },
      type: 'bootstrap.kubernetes.io/token',
      stringData: {
        'token-id': 'cccccc',
        'token-secret': '0123456789abcdef',
        'usage-bootstrap-authentication': 'true',
      },
    });
    const bind = (name: string, role: string) =>
      post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
        metadata: { name },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
        subjects: [{ kind: 'Group', name: 'system:bootstrappers', apiGroup: 'rbac.authorization.k8s.io' }],
      });
    await bind('join', 'system:node-bootstrapper');
    await bind('approve', 'system:certificates.k8s.io:certificatesigningrequests:nodeclient');
    const pair = await generateKeys();
    const csr = await x509.Pkcs10CertificateRequestGenerator.create({
      name: 'O=system:nodes,CN=system:node:node-9',
      keys: pair,
      signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
    });
    const headers = { authorization: 'Bearer cccccc.0123456789abcdef', 'content-type': 'application/json' };
    const body = {
      metadata: { name: 'node-9' },
      spec: {
        request: btoa(csr.toString('pem')),
        signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
        usages: ['client auth', 'digital signature', 'key encipherment'],
      },
    };
    const path = 'http://cluster.test/apis/certificates.k8s.io/v1/certificatesigningrequests';
    expect(
      (await cluster.fetch(new Request(path, { method: 'POST', headers, body: JSON.stringify(body) }))).status,
    ).toBe(201);
    const certificate = async (): Promise<string> =>
      (
        (await (await cluster.fetch(new Request(`${path}/node-9`, { headers }))).json()) as {
          status: { certificate?: string };
        }
      ).status.certificate ?? '';
    await expect.poll(async () => (await certificate()) !== '').toBe(true);
    const pem = atob(await certificate());
    expect(pemBodies(pem, 'CERTIFICATE').length).toBe(1);
    const node = { certificate: pem, key: pair.privateKey };
    const settings = { now: () => cluster.clock.now(), random: seededRandom('node') };
    expect(await whoIs(await proveRequest(get(), node, settings))).toBe(
      'system:node:node-9 [system:nodes, system:authenticated]',
    );
  });
});
