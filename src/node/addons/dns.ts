/**
 * The cluster's name server as usually installed: a Deployment in the system namespace behind a service with the
 * address that pods query. Missing objects are created when a cluster opens; existing ones are not changed.
 */
import { retry, type Client, type Retrying } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { SYSTEM_LABEL } from '../../network/index.ts';
import { isReason } from '../../schema/index.ts';
import { make } from './make.ts';

const NAME = 'coredns';
const IMAGE = 'k8s.gcr.io/coredns:1.7.0';
const REPLICAS = 2;

const COREFILE = `.:53 {
    errors
    health {
       lameduck 5s
    }
    ready
    kubernetes cluster.local in-addr.arpa ip6.arpa {
       pods insecure
       fallthrough in-addr.arpa ip6.arpa
       ttl 30
    }
    prometheus :9153
    forward . /etc/resolv.conf {
       max_concurrent 1000
    }
    cache 30
    loop
    reload
    loadbalance
}
`;

/** Creates the objects of the name server. If another service has its address, the cluster stays without it. */
export async function installDns(client: Client, names: Names, address: string, retrying: Retrying): Promise<void> {
  if (!(await retry(() => makeService(client, names, address), retrying))) return;
  for (const [path, object] of objectsFor(names)) await retry(() => make(client, path, object), retrying);
}

/** The usual labels of the name server, its service and its pods. */
const labelsOf = ({ fill }: Names): Record<string, string> => ({ [SYSTEM_LABEL]: fill('{prefix}-dns') });

async function makeService(client: Client, names: Names, address: string): Promise<boolean> {
  const { fill, systemNamespace: namespace } = names;
  const labels = {
    ...labelsOf(names),
    [fill('{label}/cluster-service')]: 'true',
    [fill('{label}/name')]: names.profile === 'k8s.io' ? 'KubeDNS' : 'ClusterDNS',
  };
  const annotations = { 'prometheus.io/port': '9153', 'prometheus.io/scrape': 'true' };
  const ports = [
    { name: 'dns', port: 53, protocol: 'UDP', targetPort: 53 },
    { name: 'dns-tcp', port: 53, protocol: 'TCP', targetPort: 53 },
    { name: 'metrics', port: 9153, protocol: 'TCP', targetPort: 9153 },
  ];
  const metadata = { name: fill('{prefix}-dns'), namespace, labels, annotations };
  const body = { metadata, spec: { selector: labelsOf(names), clusterIP: address, ports } };
  try {
    await make(client, `/api/v1/namespaces/${namespace}/services`, body);
    return true;
  } catch (problem) {
    if (isReason(problem, 'Invalid')) return false;
    throw problem;
  }
}

/** Each with the path of its collection. */
function objectsFor(names: Names): readonly (readonly [string, object])[] {
  const { fill, systemNamespace: namespace } = names;
  const core = `/api/v1/namespaces/${namespace}`;
  const rbac = fill('/apis/rbac.authorization.{domain}/v1');
  const apiGroup = fill('rbac.authorization.{domain}');
  const role = `system:${NAME}`;
  const labels = { [fill('{label}/bootstrapping')]: 'rbac-defaults' };
  const rules = [
    { apiGroups: [''], resources: ['endpoints', 'services', 'pods', 'namespaces'], verbs: ['list', 'watch'] },
    { apiGroups: [''], resources: ['nodes'], verbs: ['get'] },
  ];
  const binding = {
    metadata: { name: role, labels },
    roleRef: { apiGroup, kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name: NAME, namespace }],
  };
  return [
    [`${core}/serviceaccounts`, { metadata: { name: NAME, namespace } }],
    [`${rbac}/clusterroles`, { metadata: { name: role, labels }, rules }],
    [`${rbac}/clusterrolebindings`, binding],
    [`${core}/configmaps`, { metadata: { name: NAME, namespace }, data: { Corefile: COREFILE } }],
    [`/apis/apps/v1/namespaces/${namespace}/deployments`, deployment(names)],
  ];
}

function deployment(names: Names): object {
  const labels = labelsOf(names);
  const { fill, systemNamespace: namespace } = names;
  const tolerations = [
    { key: 'CriticalAddonsOnly', operator: 'Exists' },
    { key: fill('node-role.{label}/master'), effect: 'NoSchedule' },
  ];
  const items = [{ key: 'Corefile', path: 'Corefile' }];
  const spec = {
    ...{ priorityClassName: 'system-cluster-critical', serviceAccountName: NAME, dnsPolicy: 'Default', tolerations },
    nodeSelector: { [fill('{label}/os')]: 'linux' },
    containers: [container()],
    volumes: [{ name: 'config-volume', configMap: { name: NAME, items } }],
  };
  return {
    metadata: { name: NAME, namespace, labels },
    spec: {
      replicas: REPLICAS,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec },
    },
  };
}

const get = (path: string, port: number): object => ({ httpGet: { path, port, scheme: 'HTTP' } });

const container = (): object => ({
  ...{ name: NAME, image: IMAGE, imagePullPolicy: 'IfNotPresent', args: ['-conf', '/etc/coredns/Corefile'] },
  resources: { limits: { memory: '170Mi' }, requests: { cpu: '100m', memory: '70Mi' } },
  ports: [
    { name: 'dns', containerPort: 53, protocol: 'UDP' },
    { name: 'dns-tcp', containerPort: 53, protocol: 'TCP' },
    { name: 'metrics', containerPort: 9153, protocol: 'TCP' },
  ],
  volumeMounts: [{ name: 'config-volume', mountPath: '/etc/coredns', readOnly: true }],
  livenessProbe: { ...get('/health', 8080), initialDelaySeconds: 60, timeoutSeconds: 5, failureThreshold: 5 },
  readinessProbe: get('/ready', 8181),
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { add: ['NET_BIND_SERVICE'], drop: ['all'] },
    readOnlyRootFilesystem: true,
  },
});
