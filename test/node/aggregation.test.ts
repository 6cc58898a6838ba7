/** API servers in the cluster, as the aggregator reaches them: the reference's example in a pod, and the metrics API. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuthorityFiles, exportPrivateKey, generateKeys, openAuthority } from '../../src/authn/index.ts';
import { commands, run, type Session } from '../../src/cli/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { manualClock, seededRandom, SwitchedResponse } from '../../src/std/index.ts';
import { inMemory } from '../cli/ours.ts';
import { Bench, deployment, type Loose } from '../controllers/bench.ts';

const CORE = '/api/v1/namespaces/default';
const SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices';
const FLUNDERS = '/apis/wardle.example.com/v1alpha1/namespaces/default/flunders';
let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start({ nodes: 1, naming: 'k8s.io' });
});
afterAll(() => bench.stop());

const isAvailable = (service: Loose): boolean =>
  service.status?.conditions?.some((c: Loose) => c.type === 'Available' && c.status === 'True');

describe('the sample API server in a pod', () => {
  beforeAll(async () => {
    const deps = { clock: manualClock(bench.cluster.clock.now()), random: seededRandom(1) };
    const files = await createAuthorityFiles('e2e-server-cert-ca', deps);
    const keys = await generateKeys();
    const names = { dns: ['sample-api.default.svc'] };
    const options = { usages: ['digital signature', 'server auth'], durationMs: 36e5, names };
    const certificate = await (
      await openAuthority(files, deps)
    ).issue({ commonName: 'sample-api.default.svc' }, keys.publicKey, options);
    const data = { 'tls.crt': btoa(certificate), 'tls.key': btoa(await exportPrivateKey(keys.privateKey)) };
    await bench.create(`${CORE}/secrets`, { metadata: { name: 'certs' }, data });
    const folder = '/apiserver.local.config/certificates';
    const args = ['--etcd-servers=http://127.0.0.1:2379', `--tls-cert-file=${folder}/tls.crt`];
    const image = 'k8s.gcr.io/e2e-test-images/sample-apiserver:1.17.4';
    const volumeMounts = [{ name: 'certs', readOnly: true, mountPath: folder }];
    const made = deployment('sample', 1);
    made.spec.template.spec = {
      containers: [
        { name: 'sample-apiserver', image, args: [...args, '--audit-log-path=-'], volumeMounts },
        { name: 'etcd', image: 'k8s.gcr.io/etcd:3.4.13-0', command: ['/usr/local/bin/etcd'] },
      ],
      volumes: [{ name: 'certs', secret: { secretName: 'certs' } }],
    };
    await bench.create('/apis/apps/v1/namespaces/default/deployments', made);
    const ports = [{ protocol: 'TCP', port: 7443, targetPort: 443 }];
    await bench.create(`${CORE}/services`, {
      metadata: { name: 'sample-api' },
      spec: { selector: { app: 'sample' }, ports },
    });
    await bench.create(SERVICES, {
      metadata: { name: 'v1alpha1.wardle.example.com' },
      spec: {
        ...{ group: 'wardle.example.com', version: 'v1alpha1', groupPriorityMinimum: 2000, versionPriority: 200 },
        service: { namespace: 'default', name: 'sample-api', port: 7443 },
        caBundle: btoa(files.certificate),
      },
    });
    await bench.until(`${SERVICES}/v1alpha1.wardle.example.com`, isAvailable);
  });

  test('is in discovery', async () => {
    const { resources } = await bench.get('/apis/wardle.example.com/v1alpha1');
    expect(resources.map(({ name }: Loose) => name)).toEqual(['flunders', 'fischers']);
    const { groups } = await bench.get('/apis');
    expect(groups.map(({ name }: Loose) => name)).toContain('wardle.example.com');
  });

  test('keeps flunders', async () => {
    const flunder = { kind: 'Flunder', apiVersion: 'wardle.example.com/v1alpha1', metadata: { name: 'f' } };
    expect(await bench.create(FLUNDERS, flunder)).toMatchObject({ ...flunder, metadata: { namespace: 'default' } });
    expect((await bench.send('POST', FLUNDERS, flunder)).reason).toBe('AlreadyExists');
    const patched = await bench.patch(`${FLUNDERS}/f`, { metadata: { labels: { a: 'b' } }, spec: { reference: 'x' } });
    expect([patched.spec, patched.metadata.labels]).toEqual([{ reference: 'x' }, { a: 'b' }]);
    expect((await bench.get(`${FLUNDERS}?labelSelector=a%3Dc`)).items).toEqual([]);
    expect((await bench.get(FLUNDERS)).items).toHaveLength(1);
    expect((await bench.delete(`${FLUNDERS}/f`)).status).toBe('Success');
    expect((await bench.get(`${FLUNDERS}/f`)).code).toBe(404);
  });

  test('is watched', async () => {
    const watching = bench.cluster.transportAs('admin')(`${FLUNDERS}?watch=true&timeoutSeconds=5`);
    await bench.create(FLUNDERS, { metadata: { name: 'seen' } });
    const response = await watching;
    const text = response.text();
    await bench.advance(6000, 500);
    const lines = (await text).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as Loose).type)).toEqual(['ADDED']);
  });

  test('is in the OpenAPI document, with the definitions that it uses', async () => {
    const { paths, definitions } = JSON.parse(await bench.get('/openapi/v2')) as Loose;
    expect(paths['/apis/wardle.example.com/v1alpha1/namespaces/{namespace}/flunders/{name}'].get.description).toBe(
      'read the specified Flunder',
    );
    // The API service is for this version alone.
    expect(Object.keys(paths).filter((path) => path.includes('wardle.example.com/v1beta1'))).toEqual([]);
    const name = 'io.k8s.sample-apiserver.pkg.apis.wardle.v1alpha1.Flunder';
    expect(definitions[name].properties.spec.properties).toEqual({ reference: { type: 'string' } });
    const accept = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
    const bytes = await bench.cluster.transportAs('admin')('/openapi/v2', { headers: { accept } });
    expect(await bytes.text()).toContain(name);
  });

  test('is explained by the client', async () => {
    let said = '';
    const add = (text: string): void => void (said += text);
    const session: Session = {
      ...{ program: 'kubectl', names: namesOf('k8s.io'), clock: bench.cluster.clock, namespace: 'default' },
      ...{ transport: bench.cluster.transportAs('admin'), files: inMemory({}), signal: new AbortController().signal },
      ...{ out: add, err: add, input: async () => '' },
    };
    expect(await run(commands, ['explain', 'flunders.spec'], session)).toBe(0);
    expect(said).toMatch(/^KIND: +Flunder\nVERSION: +wardle\.example\.com\/v1alpha1\n/);
    expect(said).toMatch(/^ +reference\t<string>/m);
  });

  test('is watched over a WebSocket, an event in each message', async () => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket' };
    const asked = bench.cluster.transportAs('admin')(`${FLUNDERS}?watch=true&timeoutSeconds=5`, { headers });
    await bench.create(FLUNDERS, { metadata: { name: 'one' } });
    await bench.create(FLUNDERS, { metadata: { name: 'two' } });
    const response = await asked;
    if (!(response instanceof SwitchedResponse) || response.session.speaks !== 'websocket')
      throw new Error(`not switched: ${response.status}`);
    const messages: string[] = [];
    const served = response.session.serve({
      closed: new AbortController().signal,
      receive: () => Promise.resolve(undefined),
      send: async (message) => void messages.push(String(message)),
      close: () => undefined,
    });
    await bench.advance(6000, 500);
    await served;
    expect(messages.map((text) => (JSON.parse(text) as Loose).object.metadata.name)).toEqual(['seen', 'one', 'two']);
  });

  test('answers other upgrades as it answers without', async () => {
    const headers = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
    const response = await bench.cluster.transportAs('admin')(`${FLUNDERS}/one/exec`, { method: 'POST', headers });
    expect(response.status).toBe(405);
  });

  test('needs a certificate that its API service trusts', async () => {
    const path = `${SERVICES}/v1alpha1.wardle.example.com`;
    await bench.patch(path, { spec: { caBundle: btoa('-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n') } });
    const { status } = await bench.until(path, (service) => !isAvailable(service));
    expect(status.conditions[0].reason).toBe('FailedDiscoveryCheck');
    expect(await bench.get(FLUNDERS)).toBe('service unavailable\n');
  });
});

describe('the metrics API', () => {
  const METRICS = '/apis/metrics.k8s.io/v1beta1';

  beforeAll(async () => {
    await bench.until(`${SERVICES}/v1beta1.metrics.k8s.io`, isAvailable);
    const script = 'while true; do :; done';
    await bench.create(`${CORE}/pods`, {
      metadata: { name: 'busy', labels: { app: 'busy' } },
      spec: {
        containers: [
          { name: 'c', image: 'busybox', command: ['sh', '-c', script], resources: { limits: { cpu: '200m' } } },
        ],
      },
    });
    await bench.until(`${CORE}/pods/busy`, (pod) => pod.status.phase === 'Running');
    await bench.advance(35_000, 1000);
  });

  test('says what nodes use', async () => {
    const { kind, items } = await bench.get(`${METRICS}/nodes`);
    expect([kind, items[0].metadata.name, items[0].window]).toEqual(['NodeMetricsList', 'node-1', '30s']);
    expect(items[0].usage).toEqual({ cpu: expect.stringMatching(/^\d+n$/), memory: expect.stringMatching(/^\d+Ki$/) });
    expect((await bench.get(`${METRICS}/nodes/none`)).code).toBe(404);
  });

  test('says what pods use, by namespace and label', async () => {
    const { items } = await bench.get(`${METRICS}/namespaces/default/pods?labelSelector=app%3Dbusy`);
    expect(items.map(({ metadata }: Loose) => metadata.name)).toEqual(['busy']);
    const [{ name, usage }] = items[0].containers;
    expect(name).toBe('c');
    expect(parseInt(usage.cpu) / 1e6).toBeGreaterThan(100);
    expect((await bench.get(`${METRICS}/namespaces/none/pods`)).items).toEqual([]);
  });

  test('is what the autoscaler reads', async () => {
    const made = deployment('load', 1);
    const script = 'while true; do :; done';
    made.spec.template.spec.containers[0] = {
      ...{ name: 'c', image: 'busybox', command: ['sh', '-c', script] },
      resources: { requests: { cpu: '100m' }, limits: { cpu: '300m' } },
    };
    await bench.create('/apis/apps/v1/namespaces/default/deployments', made);
    await bench.create('/apis/autoscaling/v1/namespaces/default/horizontalpodautoscalers', {
      metadata: { name: 'load' },
      spec: {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'load' },
        ...{ minReplicas: 1, maxReplicas: 3, targetCPUUtilizationPercentage: 80 },
      },
    });
    const path = '/apis/apps/v1/namespaces/default/deployments/load';
    for (let i = 0; i < 40 && (await bench.get(path)).spec.replicas < 3; i++) await bench.advance(10_000, 1000);
    expect((await bench.get(path)).spec.replicas).toBe(3);
  }, 60_000);
});
