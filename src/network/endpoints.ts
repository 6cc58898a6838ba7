/** Which pods are endpoints of a service, and their addresses and ports. */
import type { objects } from '../schema/index.ts';

type Pod = objects.Pod;
type Service = objects.Service;
type Subset = NonNullable<objects.Endpoints['subsets']>[number];
type Address = NonNullable<Subset['addresses']>[number];
type Port = NonNullable<Subset['ports']>[number];

/** A pod of a service with its reachable addresses and ports. */
export interface Backend {
  readonly pod: Pod;
  readonly ip: string;
  /** All addresses of the pod in both IP families; `ip` is the first. */
  readonly ips: readonly string[];
  /** Whether it receives traffic now. */
  readonly ready: boolean;
  /** The service's ports with the pod's port numbers, without those that the pod lacks. */
  readonly ports: readonly Port[];
  /** Name of the pod within a headless service. */
  readonly hostname: string | undefined;
}

export const isReady = (pod: Pod): boolean =>
  pod.status?.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') ?? false;

/** Whether an unready pod may become ready. A terminated pod can't. */
export function mayBecomeReady(pod: Pod): boolean {
  const phase = pod.status?.phase;
  if (pod.spec?.restartPolicy === 'Never') return phase !== 'Failed' && phase !== 'Succeeded';
  return pod.spec?.restartPolicy !== 'OnFailure' || phase !== 'Succeeded';
}

/** The pod's port number for a service port; a name is looked up in the containers. */
export function targetPort(pod: Pod, port: objects.ServicePort): number | undefined {
  const { targetPort: target, protocol = 'TCP' } = port;
  if (typeof target === 'number') return target === 0 ? port.port : target;
  if (target === undefined || target === '') return port.port;
  const ports = (pod.spec?.containers ?? []).flatMap((container) => container.ports ?? []);
  return ports.find((p) => p.name === target && (p.protocol ?? 'TCP') === protocol)?.containerPort;
}

/** The service's ports with the pod's port numbers, without named ports that the pod lacks. */
export function portsOf(service: Service, pod: Pod): Port[] {
  return (service.spec?.ports ?? []).flatMap((port) => {
    const number = targetPort(pod, port);
    if (number === undefined) return [];
    const { name, protocol = 'TCP', appProtocol } = port;
    return [
      { ...(name ? { name } : {}), port: number, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) },
    ];
  });
}

/**
 * Backends of a service among its selected pods, as listed in its endpoint slices. Terminated pods are excluded;
 * terminating pods are included only if unready addresses are published.
 */
export function backendsOf(service: Service, pods: readonly Pod[]): Backend[] {
  const publishAll = service.spec?.publishNotReadyAddresses ?? false;
  return pods.flatMap((pod) => {
    const ips = addressesOf(pod);
    const [ip] = ips;
    const leaving = pod.metadata?.deletionTimestamp !== undefined;
    if (ip === undefined || (leaving && !publishAll) || !mayBecomeReady(pod)) return [];
    const ready = publishAll || isReady(pod);
    return [{ pod, ip, ips, ready, ports: portsOf(service, pod), hostname: hostnameIn(service, pod) }];
  });
}

function addressesOf({ status }: Pod): readonly string[] {
  const all = (status?.podIPs ?? []).flatMap(({ ip }) => (ip ? [ip] : []));
  return all.length > 0 || !status?.podIP ? all : [status.podIP];
}

/** Host name of a pod within a headless service, if the pod's subdomain is the service. */
export function hostnameIn(service: Service, pod: Pod): string | undefined {
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
