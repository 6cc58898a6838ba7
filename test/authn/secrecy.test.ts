/** What nobody may read in passing: secrets, tokens and keys are in no trace, no log and no export, unless somebody asks for them. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exportPrivateKey, generateKeys } from '../../src/authn/index.ts';
import { proveRequest } from '../../src/client/index.ts';
import { createCluster, withoutSecretLines, type Cluster, type TraceEvent } from '../../src/cluster/index.ts';
import { PROOF_HEADER } from '../../src/schema/index.ts';
import { decodeText, encodeText, seededRandom, toBase64 } from '../../src/std/index.ts';
import { authority, client } from './helpers.ts';

const STATIC = 'static-token-5f1c0a';
const PASSWORD = 'pa55w0rd-77e1';
const BOOTSTRAP = '0123456789abcdef';
const HOOK = 'hook-credential-9912';

/** Everything that must not be seen, by what it is. */
const secrets = new Map<string, string>([
  ['a static token', STATIC],
  ['a secret’s value', PASSWORD],
  ['a secret’s value in base64', toBase64(encodeText(PASSWORD))],
  ['a bootstrap token’s secret', BOOTSTRAP],
  ['a bootstrap token’s secret in base64', toBase64(encodeText(BOOTSTRAP))],
  ['the credential for a webhook', HOOK],
]);

let cluster: Cluster;
const events: TraceEvent[] = [];
const answers: string[] = [];

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const init = {
    method,
    headers: { authorization: `Bearer ${STATIC}`, 'content-type': 'application/json', ...headers },
  };
  const request = new Request(`http://c${path}`, body === undefined ? init : { ...init, body: JSON.stringify(body) });
  const response = await cluster.fetch(request);
  const text = await response.text();
  if (!response.ok) answers.push(text);
  return { status: response.status, body: JSON.parse(text) as { status: { token?: string }; items: Found[] } };
}

interface Found {
  readonly data?: Readonly<Record<string, string>>;
}

const KUBECONFIG = `
clusters: [{name: c, cluster: {server: "https://tokens.example/"}}]
users: [{name: u, user: {token: ${HOOK}}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x`;

beforeAll(async () => {
  cluster = await createCluster(
    {
      name: 'secrecy',
      nodes: 1,
      apiserver: [
        '--authorization-mode=Node,RBAC',
        '--token-auth-file=tokens.csv',
        '--enable-bootstrap-token-auth',
        '--service-account-issuer=https://accounts.test',
        '--oidc-issuer-url=https://oidc.vitrine.dev',
        '--oidc-client-id=app',
        '--authentication-token-webhook-config-file=hook.yaml',
      ],
      controllerManager: ['--use-service-account-credentials=true', '--controllers=*,bootstrapsigner,tokencleaner'],
      files: { 'tokens.csv': `${STATIC},admin,1,system:masters\n`, 'hook.yaml': KUBECONFIG },
    },
    { fetch: async () => Response.json({ status: { authenticated: false, error: 'unknown' } }) },
  );
  cluster.trace.listen((event) => void events.push(event));
  await useEverything();
}, 60_000);

afterAll(() => cluster.stop());

