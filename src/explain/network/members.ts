/** Why a pod is or is not behind a service. */
import { targetPort } from '../../network/index.ts';
import type { objects } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';

export interface Membership {
  readonly pod: objects.Pod;
  /** Takes connections, is listed without taking any, or is not behind the service. */
  readonly state: 'ready' | 'not ready' | 'not a member';
  /** A whole sentence. */
  readonly why: string;
}

/** What keeps each pod of the service's namespace from taking its connections, or that nothing does; members first. */
export function membersOf(service: objects.Service, pods: readonly objects.Pod[]): Membership[] {
  const mine = pods.filter(({ metadata }) => metadata?.namespace === service.metadata?.namespace);
  const order = { ready: 0, 'not ready': 1, 'not a member': 2 } as const;
  return mine.map((pod) => membershipOf(service, pod)).sort((a, b) => order[a.state] - order[b.state]);
}

function membershipOf(service: objects.Service, pod: objects.Pod): Membership {
  const outside = reasonOutside(service, pod);
  if (outside !== undefined) return { pod, state: 'not a member', why: outside };
  const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status === 'True') return { pod, state: 'ready', why: 'It has the labels and is ready.' };
  if (service.spec?.publishNotReadyAddresses)
    return { pod, state: 'ready', why: 'It is not ready, but the service publishes addresses that are not.' };
  const waiting = (pod.status?.containerStatuses ?? []).filter((container) => !container.ready).map(({ name }) => name);
  const why = waiting.length > 0 ? `Not ready: ${waiting.join(', ')}.` : 'It is not ready.';
  return { pod, state: 'not ready', why };
}

/** The first reason why a service doesn't list a pod at all. */
function reasonOutside({ spec }: objects.Service, pod: objects.Pod): string | undefined {
  const wanted = Object.entries(spec?.selector ?? {});
  if (wanted.length === 0) return 'The service has no selector.';
  const labels = pod.metadata?.labels ?? {};
  const missing = wanted.filter(([key, value]) => getOwn(labels, key) !== value);
  if (missing.length > 0) return `It lacks ${missing.map(([key, value]) => `${key}=${value}`).join(', ')}.`;
  const phase = pod.status?.phase;
  if (phase === 'Succeeded' || phase === 'Failed') return 'It has ended.';
  if (!pod.status?.podIP) return 'It has no address yet.';
  if (pod.metadata?.deletionTimestamp !== undefined && !spec?.publishNotReadyAddresses) return 'It is being deleted.';
  const ports = spec?.ports ?? [];
  const unnamed = ports.filter((port) => targetPort(pod, port) === undefined).map(({ targetPort: name }) => name);
  if (ports.length > 0 && unnamed.length === ports.length)
    return `None of its containers names a port ${unnamed.join(' or ')}.`;
  return undefined;
}
