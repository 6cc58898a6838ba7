/** A small cluster for tests of the network: namespaces x, y, z with pods a, b, c each; labels `ns`, `pod`. */
import { parse } from 'yaml';
import { namesOf } from '../../src/names/index.ts';
import {
  NetworkView,
  type NetworkObjects,
  type NetworkResource,
  type NetworkSettings,
} from '../../src/network/index.ts';

export const settings: NetworkSettings = {
  names: namesOf('cluster.io'),
  domain: 'cluster.local',
  dnsAddress: '10.96.0.10',
  ingressController: 'vitrine.dev/ingress',
  ingressAddress: '192.0.2.80',
  outside: { 'example.com': '198.51.100.7' },
};

export type Pod = NetworkObjects['pods'];

const resources: Readonly<Record<string, NetworkResource>> = {
  Pod: 'pods',
  Node: 'nodes',
  Namespace: 'namespaces',
  Service: 'services',
  EndpointSlice: 'endpointslices',
  NetworkPolicy: 'networkpolicies',
  Ingress: 'ingresses',
  IngressClass: 'ingressclasses',
};

/** The name server as a pod, which no service is in front of yet. */
export const NAME_SERVER = `
{kind: Namespace, metadata: {name: cluster-system}}
---
kind: Pod
metadata: {name: dns, namespace: cluster-system, labels: {k8s-app: cluster-dns}}
status: {phase: Running, podIP: 10.244.8.1}
`;

/** Adds objects, written as YAML documents, to a view. Objects without a namespace are in `x`. */
export function add(view: NetworkView, text: string): NetworkView {
  for (const document of text.split(/^---$/m).filter((part) => part.trim() !== '')) {
    const { kind, ...rest } = parse(document) as { kind: string; metadata: { namespace?: string } };
    const resource = resources[kind];
    if (!resource) throw new Error(`unknown kind ${kind}`);
    const namespaced = !['Node', 'Namespace', 'IngressClass'].includes(kind);
    const metadata = namespaced ? { namespace: 'x', ...rest.metadata } : rest.metadata;
    view.set(resource, { ...rest, metadata } as NetworkObjects[typeof resource]);
  }
  return view;
}

const namespaces = ['x', 'y', 'z'];
const pods = ['a', 'b', 'c'];
/** Pods a run on node-1, b on node-2, c on node-3. */
const nodeAddresses = ['192.168.0.1', '192.168.0.2', '192.168.0.3'];

/** The nine pods' keys, in order. */
export const podKeys = namespaces.flatMap((ns) => pods.map((pod) => `${ns}/${pod}`));

/** Address of a pod of the small cluster: `x/a` is 10.244.0.1. */
export const addressOf = (key: string): string => {
  const [ns = '', pod = ''] = key.split('/');
  return `10.244.${namespaces.indexOf(ns)}.${pods.indexOf(pod) + 1}`;
};

/** Three nodes, three namespaces, nine pods that declare ports 80 (`http`) and 81 (`alt`), and 53 and 80 over UDP. */
export function smallCluster(more = ''): NetworkView {
  const view = new NetworkView({ ...settings, outside: { ...settings.outside } });
  nodeAddresses.forEach((address, i) =>
    add(
      view,
      `{kind: Node, metadata: {name: node-${i + 1}, labels: {cluster.io/hostname: node-${i + 1}}}, status: {addresses: [{type: InternalIP, address: ${address}}]}}`,
    ),
  );
  for (const ns of namespaces) add(view, `{kind: Namespace, metadata: {name: ${ns}, labels: {ns: ${ns}}}}`);
  for (const key of podKeys) add(view, podText(key));
  return add(view, more);
}

function podText(key: string): string {
  const [ns = '', pod = ''] = key.split('/');
  const node = pods.indexOf(pod);
  return `
kind: Pod
metadata: {name: ${pod}, namespace: ${ns}, labels: {pod: ${pod}}}
spec:
  nodeName: node-${node + 1}
  containers:
    - name: c
      ports:
        - {name: http, containerPort: 80}
        - {name: alt, containerPort: 81}
        - {name: dns, containerPort: 53, protocol: UDP}
        - {name: http-udp, containerPort: 80, protocol: UDP}
status: {phase: Running, podIP: ${addressOf(key)}, hostIP: ${nodeAddresses[node] ?? ''}}
`;
}

/** The pods of the small cluster, in the order of `podKeys`. */
export const smallPods = (view: NetworkView): Pod[] => podKeys.flatMap((key) => view.get('pods', key) ?? []);

/** Expands `x/* | y/a -> x/b` into pairs; `*` stands for any name. Pods always reach themselves, so such pairs are left out. */
export function pairsOf(arrows: readonly string[]): Set<string> {
  const pairs = arrows.flatMap((arrow) => {
    const [from = '', to = ''] = arrow.split('->');
    return matching(to).flatMap((receiver) =>
      matching(from)
        .filter((sender) => sender !== receiver)
        .map((sender) => `${sender} -> ${receiver}`),
    );
  });
  return new Set(pairs);
}

function matching(patterns: string): string[] {
  const each = patterns.split('|').map((pattern) => new RegExp(`^${pattern.trim().replaceAll('*', '[^/]+')}$`));
  return podKeys.filter((key) => each.some((pattern) => pattern.test(key)));
}
