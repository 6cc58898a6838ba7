/** Written webhooks as services: where they answer, by what certificate, how they misbehave, who asks them, what is recorded. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuthorityFiles, exportPrivateKey, generateKeys, openAuthority } from '../../src/authn/index.ts';
import { seededRandom } from '../../src/std/index.ts';
import { bench, service, type Bench, type Handler } from './support.ts';

const DAY_MS = 24 * 3600_000;
let b: Bench;
beforeAll(async () => {
  b = await bench();
});
afterAll(() => b.cluster.stop());

const CONFIGURATIONS = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
let count = 0;

/** Asks about one config map by a configuration of its own; gives the status and what comes after the webhook's name. */
async function ask(clientConfig: object, timeoutSeconds = 10): Promise<string> {
  const name = `c${++count}`;
  const rule = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] };
  await b.send('POST', CONFIGURATIONS, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name },
    webhooks: [
      {
        name: 'w.example.com',
        clientConfig,
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        timeoutSeconds,
        objectSelector: { matchLabels: { ask: name } },
        rules: [rule],
      },
    ],
  });
  const metadata = { name, labels: { ask: name } };
  const { status, body } = await b.send('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
  });
  await b.send('DELETE', `${CONFIGURATIONS}/${name}`);
  return `${status} ${String(body.message ?? '').replace(/^.*?"w.example.com": (Post "[^"]*": )?/, '')}`.trim();
}

const inService = (name: string, more: object = {}): object => ({
  service: { namespace: 'default', name, ...more },
  caBundle: b.caBundle,
});

describe('addresses', () => {
  beforeAll(async () => {
    await b.write('here', ({ kind }) => kind === 'AdmissionReview', { hosts: 'hooks.example.com' });
    await b.write('paths', () => true, { path: '/only' });
    await b.send('POST', '/api/v1/namespaces/default/services', service('nobody', 8443));
    await b.send('POST', '/api/v1/namespaces/default/services', {
      ...service('headless'),
      spec: { clusterIP: 'None', ports: [{ port: 443 }] },
    });
  });

  test.each<[string, () => object, string | RegExp]>([
    ['a service', () => inService('here'), '201'],
    ['its URL', () => ({ url: 'https://here.default.svc/x', caBundle: b.caBundle }), '201'],
    ['its full URL', () => ({ url: 'https://here.default.svc.cluster.local/x', caBundle: b.caBundle }), '201'],
    ['a host of its own', () => ({ url: 'https://hooks.example.com/x', caBundle: b.caBundle }), '201'],
    ['a path', () => inService('paths', { path: '/only' }), '201'],
    [
      'another path',
      () => inService('paths', { path: '/other' }),
      '500 the server could not find the requested resource',
    ],
    ['no service', () => inService('none'), '500 service "none" not found'],
    ['another port', () => inService('here', { port: 444 }), '500 no service port 444 found for service "here"'],
    [
      'nobody behind it',
      () => inService('nobody', { port: 8443 }),
      /^500 dial tcp 10\.\S+:8443: connect: connection refused$/,
    ],
    ['no address', () => inService('headless'), '500 cannot route to service with ClusterIP "None"'],
    ['somewhere else', () => ({ url: 'https://elsewhere.example.com/' }), /^500 this host reaches no other services$/],
  ])('%s', async (_what, clientConfig, expected) => {
    const outcome = await ask(clientConfig());
    if (typeof expected === 'string') expect(outcome).toBe(expected);
    else expect(outcome).toMatch(expected);
  });
});

