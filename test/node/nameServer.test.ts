/** The objects of the cluster's name server, as an installation of the field creates them. */
import { afterEach, describe, expect, test } from 'vitest';
import { NodeLab, type Loose } from './lab.ts';

let lab: NodeLab;
afterEach(() => lab.stop());

const start = async (naming: 'k8s.io' | 'cluster.io', before?: (on: NodeLab) => unknown): Promise<void> => {
  lab = await NodeLab.start({ naming, dnsPods: true, ...(before && { before }) });
  await lab.advance(2000, 500);
};
const made = (): string[] =>
  lab.asked
    .filter(({ method, as }) => method === 'POST' && as === 'system:apiserver')
    .map(({ path }) => path)
    .filter((path) => !path.includes('event'));

describe('the name server', () => {
  test('is a service with the tenth address, an account with its role, a configuration and two pods', async () => {
    await start('k8s.io');
    const core = '/api/v1/namespaces/kube-system';
    const labels = { 'k8s-app': 'kube-dns' };
    const port = (name: string, number: number, protocol: string): Loose => ({
      ...{ name, port: number, protocol, targetPort: number },
    });
    expect(await lab.get(`${core}/services/kube-dns`)).toMatchObject({
      metadata: {
        annotations: { 'prometheus.io/port': '9153', 'prometheus.io/scrape': 'true' },
        labels: { ...labels, 'kubernetes.io/cluster-service': 'true', 'kubernetes.io/name': 'KubeDNS' },
      },
      spec: {
        ...{ clusterIP: '10.0.0.10', selector: labels },
        ports: [port('dns', 53, 'UDP'), port('dns-tcp', 53, 'TCP'), port('metrics', 9153, 'TCP')],
      },
    });
    expect((await lab.get(`${core}/serviceaccounts/coredns`)).kind).toBe('ServiceAccount');
    const rbac = '/apis/rbac.authorization.k8s.io/v1';
    const bootstrapping = { 'kubernetes.io/bootstrapping': 'rbac-defaults' };
    expect(await lab.get(`${rbac}/clusterroles/system:coredns`)).toMatchObject({
      metadata: { labels: bootstrapping },
      rules: [
        { apiGroups: [''], resources: ['endpoints', 'services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
        { apiGroups: [''], resources: ['nodes'], verbs: ['get'] },
      ],
    });
    expect(await lab.get(`${rbac}/clusterrolebindings/system:coredns`)).toMatchObject({
      metadata: { labels: bootstrapping },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'system:coredns' },
      subjects: [{ kind: 'ServiceAccount', name: 'coredns', namespace: 'kube-system' }],
    });
    const { Corefile } = (await lab.get(`${core}/configmaps/coredns`)).data;
    for (const line of [
      '.:53 {',
      'kubernetes cluster.local in-addr.arpa ip6.arpa {',
      'pods insecure',
      'fallthrough in-addr.arpa ip6.arpa',
      'forward . /etc/resolv.conf {',
      'cache 30',
    ])
      expect(Corefile).toContain(line);
    const { metadata, spec } = await lab.get('/apis/apps/v1/namespaces/kube-system/deployments/coredns');
    expect(metadata.labels).toEqual(labels);
    expect(spec).toMatchObject({
      ...{ replicas: 2, selector: { matchLabels: labels } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      template: {
        metadata: { labels },
        spec: {
          ...{ priorityClassName: 'system-cluster-critical', serviceAccountName: 'coredns', dnsPolicy: 'Default' },
          tolerations: [
            { key: 'CriticalAddonsOnly', operator: 'Exists' },
            { key: 'node-role.kubernetes.io/master', effect: 'NoSchedule' },
          ],
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          volumes: [
            { name: 'config-volume', configMap: { name: 'coredns', items: [{ key: 'Corefile', path: 'Corefile' }] } },
          ],
        },
      },
    });
    expect(spec.template.spec.containers).toMatchObject([
      {
        ...{ name: 'coredns', image: 'k8s.gcr.io/coredns:1.7.0', imagePullPolicy: 'IfNotPresent' },
        args: ['-conf', '/etc/coredns/Corefile'],
        resources: { limits: { memory: '170Mi' }, requests: { cpu: '100m', memory: '70Mi' } },
        ports: [
          { name: 'dns', containerPort: 53, protocol: 'UDP' },
          { name: 'dns-tcp', containerPort: 53, protocol: 'TCP' },
          { name: 'metrics', containerPort: 9153, protocol: 'TCP' },
        ],
        volumeMounts: [{ name: 'config-volume', mountPath: '/etc/coredns', readOnly: true }],
        livenessProbe: {
          ...{ httpGet: { path: '/health', port: 8080, scheme: 'HTTP' } },
          ...{ initialDelaySeconds: 60, timeoutSeconds: 5, failureThreshold: 5 },
        },
        readinessProbe: { httpGet: { path: '/ready', port: 8181, scheme: 'HTTP' } },
        securityContext: {
          ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
          capabilities: { add: ['NET_BIND_SERVICE'], drop: ['all'] },
        },
      },
    ]);
  });

  test('has the names of the other profile', async () => {
    await start('cluster.io');
    const { metadata, spec } = await lab.get('/api/v1/namespaces/cluster-system/services/cluster-dns');
    expect(metadata.labels).toEqual({
      'k8s-app': 'cluster-dns',
      'cluster.io/cluster-service': 'true',
      'cluster.io/name': 'ClusterDNS',
    });
    expect(spec.selector).toEqual({ 'k8s-app': 'cluster-dns' });
  });

  test('is not installed where its address is taken', async () => {
    await start('k8s.io', ({ server }) => void server.refuse('POST', /kube-system\/services$/, 422, 'Invalid', 1));
    expect(made().filter((path) => /serviceaccounts|configmaps|deployments/.test(path))).toEqual([]);
    expect(lab.told).toEqual([]);
  });

  test('is installed once, and what is there already is left alone', async () => {
    await start('k8s.io', ({ server }) => {
      for (const [path, code, reason] of [
        [/kube-system\/services$/, 409, 'AlreadyExists'],
        [/serviceaccounts$/, 409, 'AlreadyExists'],
        [/clusterroles$/, 404, 'NotFound'],
        [/clusterrolebindings$/, 403, 'Forbidden'],
      ] as const)
        server.refuse('POST', path, code, reason, 1);
    });
    const own = made().filter((path) => !/metrics|endpoint|apiservices/.test(path));
    const count = (end: string): number => own.filter((path) => path.endsWith(end)).length;
    expect(['serviceaccounts', 'clusterrolebindings', 'configmaps', 'deployments'].map(count)).toEqual([1, 1, 1, 1]);
    expect(lab.told).toEqual([]);
  });

  test('is tried again where the server fails', async () => {
    await start('k8s.io', ({ server }) => {
      server.refuse('POST', /kube-system\/services$/, 500, 'InternalError', 1);
      server.refuse('POST', /configmaps$/, 500, 'InternalError', 1);
    });
    await lab.advance(10_000, 500);
    expect((await lab.get('/apis/apps/v1/namespaces/kube-system/deployments/coredns')).kind).toBe('Deployment');
    expect((await lab.get('/api/v1/namespaces/kube-system/configmaps/coredns')).kind).toBe('ConfigMap');
    expect(lab.told.length).toBeGreaterThan(0);
  });
});

test('a cluster that does not ask for a name server has none', async () => {
  lab = await NodeLab.start({ naming: 'k8s.io' });
  await lab.advance(2000, 500);
  expect(made().filter((path) => /serviceaccounts|configmaps|deployments/.test(path))).toEqual([]);
});
