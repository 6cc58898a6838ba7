import type { Draft, EndpointSlice } from '../../client/index.ts';
import { deepEqual } from '../../std/index.ts';

export type Endpoint = NonNullable<EndpointSlice['endpoints']>[number];
export type SlicePort = NonNullable<EndpointSlice['ports']>[number];

/** Endpoints that have the same ports, and so can stand in the same slices. */
export interface PortGroup {
  readonly ports: readonly SlicePort[];
  readonly endpoints: readonly Endpoint[];
}

export interface SlicePlan {
  readonly create: readonly { readonly ports: readonly SlicePort[]; readonly endpoints: readonly Endpoint[] }[];
  readonly update: readonly EndpointSlice[];
  readonly remove: readonly EndpointSlice[];
}

/** What tells endpoints apart: the pod, or where there is none the address. */
function keyOf(endpoint: Endpoint): string {
  return endpoint.targetRef?.uid ?? (endpoint.addresses ?? []).join(',');
}

/** That a pod has another revision changes nothing for those who read slices. */
function bare(endpoint: Endpoint): unknown {
  const { targetRef, ...rest } = endpoint;
  const { resourceVersion: _, ...target } = targetRef ?? {};
  return { ...rest, target };
}

/** Ports as a text that doesn't depend on how they were written. */
function portsKey(ports: readonly SlicePort[] | null | undefined): string {
  return JSON.stringify(
    (ports ?? []).map(({ name, protocol, port, appProtocol }) => [name, protocol, port, appProtocol]),
  );
}

/**
 * Brings slices to what is wanted while touching as few as possible: endpoints stay in the slice that they are in,
 * new ones fill the fullest slices that have room, then new slices are made. `refresh` gives a slice its labels.
 */
export function planSlices(
  groups: readonly PortGroup[],
  existing: readonly EndpointSlice[],
  max: number,
  refresh: (slice: EndpointSlice) => EndpointSlice,
): SlicePlan {
  const create: { ports: readonly SlicePort[]; endpoints: readonly Endpoint[] }[] = [];
  const update: EndpointSlice[] = [];
  const remove: EndpointSlice[] = [];
  const wanted = new Map(
    groups.filter((group) => group.endpoints.length > 0).map((group) => [portsKey(group.ports), group]),
  );
  for (const slice of existing) if (!wanted.has(portsKey(slice.ports))) remove.push(slice);
  for (const [key, group] of wanted) {
    const slices = existing.filter((slice) => portsKey(slice.ports) === key);
    planGroup(group, slices, max, refresh, { create, update, remove });
  }
  return { create, update, remove };
}

/** A service that nobody stands behind still has one slice, an empty one, so that it can be told from one not looked at yet. */
export function withPlaceholder(plan: SlicePlan, existing: readonly EndpointSlice[]): SlicePlan {
  if (plan.create.length > 0 || plan.remove.length < existing.length) return plan;
  const placeholder = existing.find((slice) => (slice.endpoints ?? []).length + (slice.ports ?? []).length === 0);
  if (!placeholder) return { ...plan, create: [{ ports: [], endpoints: [] }] };
  return { ...plan, remove: plan.remove.filter((slice) => slice !== placeholder) };
}

interface Collected {
  readonly create: { ports: readonly SlicePort[]; endpoints: readonly Endpoint[] }[];
  readonly update: EndpointSlice[];
  readonly remove: EndpointSlice[];
}

function planGroup(
  group: PortGroup,
  slices: readonly EndpointSlice[],
  max: number,
  refresh: (slice: EndpointSlice) => EndpointSlice,
  plan: Collected,
): void {
  const missing = new Map(group.endpoints.map((endpoint) => [keyOf(endpoint), endpoint]));
  const kept = slices.map((slice) => {
    const endpoints = (slice.endpoints ?? []).flatMap((endpoint) => {
      const now = missing.get(keyOf(endpoint));
      missing.delete(keyOf(endpoint));
      return now ? [now] : [];
    });
    return { slice, endpoints };
  });
  const waiting = [...missing.values()];
  for (const entry of [...kept].sort((a, b) => b.endpoints.length - a.endpoints.length)) {
    if (entry.endpoints.length > 0 || kept.length === 1)
      entry.endpoints.push(...waiting.splice(0, max - entry.endpoints.length));
  }
  while (waiting.length > 0) plan.create.push({ ports: group.ports, endpoints: waiting.splice(0, max) });
  for (const { slice, endpoints } of kept) {
    const next = refresh({ ...slice, endpoints });
    if (endpoints.length === 0) plan.remove.push(slice);
    else if (!sameSlice(next, slice)) plan.update.push(next);
  }
}

function sameSlice(a: EndpointSlice, b: EndpointSlice): boolean {
  const content = (slice: EndpointSlice): unknown => [(slice.endpoints ?? []).map(bare), slice.metadata.labels ?? {}];
  return deepEqual(content(a), content(b));
}

/** A slice as it is first written. */
export function newSlice(
  metadata: Draft<EndpointSlice>['metadata'],
  { ports, endpoints }: SlicePlan['create'][number],
): Draft<EndpointSlice> {
  return { ...(metadata ? { metadata } : {}), addressType: 'IPv4', ports: [...ports], endpoints: [...endpoints] };
}
