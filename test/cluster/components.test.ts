import { describe, expect, test } from 'vitest';
import type { ClusterOptions } from '../../src/cluster/index.ts';
import { createCluster, FlagError } from '../../src/cluster/index.ts';
import { Bench, deployment, type Loose } from '../controllers/bench.ts';

const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
const SETS = '/apis/apps/v1/namespaces/default/replicasets';
const PODS = '/api/v1/namespaces/default/pods';

async function withCluster(options: Partial<ClusterOptions>, work: (bench: Bench) => Promise<void>): Promise<void> {
  const bench = await Bench.start(options);
  try {
    await work(bench);
  } finally {
    await bench.stop();
  }
}

const pod = (name: string, spec: Loose = {}): Loose => ({
  metadata: { name },
  spec: { containers: [{ name: 'c', image: 'nginx' }], ...spec },
});

describe('controllers', () => {
  test('use the manager’s user without separate accounts', () =>
    withCluster({}, async (bench) => {
      await bench.create(DEPLOYMENTS, deployment('web', 1));
      await bench.until(`${DEPLOYMENTS}/web`, (found) => found.status.observedGeneration === 1);
      const [set] = await bench.items(SETS);
      expect(set.metadata.ownerReferences[0].name).toBe('web');
      expect((await bench.get('/api/v1/namespaces/cluster-system/serviceaccounts/deployment-controller')).code).toBe(
        404,
      );
    }));

  test('run only if they are listed', () =>
    withCluster({ controllerManager: ['--controllers=*', '--controllers=-deployment'] }, async (bench) => {
      await bench.create(DEPLOYMENTS, deployment('web', 1));
      await bench.advance(5_000, 500);
      expect(await bench.items(SETS)).toEqual([]);
    }));
});

describe('the scheduler', () => {
  const configuration = `
apiVersion: kubescheduler.config.k8s.io/v1beta1
kind: KubeSchedulerConfiguration
profiles:
- schedulerName: default-scheduler
- schedulerName: careless
  plugins: {filter: {disabled: [{name: NodeUnschedulable}]}}
`;

  test('uses the profile that a pod names', () =>
    withCluster(
      { nodes: 1, scheduler: ['--config=scheduler.yaml'], files: { 'scheduler.yaml': configuration } },
      async (bench) => {
        await bench.patch('/api/v1/nodes/node-1', { spec: { unschedulable: true } });
        await bench.create(PODS, pod('careful'));
        const tolerations = [{ key: 'node.cluster.io/unschedulable', operator: 'Exists' }];
        await bench.create(PODS, pod('careless', { schedulerName: 'careless', tolerations }));
        const placed = await bench.until(`${PODS}/careless`, (found) => found.spec.nodeName !== undefined);
        expect(placed.spec.nodeName).toBe('node-1');
        expect((await bench.get(`${PODS}/careful`)).spec.nodeName).toBeUndefined();
      },
    ));

  test('has the name of a deprecated flag', () =>
    withCluster({ nodes: 1, scheduler: ['--scheduler-name=mine'] }, async (bench) => {
      await bench.create(PODS, pod('mine', { schedulerName: 'mine' }));
      await bench.until(`${PODS}/mine`, (found) => found.spec.nodeName !== undefined);
      expect(bench.cluster.warnings).toEqual([
        'Scheduler: Flag --scheduler-name has been deprecated, Set it in the file of --config instead.',
      ]);
    }));
});

describe('a cluster with invalid options', () => {
  test.each([
    [{ apiserver: ['--nope'] }, 'API server: unknown flag: --nope'],
    [{ controllerManager: ['--root-ca-file=x'] }, 'Controller manager: --root-ca-file: there is no file "x"'],
    [
      { apiserver: ['--enable-admission-plugins=Nope'] },
      'API server: --enable-admission-plugins: plugin "Nope" is unknown',
    ],
    ...(
      [
        ['apiserver', 'token-auth-file', 'a,b', 'token file must have at least 3 columns'],
        ['apiserver', 'client-ca-file', 'x', 'data does not contain any valid RSA or ECDSA certificates'],
        ['apiserver', 'service-account-key-file', 'x', 'data does not contain any valid RSA or ECDSA public keys'],
        [
          'apiserver',
          'service-account-signing-key-file',
          'x',
          'data does not contain a valid RSA or ECDSA private key',
        ],
        ['apiserver', 'authentication-token-webhook-config-file', 'kind: x', 'no context undefined in contexts'],
        ['apiserver', 'audit-policy-file', 'kind: x', 'want apiVersion audit.cluster.io/v1 and kind Policy'],
        ['controllerManager', 'root-ca-file', 'x', 'data does not contain any valid RSA or ECDSA certificates'],
        ['controllerManager', 'service-account-private-key-file', 'x', 'data does not contain a valid RSA or ECDSA'],
      ] as const
    ).map(([component, flag, text, why]): [Partial<ClusterOptions>, string] => [
      { [component]: [`--${flag}=f`], files: { f: text } },
      `--${flag}: "f": ${why}`,
    ]),
    [
      { scheduler: ['--config=s.yaml'], files: { 's.yaml': 'kind: Pod' } },
      'Scheduler: --config: s.yaml: no kind "Pod" is registered',
    ],
  ] satisfies [Partial<ClusterOptions>, string][])('does not start: %j', async (options, message) => {
    const starting = createCluster({ name: 'wrong', clock: 'manual', storage: 'memory', ...options });
    await expect(starting).rejects.toThrow(FlagError);
    await expect(createCluster({ name: 'wrong', clock: 'manual', ...options })).rejects.toThrow(message);
  });
});

