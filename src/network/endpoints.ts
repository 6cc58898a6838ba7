/** Which pods stand behind a service, and where they can be reached. */
import type { objects } from '../schema/index.ts';

type Pod = objects.Pod;
type Service = objects.Service;
type Subset = NonNullable<objects.Endpoints['subsets']>[number];
type Address = NonNullable<Subset['addresses']>[number];
type Port = NonNullable<Subset['ports']>[number];

/** A pod behind a service, as far as it can be reached. */
export interface Backend {
  readonly pod: Pod;
  readonly ip: string;
  /** Takes traffic now. */
  readonly ready: boolean;
  /** The service's ports with the pod's own numbers; those that the pod doesn't name are left out. */
  readonly ports: readonly Port[];
  /** Name of the pod within a headless service. */
  readonly hostname: string | undefined;
}

const isReady = (pod: Pod): boolean =>
  pod.status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') ?? false;

/** Whether a pod that isn't ready may become so: one that has ended, and stays so, is no backend at all. */
function mayBecomeReady(pod: Pod): boolean {
  const phase = pod.status?.phase;
  if (pod.spec?.restartPolicy === 'Never') return phase !== 'Failed' && phase !== 'Succeeded';
  return pod.spec?.restartPolicy !== 'OnFailure' || phase !== 'Succeeded';
}

/** The number of the port that a service's port leads to on a pod; a name is looked up in the containers. */
export function targetPort(pod: Pod, port: objects.ServicePort): number | undefined {
  const { targetPort: target, protocol = 'TCP' } = port;
  if (typeof target === 'number') return target === 0 ? port.port : target;
  if (target === undefined || target === '') return port.port;
  const ports = (pod.spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  return ports.find((p) => p.name === target && (p.protocol ?? 'TCP') === protocol)?.containerPort;
}

function portsOf(service: Service, pod: Pod): Port[] {
  return (service.spec?.ports ?? []).flatMap((port) => {
    const number = targetPort(pod, port);
    if (number === undefined) return [];
    const { name, protocol = 'TCP', appProtocol } = port;
    return [
      { ...(name ? { name } : {}), port: number, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) },
    ];
  });
}

/** Backends of a service among the pods that its selector selects. */
export function backendsOf(service: Service, pods: readonly Pod[]): Backend[] {
  const publishAll = service.spec?.publishNotReadyAddresses ?? false;
  return pods.flatMap((pod) => {
    const ip = pod.status?.podIP;
    const leaving = pod.metadata?.deletionTimestamp !== undefined;
    if (!ip || (leaving && !publishAll)) return [];
    const ready = publishAll || isReady(pod);
    if (!ready && !mayBecomeReady(pod)) return [];
    return [{ pod, ip, ready, ports: portsOf(service, pod), hostname: hostnameIn(service, pod) }];
  });
}

function hostnameIn(service: Service, pod: Pod): string | undefined {
  const inService =
    pod.spec?.subdomain === service.metadata?.name && pod.metadata?.namespace === service.metadata?.namespace;
  return pod.spec?.hostname && inService ? pod.spec.hostname : undefined;
}

export function referenceTo(pod: Pod): NonNullable<Address['targetRef']> {
  const { namespace, name, uid, resourceVersion } = pod.metadata ?? {};
  return {
    kind: 'Pod',
    ...(namespace ? { namespace } : {}),
    ...(name ? { name } : {}),
    ...(uid ? { uid } : {}),
    ...(resourceVersion ? { resourceVersion } : {}),
  };
}

function addressOf({ pod, ip, hostname }: Backend): Address {
  const nodeName = pod.spec?.nodeName;
  return { ip, ...(hostname ? { hostname } : {}), ...(nodeName ? { nodeName } : {}), targetRef: referenceTo(pod) };
}

/** The subsets of a service's Endpoints: addresses with the same ports stand together. */
export function subsetsOf(service: Service, pods: readonly Pod[]): Subset[] {
  const headlessWithoutPorts = (service.spec?.ports ?? []).length === 0;
  const groups = new Map<string, { ports: readonly Port[]; ready: Address[]; notReady: Address[] }>();
  for (const backend of backendsOf(service, pods)) {
    if (backend.ports.length === 0 && !headlessWithoutPorts) continue;
    const ports = [...backend.ports].sort((a, b) => compareTexts(a.name ?? '', b.name ?? '') || a.port - b.port);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { ports, ready: [], notReady: [] };
    groups.set(key, group);
    (backend.ready ? group.ready : group.notReady).push(addressOf(backend));
  }
  const sorted = [...groups].sort(([a], [b]) => compareTexts(a, b));
  return sorted.map(([, { ports, ready, notReady }]) => ({
    ...(ready.length > 0 ? { addresses: ready.sort(byAddress) } : {}),
    ...(notReady.length > 0 ? { notReadyAddresses: notReady.sort(byAddress) } : {}),
    ...(ports.length > 0 ? { ports: [...ports] } : {}),
  }));
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const byAddress = (a: Address, b: Address): number =>
  compareTexts(a.ip, b.ip) || compareTexts(a.targetRef?.uid ?? '', b.targetRef?.uid ?? '');
