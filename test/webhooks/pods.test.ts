/** Webhooks that are programs in pods, as the reference's conformance tests deploy them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuthorityFiles, generateKeys, exportPrivateKey, openAuthority } from '../../src/authn/index.ts';
import { manualClock, seededRandom } from '../../src/std/index.ts';
import { Bench, type Loose } from '../controllers/bench.ts';

const CORE = '/api/v1/namespaces/default';
const REGISTRATION = '/apis/admissionregistration.k8s.io/v1';
const SERVICE = 'e2e-test-webhook';
let bench: Bench;
let authority: string;
let strangers: string;

beforeAll(async () => {
  bench = await Bench.start({ nodes: 1, naming: 'k8s.io' });
  const own = await issue(`${SERVICE}.default.svc`);
  authority = own.authority;
  strangers = (await issue('nobody')).authority;
  const data = { 'tls.crt': btoa(own.certificate), 'tls.key': btoa(own.key) };
  await bench.create(`${CORE}/secrets`, { metadata: { name: 'certificates' }, data });
  await deploy(SERVICE, 'webhook');
  await deploy('e2e-test-crd-conversion-webhook', 'crd-conversion-webhook');
}, 60_000);
afterAll(() => bench.stop());

async function issue(name: string): Promise<{ authority: string; certificate: string; key: string }> {
  const deps = { clock: manualClock(bench.cluster.clock.now()), random: seededRandom(name) };
  const files = await createAuthorityFiles(`${name}-ca`, deps);
  const keys = await generateKeys();
  const names = { dns: [name, 'e2e-test-crd-conversion-webhook.default.svc'] };
  const options = { usages: ['digital signature', 'key encipherment', 'server auth'], durationMs: 36e5, names };
  const certificate = await (await openAuthority(files, deps)).issue({ commonName: name }, keys.publicKey, options);
  return { authority: files.certificate, certificate, key: await exportPrivateKey(keys.privateKey) };
}

async function deploy(name: string, command: string): Promise<void> {
  const labels = { app: name };
  const args = [
    ...[command, '--tls-cert-file=/webhook.local.config/certificates/tls.crt'],
    ...[
      '--tls-private-key-file=/webhook.local.config/certificates/tls.key',
      '--alsologtostderr',
      '-v=4',
      '--port=8444',
    ],
  ];
  const container = {
    ...{ name: 'server', image: 'k8s.gcr.io/e2e-test-images/agnhost:2.21', args },
    readinessProbe: { httpGet: { scheme: 'HTTPS', port: 8444, path: '/readyz' }, periodSeconds: 1 },
    volumeMounts: [{ name: 'certs', readOnly: true, mountPath: '/webhook.local.config/certificates' }],
    ports: [{ containerPort: 8444 }],
  };
  const volumes = [{ name: 'certs', secret: { secretName: 'certificates' } }];
  await bench.create(`${CORE}/pods`, { metadata: { name, labels }, spec: { containers: [container], volumes } });
  const ports = [{ protocol: 'TCP', port: 8443, targetPort: 8444 }];
  await bench.create(`${CORE}/services`, { metadata: { name }, spec: { selector: labels, ports } });
  await bench.until(`${CORE}/endpoints/${name}`, (e) => e.subsets?.[0]?.addresses?.length === 1);
}

interface Wish {
  readonly path: string;
  readonly operations?: string[];
  readonly resources?: string[];
  readonly group?: string;
  readonly ca?: string;
  readonly policy?: 'Fail' | 'Ignore';
  readonly seconds?: number;
  readonly serverPort?: number;
}

/** Registers a webhook while `within` runs; it sees config maps and pods with the label only. */
async function registered(
  kind: 'validating' | 'mutating',
  wish: Wish,
  within: () => Promise<void>,
  labelled = true,
): Promise<void> {
  const { path, operations = ['CREATE'], resources = ['configmaps'], group = '', ca = authority } = wish;
  const clientConfig = {
    service: { name: SERVICE, namespace: 'default', path, port: wish.serverPort ?? 8443 },
    caBundle: btoa(ca),
  };
  const webhook = {
    ...{ name: 'hook.k8s.io', clientConfig, sideEffects: 'None', admissionReviewVersions: ['v1'] },
    ...{ failurePolicy: wish.policy ?? 'Fail', timeoutSeconds: wish.seconds ?? 10 },
    rules: [{ operations, apiGroups: [group], apiVersions: ['*'], resources }],
    ...(labelled && { objectSelector: { matchLabels: { hooked: 'true' } } }),
  };
  const list = `${REGISTRATION}/${kind}webhookconfigurations`;
  await bench.create(list, { metadata: { name: 'hook' }, webhooks: [webhook] });
  try {
    await within();
  } finally {
    await bench.delete(`${list}/hook`);
  }
}

const configMap = (name: string, data: Record<string, string> = {}): Loose => ({
  metadata: { name, labels: { hooked: 'true' } },
  data,
});

const pod = (name: string, labels: Record<string, string> = {}, container = 'c'): Loose => ({
  metadata: { name, labels: { hooked: 'true', ...labels } },
  spec: { containers: [{ name: container, image: 'agnhost' }] },
});

/** A request whose webhook waits for the clock. */
async function whileClockRuns<T>(request: Promise<T>, ms: number): Promise<T> {
  let over = false;
  const done = request.finally(() => (over = true));
  for (let passed = 0; passed < ms && !over; passed += 500) await bench.advance(500);
  return done;
}