/** Makes and uses credentials of every kind, in ways that are answered and in ways that are refused. */
async function useEverything(): Promise<void> {
  const path = '/api/v1/namespaces/default/secrets';
  const secret = { metadata: { name: 'db' }, stringData: { password: PASSWORD } };
  await send('POST', path, secret);
  await send('POST', path, { ...secret, metadata: { name: 'no_name' } });
  await send('PUT', `${path}/db`, { ...secret, metadata: { name: 'db', labels: { 'not a label': 'x' } } });
  await send('PATCH', `${path}/db`, [{ op: 'add', path: '/data/more', value: toBase64(encodeText(PASSWORD)) }], {
    'content-type': 'application/json-patch+json',
  });
  await send(
    'PATCH',
    `${path}/db?fieldManager=me&force=true`,
    { apiVersion: 'v1', kind: 'Secret', ...secret },
    {
      'content-type': 'application/apply-patch+yaml',
    },
  );
  await send('POST', '/api/v1/namespaces/kube-system/secrets'.replace('kube', 'cluster'), {
    metadata: { name: 'bootstrap-token-aaaaaa' },
    type: 'bootstrap.cluster.io/token',
    stringData: {
      'token-id': 'aaaaaa',
      'token-secret': BOOTSTRAP,
      'usage-bootstrap-authentication': 'true',
      'usage-bootstrap-signing': 'true',
    },
  });
  const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
  await send('GET', path, undefined, bearer(`aaaaaa.${BOOTSTRAP}`));

  const account = '/api/v1/namespaces/default/serviceaccounts/default';
  await vi.waitUntil(async () => (await send('GET', account)).status === 200, 20_000);
  const { body } = await send('POST', `${account}/token`, { spec: {} });
  const bound = body.status.token ?? '';
  const id = await cluster.issuer.issue({ subject: 'jane', audience: 'app', lifetimeSeconds: 600 });
  for (const token of [bound, id, `${bound}x`, `${id}x`]) {
    note('a token', token);
    await send('GET', path, undefined, bearer(token));
    await send('POST', '/apis/authentication.cluster.io/v1/tokenreviews', { spec: { token } });
  }

  await vi.waitUntil(async () => (await send('GET', path)).body.items.some(({ data }) => data?.token), 20_000);
  for (const { data } of (await send('GET', path)).body.items)
    if (data?.token) note('a service account’s token in a secret', data.token);

  const own = await client(await authority('own', cluster.clock), 'carol');
  const request = new Request(`http://c${path}`);
  const settings = { now: () => cluster.clock.now(), random: seededRandom('s') };
  const proved = await proveRequest(request, { certificate: own.pem, key: own.key }, settings);
  note('a proof', proved.headers.get(PROOF_HEADER) ?? '');
  await cluster.fetch(proved);
  await send('POST', '/api/v1/namespaces/default/pods', {
    metadata: { name: 'web' },
    spec: { containers: [{ name: 'web', image: 'nginx', envFrom: [{ secretRef: { name: 'db' } }] }] },
  });
  await vi.waitUntil(() => events.some((event) => event.topic === 'node'), 20_000);
  note('a private key', (await exportPrivateKey((await generateKeys()).privateKey)).split('\n')[1] ?? '');
}

/** A token counts as seen when its signature is. */
function note(what: string, value: string): void {
  const last = value.split('.').at(-1) ?? '';
  if (last !== '') secrets.set(`${what} ${secrets.size}`, last);
}

/** The secrets that a text shows. */
const shownIn = (text: string): string[] =>
  [...secrets].filter(([, value]) => text.includes(value)).map(([what]) => what);

describe('secrets do not appear', () => {
  it('in any trace event', () => {
    expect(events.length).toBeGreaterThan(100);
    expect(new Set(events.map(({ topic }) => topic)).size).toBeGreaterThan(3);
    for (const event of events) expect([shownIn(JSON.stringify(event)), event]).toEqual([[], event]);
  });

  it('in the addresses of requests', () => {
    const urls = events.flatMap((event) =>
      event.topic === 'request' && event.stage === 'received' ? [event.url] : [],
    );
    expect(shownIn(urls.join('\n'))).toEqual([]);
  });

  it('in refusals and events', async () => {
    expect(answers.length).toBeGreaterThan(3);
    expect(shownIn(answers.join('\n'))).toEqual([]);
    const { body } = await send('GET', '/api/v1/events');
    expect(shownIn(JSON.stringify(body))).toEqual([]);
  });

  it('in exports, unless requested', async () => {
    const text = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
      let all = '';
      for await (const chunk of chunks) all += decodeText(chunk);
      return all;
    };
    const whole = await text(cluster.storage.export());
    expect(shownIn(whole)).toContain('a secret’s value in base64');
    expect(whole).toContain('PRIVATE KEY');
    const shown = await text(withoutSecretLines(inPieces(cluster.storage.export())));
    expect(shownIn(shown)).toEqual([]);
    expect(shown).not.toContain('PRIVATE KEY');
    expect(shown.split('\n').length).toBe(whole.split('\n').length);
    expect(shown).toContain('/registry/pods/default/web');
  });
});

/** The same bytes, cut anywhere. */
async function* inPieces(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) for (let at = 0; at < chunk.length; at += 9973) yield chunk.subarray(at, at + 9973);
}