describe('certificates', () => {
  /** A webhook whose certificate comes from a secret; gives the bundle of the authority that signed it. */
  async function certified(name: string, dns: readonly string[], durationMs = DAY_MS, ownKey = true): Promise<string> {
    const deps = { clock: b.cluster.clock, random: seededRandom(name) };
    const files = await createAuthorityFiles('their-ca', deps);
    const authority = await openAuthority(files, deps);
    const [keys, others] = await Promise.all([generateKeys(), generateKeys()]);
    const certificate = await authority.issue({ commonName: `${name}.default.svc` }, keys.publicKey, {
      usages: ['server auth'],
      durationMs,
      names: { dns },
    });
    const key = await exportPrivateKey((ownKey ? keys : others).privateKey);
    await b.send('POST', '/api/v1/namespaces/default/secrets', {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name },
      type: 'kubernetes.io/tls',
      stringData: { 'tls.crt': certificate, 'tls.key': key },
    });
    await b.write(name, () => true, { certificate: name });
    return btoa(files.certificate);
  }

  test('of its own authority, for its own name', async () => {
    const caBundle = await certified('own', ['own.default.svc']);
    expect(await ask({ ...inService('own'), caBundle })).toBe('201');
    expect(await ask(inService('own'))).toBe('500 x509: certificate signed by unknown authority');
    expect(await ask({ ...inService('own'), caBundle: undefined })).toBe(
      '500 x509: certificate signed by unknown authority',
    );
  });

  test.each<[string, string, readonly string[], string]>([
    [
      'of another name',
      'named-0',
      ['other.default.svc', 'x.example.com'],
      '500 x509: certificate is valid for other.default.svc, x.example.com, not named-0.default.svc',
    ],
    ['of any first label', 'named-1', ['*.default.svc'], '201'],
    [
      'of more labels than a star stands for',
      'named-2',
      ['*.svc'],
      '500 x509: certificate is valid for *.svc, not named-2.default.svc',
    ],
  ])('%s', async (_what, name, dns, expected) => {
    const caBundle = await certified(name, dns);
    expect(await ask({ ...inService(name), caBundle })).toBe(expected);
  });

  test('that says its name only as the common name is not enough', async () => {
    const caBundle = await certified('legacy', []);
    expect(await ask({ ...inService('legacy'), caBundle })).toMatch(
      /^500 x509: certificate relies on legacy Common Name field/,
    );
  });

  test('is not served with a key that is not its own, or without a secret', async () => {
    const caBundle = await certified('mixed', ['mixed.default.svc'], DAY_MS, false);
    expect(await ask({ ...inService('mixed'), caBundle })).toMatch(/tls: private key does not match public key/);
    await b.write('lost', () => true, { certificate: 'lost' });
    expect(await ask(inService('lost'))).toMatch(/connection refused .*its secret default\/lost does not exist/);
  });

  test('ends; one that the cluster issues is renewed', async () => {
    const caBundle = await certified('short', ['short.default.svc'], 3600_000);
    await b.write('renewed', () => true);
    expect(await ask({ ...inService('short'), caBundle })).toBe('201');
    expect(await ask(inService('renewed'))).toBe('201');
    await b.cluster.clock.step(3600_001);
    expect(await ask({ ...inService('short'), caBundle })).toMatch(
      /^500 x509: certificate has expired or is not yet valid/,
    );
    expect(await ask(inService('renewed'))).toBe('201');
  });
});

describe('knobs', () => {
  test.each<[string, Record<string, string>, string | RegExp]>([
    ['a status', { fail: '503' }, '500 the server is currently unable to handle the request'],
    ['a broken connection', { fail: 'reset' }, '500 read: connection reset by peer'],
    ['garbage', { fail: 'garbage' }, /^500 .*json parse error/],
    ['an empty object', { fail: 'empty' }, '500 webhook response was absent'],
    ['the answer to another', { fail: 'wrong-uid' }, /^500 expected response.uid="[^"]+", got "wrong"$/],
    ['a knob that is none', { fail: 'often' }, /neither a status nor one of reset, timeout/],
    ['a delay that is none', { delay: 'long' }, /is no duration such as 2s/],
  ])('%s', async (what, knobs, expected) => {
    const name = `knob-${what.replace(/\W+/g, '-').toLowerCase()}`;
    await b.write(name, () => true, knobs);
    const outcome = await ask(inService(name));
    if (typeof expected === 'string') expect(outcome).toBe(expected);
    else expect(outcome).toMatch(expected);
  });

  test('a handler that throws is an error of the server', async () => {
    await b.write('throws', 'no such handler');
    expect(await ask(inService('throws'))).toBe(
      '500 an error on the server ("no handler no such handler") has prevented the request from succeeding',
    );
  });
});

