/** How a policy names the ends of a connection. */
import type { End, NetworkView } from '../../network/index.ts';
import { POD_TEMPLATE_HASH, type objects } from '../../schema/index.ts';

type Peer = NonNullable<NonNullable<NonNullable<objects.NetworkPolicy['spec']>['ingress']>[number]['from']>[number];

/** A peer that stands for one end, in a policy for `subject`. */
export function peerFor(end: End, subject: objects.Pod, view: NetworkView): Peer {
  if (!end.pod || end.node) return { ipBlock: { cidr: `${end.address}/${end.address.includes(':') ? 128 : 32}` } };
  const podSelector = { matchLabels: stableLabels(end.pod) };
  const namespace = end.pod.metadata?.namespace ?? '';
  if (namespace === subject.metadata?.namespace) return { podSelector };
  return { namespaceSelector: { matchLabels: { ...view.labelsOfNamespace(namespace) } }, podSelector };
}

const HASHES = new Set([POD_TEMPLATE_HASH, 'controller-revision-hash', 'pod-template-generation']);

/** The labels of a pod that outlive a roll-out. */
export function stableLabels(pod: objects.Pod): Record<string, string> {
  const entries = Object.entries(pod.metadata?.labels ?? {});
  return Object.fromEntries(entries.filter(([key]) => !HASHES.has(key) && !key.startsWith('statefulset.')));
}