test('the API’s own service has a node port if requested', () =>
  withCluster({ apiserver: ['--kubernetes-service-node-port=30443'] }, async (bench) => {
    const { spec } = await bench.get('/api/v1/namespaces/default/services/cluster');
    expect([spec.type, spec.ports[0].nodePort]).toEqual(['NodePort', 30443]);
  }));

describe('a gate that is off', () => {
  const off = (gate: string): Partial<ClusterOptions> => ({ apiserver: [`--feature-gates=${gate}=false`] });
  const three = async (bench: Bench): Promise<void> => {
    for (const name of ['a', 'b', 'c'])
      await bench.create('/api/v1/namespaces/default/configmaps', { metadata: { name }, data: { name } });
  };

  test('disables paging', () =>
    withCluster(off('APIListChunking'), async (bench) => {
      await three(bench);
      const { items, metadata } = await bench.get('/api/v1/namespaces/default/configmaps?limit=1');
      expect([items.length >= 3, metadata.continue]).toEqual([true, undefined]);
    }));

  test('omits the remaining count of a list', () =>
    withCluster(off('RemainingItemCount'), async (bench) => {
      await three(bench);
      const { metadata } = await bench.get('/api/v1/namespaces/default/configmaps?limit=1');
      expect([typeof metadata.continue, metadata.remainingItemCount]).toEqual(['string', undefined]);
    }));

  test('hides the issuer’s documents', () =>
    withCluster(off('ServiceAccountIssuerDiscovery'), async (bench) => {
      expect((await bench.get('/openid/v1/jwks')).code).toBe(404);
    }));

  test.each(['true', 'false'])('adds no warnings: WarningHeaders=%s', (on) =>
    withCluster({ apiserver: [`--feature-gates=WarningHeaders=${on}`] }, async (bench) => {
      const path = '/apis/extensions/v1beta1/namespaces/default/ingresses';
      const response = await bench.cluster.transportAs('admin')(path);
      expect(response.headers.has('warning')).toBe(on === 'true');
    }),
  );
});

describe('an API server with an identity lease', () => {
  const LEASES = '/apis/coordination.cluster.io/v1/namespaces/cluster-system/leases';
  const apiserver = ['--feature-gates=APIServerIdentity=true', '--identity-lease-renew-interval-seconds=5'];

  test('maintains its own lease, and deletes expired ones', () =>
    withCluster({ apiserver }, async (bench) => {
      const labels = { 'cluster.io/component': 'cluster-apiserver' };
      const spec = { holderIdentity: 'old', leaseDurationSeconds: 10, renewTime: '2025-01-01T00:00:00.000000Z' };
      await bench.create(LEASES, { metadata: { name: 'old', labels }, spec });
      await bench.create(LEASES, { metadata: { name: 'other' }, spec });
      await bench.gone(`${LEASES}/old`);
      const own = (await bench.items(LEASES)).find((lease) => lease.metadata.name.startsWith('cluster-apiserver-'));
      expect(own).toMatchObject({ metadata: { labels }, spec: { leaseDurationSeconds: 3600 } });
      await bench.until(`${LEASES}/${own?.metadata.name}`, (lease) => lease.spec.renewTime > own?.spec.renewTime);
      expect((await bench.get(`${LEASES}/other`)).spec.holderIdentity).toBe('old');
    }));

  test('is off by default', () =>
    withCluster({}, async (bench) => {
      await bench.advance(1_000, 500);
      expect((await bench.items(LEASES)).filter((lease) => lease.metadata.labels)).toEqual([]);
    }));
});