describe('calls', () => {
  test('are remembered, without what is secret', async () => {
    await b.write('witness', () => ({ allowed: true, patch: [{ op: 'add', path: '/data/b', value: 'c2VjcmV0' }] }));
    const configuration = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: 'witness' },
      webhooks: [
        {
          name: 'w.example.com',
          clientConfig: inService('witness'),
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }],
        },
      ],
    };
    await b.send('POST', CONFIGURATIONS.replace('validating', 'mutating'), configuration);
    const told: string[] = [];
    const stop = b.cluster.trace.listen((event) => told.push(JSON.stringify(event)), ['webhook']);
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'deep' }, data: { a: btoa('hush-hush') } };
    expect((await b.send('POST', '/api/v1/namespaces/default/secrets', secret)).status).toBe(201);
    stop();
    const call = b.cluster.webhooks.calls().at(-1);
    expect(call).toMatchObject({
      webhook: { namespace: 'default', name: 'witness' },
      kind: 'AdmissionReview',
      outcome: 'answered',
      status: 200,
      review: { request: { object: { data: { a: '(hidden)' } } } },
      answer: { response: { allowed: true, patch: '(hidden)' } },
    });
    expect(told).toHaveLength(1);
    expect(told.join() + JSON.stringify(b.cluster.webhooks.calls())).not.toMatch(/hush-hush|aHVzaC1odXNo|c2VjcmV0/);
  });
});

describe('the API server itself', () => {
  const kubeconfig = (name: string): string =>
    JSON.stringify({
      clusters: [
        { name: 'c', cluster: { server: `https://${name}.default.svc/`, 'certificate-authority': 'pki/ca.crt' } },
      ],
      contexts: [{ name: 'x', context: { cluster: 'c' } }],
      'current-context': 'x',
    });
  const tokens: Handler = ({ spec }) =>
    String(spec.token) === 'lily-token'
      ? { authenticated: true, user: { username: 'lily', groups: ['gardeners'] } }
      : { authenticated: false };
  const gardeners: Handler = ({ spec }) => ({
    allowed: String(spec.user) === 'lily' && String(spec.resourceAttributes?.resource) === 'pods',
    reason: 'gardeners look after pods',
  });

  test('asks them who stands behind a token, what a user may do, and which images run', async () => {
    const files = {
      'tokens.yaml': kubeconfig('tokens'),
      'rights.yaml': kubeconfig('rights'),
      'images.yaml': kubeconfig('images'),
    };
    const control = {
      apiVersion: 'apiserver.config.k8s.io/v1',
      kind: 'AdmissionConfiguration',
      plugins: [
        {
          name: 'ImagePolicyWebhook',
          configuration: {
            imagePolicy: {
              kubeConfigFile: 'images.yaml',
              allowTTL: 1,
              denyTTL: 1,
              retryBackoff: 1,
              defaultAllow: false,
            },
          },
        },
      ],
    };
    const own = await bench({
      clock: 'real',
      apiserver: [
        '--authorization-mode=RBAC,Webhook',
        '--authentication-token-webhook-config-file=tokens.yaml',
        '--authorization-webhook-config-file=rights.yaml',
        '--enable-admission-plugins=ImagePolicyWebhook',
        '--runtime-config=imagepolicy.k8s.io/v1alpha1=true',
        '--disable-admission-plugins=ServiceAccount',
        '--admission-control-config-file=control.json',
      ],
      files: { ...files, 'control.json': JSON.stringify(control) },
    });
    try {
      await own.write('tokens', tokens);
      await own.write('rights', gardeners);
      await own.write('images', ({ spec }) => !String(spec.containers?.[0]?.image).endsWith(':latest'));
      const lily = async (method: string, path: string, body?: object): Promise<string> => {
        const headers = { authorization: 'Bearer lily-token', 'content-type': 'application/json' };
        const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
        const response = await own.cluster.fetch(new Request(`http://cluster.test${path}`, init));
        const { message = '' } = (await response.json()) as { message?: string };
        return `${response.status} ${message}`.trim();
      };
      const pods = '/api/v1/namespaces/default/pods';
      const pod = (image: string): object => ({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'p' },
        spec: { containers: [{ name: 'c', image }] },
      });
      expect(await lily('GET', pods)).toBe('200');
      expect(await lily('GET', '/api/v1/namespaces/default/secrets')).toMatch(
        /^403 .*User "lily" cannot list resource "secrets"/,
      );
      expect(await lily('POST', pods, pod('nginx:latest'))).toMatch(/^403 .*one or more images rejected/);
      expect(await lily('POST', pods, pod('nginx:1.19'))).toBe('201');
      expect(own.handlers.asked.map(({ review }) => review.kind)).toEqual(
        expect.arrayContaining(['TokenReview', 'SubjectAccessReview', 'ImageReview']),
      );
      expect(JSON.stringify(own.cluster.webhooks.calls())).not.toContain('lily-token');
    } finally {
      await own.cluster.stop();
    }
  });
});