describe('admission', () => {
  test.each([
    [
      '/always-deny',
      'configmaps',
      configMap('a'),
      'admission webhook "hook.k8s.io" denied the request: this webhook denies all requests',
    ],
    [
      '/configmaps',
      'configmaps',
      configMap('a', { 'webhook-e2e-test': 'webhook-disallow' }),
      'admission webhook "hook.k8s.io" denied the request: the configmap contains unwanted key and value',
    ],
    [
      '/pods',
      'pods',
      pod('a', { 'webhook-e2e-test': 'webhook-disallow' }, 'webhook-disallow'),
      'admission webhook "hook.k8s.io" denied the request: the pod contains unwanted label; the pod contains unwanted container name;',
    ],
    [
      '/none',
      'configmaps',
      configMap('a'),
      'Internal error occurred: failed calling webhook "hook.k8s.io": the server could not find the requested resource',
    ],
  ])('%s refuses %s', async (path, resource, object, message) => {
    await registered('validating', { path, resources: [resource] }, async () => {
      expect((await bench.send('POST', `${CORE}/${resource}`, object)).message).toBe(message);
    });
  });

  test('a webhook that takes longer than its pod has time is told so', async () => {
    await registered('validating', { path: '/pods', resources: ['pods'] }, async () => {
      const request = bench.send('POST', `${CORE}/pods`, pod('b', { 'webhook-e2e-test': 'wait-forever' }));
      expect((await whileClockRuns(request, 12_000)).message).toContain('context deadline exceeded');
    });
  });

  test.each([
    [1, 'Fail', 'context deadline exceeded'],
    [1, 'Ignore', undefined],
    [6, 'Fail', undefined],
  ] as const)('with a time limit of %d s and policy %s a delay of 5 s gives %s', async (seconds, policy, why) => {
    const name = `slow-${seconds}-${policy.toLowerCase()}`;
    await registered('validating', { path: '/always-allow-delay-5s', seconds, policy }, async () => {
      const answer = await whileClockRuns(bench.send('POST', `${CORE}/configmaps`, configMap(name)), 8000);
      if (why === undefined) expect(answer.kind).toBe('ConfigMap');
      else expect(answer.message).toContain(why);
    });
  });

  test('/mutating-configmaps works in stages, /mutating-pods before defaults, /add-label on whatever there is', async () => {
    await registered('mutating', { path: '/mutating-configmaps' }, async () => {
      const made = await bench.create(`${CORE}/configmaps`, configMap('m', { 'mutation-start': 'yes' }));
      expect(made.data).toEqual({ 'mutation-start': 'yes', 'mutation-stage-1': 'yes' });
    });
    await registered('mutating', { path: '/mutating-pods', resources: ['pods'] }, async () => {
      const made = await bench.create(`${CORE}/pods`, pod('webhook-to-be-mutated'));
      expect(made.spec.initContainers).toMatchObject([
        { name: 'webhook-added-init-container', image: 'webhook-added-image', terminationMessagePolicy: 'File' },
      ]);
    });
    await registered('mutating', { path: '/add-label' }, async () => {
      expect((await bench.create(`${CORE}/configmaps`, configMap('l'))).metadata.labels['added-label']).toBe('yes');
    });
  });

  test('a certificate of a stranger, another name and a port without a server are told apart', async () => {
    const refused = async (wish: Partial<Wish>): Promise<string> => {
      let message = '';
      await registered('validating', { path: '/always-deny', ...wish }, async () => {
        message = (await bench.send('POST', `${CORE}/configmaps`, configMap('tls'))).message;
      });
      return message;
    };
    expect(await refused({ ca: strangers })).toContain('x509: certificate signed by unknown authority');
    expect(await refused({ serverPort: 9999 })).toContain(`no service port 9999 found for service "${SERVICE}"`);
  });

  test('a pod that is gone refuses connections', async () => {
    await bench.delete(`${CORE}/pods/${SERVICE}`, { gracePeriodSeconds: 0 });
    await bench.until(`${CORE}/endpoints/${SERVICE}`, (e) => !e.subsets?.[0]?.addresses);
    await registered('validating', { path: '/always-deny' }, async () => {
      const { message } = await bench.send('POST', `${CORE}/configmaps`, configMap('gone'));
      expect(message).toMatch(
        /failed calling webhook .*: Post ".*": dial tcp 10\.0\.0\.\d+:8443: connect: connection refused/,
      );
    });
    await deployAgain();
  });
});

async function deployAgain(): Promise<void> {
  await bench.gone(`${CORE}/pods/${SERVICE}`);
  await bench.delete(`${CORE}/services/${SERVICE}`);
  await deploy(SERVICE, 'webhook');
}

describe('conversion', () => {
  test('/crdconvert turns one version into another', async () => {
    const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const version = (name: string, storage: boolean): object => ({
      ...{ name, storage, served: true, schema: { openAPIV3Schema: schema } },
    });
    const service = { name: 'e2e-test-crd-conversion-webhook', namespace: 'default', path: '/crdconvert', port: 8443 };
    const clientConfig = { service, caBundle: btoa(authority) };
    await bench.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'hosts.stable.example.com' },
      spec: {
        ...{ group: 'stable.example.com', scope: 'Namespaced', names: { plural: 'hosts', kind: 'Host' } },
        versions: [version('v1', true), version('v2', false)],
        conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1', 'v1beta1'] } },
      },
    });
    const path = (v: string): string => `/apis/stable.example.com/${v}/namespaces/default/hosts`;
    await bench.until(path('v2'), (list) => list.kind === 'HostList');
    const object = {
      apiVersion: 'stable.example.com/v1',
      kind: 'Host',
      metadata: { name: 'h' },
      hostPort: 'localhost:8080',
    };
    await bench.create(path('v1'), object);
    expect(await bench.get(`${path('v2')}/h`)).toMatchObject({ host: 'localhost', port: '8080' });
  });
});
