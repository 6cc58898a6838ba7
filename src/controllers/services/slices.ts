/** Packs endpoints into slices with as few writes as possible. */
import type { EndpointSlice } from '../../client/index.ts';
import { deepEqual } from '../../std/index.ts';

export type Endpoint = NonNullable<EndpointSlice['endpoints']>[number];
export type SlicePort = NonNullable<EndpointSlice['ports']>[number];
export type AddressType = 'IPv4' | 'IPv6';

/** Endpoints of one address type with the same ports, which can share slices. */
export interface EndpointGroup {
  readonly addressType: AddressType;
  readonly ports: readonly SlicePort[];
  readonly endpoints: readonly Endpoint[];
}

export interface SliceUpdate {
  readonly slice: EndpointSlice;
  readonly ports: readonly SlicePort[];
  readonly endpoints: readonly Endpoint[];
  /** Whether the slice is overwritten as if it were new, so that it loses foreign annotations. */
  readonly isReused?: boolean;
  /** Whether it is written over by its name alone, so that it loses the prefix that its name was made from. */
  readonly losesPrefix?: boolean;
}

export interface SlicePlan {
  readonly create: readonly EndpointGroup[];
  readonly update: readonly SliceUpdate[];
  readonly remove: readonly EndpointSlice[];
}

export interface PackingOptions {
  /** The maximum number of endpoints in a slice. */
  readonly max: number;
  /** Whether a slice has the desired labels. */
  readonly isLabelled: (slice: EndpointSlice) => boolean;
  /** Whether a slice belongs to the service. Others, which an older service of this name left, are deleted. */
  readonly isOwned: (slice: EndpointSlice) => boolean;
  /** Whether a slice has the labels and the annotations of a new one. */
  readonly isAsNew: (slice: EndpointSlice) => boolean;
}

const nothing: SlicePlan = { create: [], update: [], remove: [] };

/** The identity of an endpoint: its addresses, its host name and its pod. */
function endpointKey({ addresses, hostname, targetRef }: Endpoint): string {
  const sorted = [...(addresses ?? [])].sort();
  return JSON.stringify([sorted, hostname ?? '', targetRef?.namespace ?? '', targetRef?.name ?? '']);
}

/** Whether two endpoints with the same key are equal, with pods at the same revision. */
function sameEndpoint(a: Endpoint, b: Endpoint): boolean {
  const bare = ({ conditions, topology, targetRef }: Endpoint): unknown => [
    conditions?.ready,
    topology ?? {},
    targetRef ?? {},
  ];
  return deepEqual(bare(a), bare(b));
}

/** Slices with equal keys can hold the same endpoints. The order of their ports does not matter. */
export function groupKey(addressType: string, ports: readonly SlicePort[] | null | undefined): string {
  const texts = (ports ?? []).map(({ name, protocol, port, appProtocol }) =>
    JSON.stringify([name ?? '', protocol ?? 'TCP', port, appProtocol]),
  );
  return `${addressType} ${texts.sort().join()}`;
}

const keyOfSlice = (slice: EndpointSlice): string => groupKey(slice.addressType, slice.ports);

/**
 * Plans the slices of a service. Every one of `addressTypes` keeps at least one slice, even if it is empty. Slices of
 * other address types, and those that the service does not own, are deleted.
 */
export function planSlices(
  groups: readonly EndpointGroup[],
  addressTypes: readonly AddressType[],
  existing: readonly EndpointSlice[],
  options: PackingOptions,
): SlicePlan {
  const owned = existing.filter(options.isOwned);
  const plans = addressTypes.map((addressType) => {
    const own = owned.filter((slice) => slice.addressType === addressType);
    const plan = planGroups(
      groups.filter((group) => group.addressType === addressType),
      own,
      (group, slices) => packGroup(group, slices, options),
    );
    return reuseSlices(withPlaceholder(plan, own, addressType), options.isAsNew);
  });
  const kept = new Set(owned.filter(({ addressType }) => addressTypes.some((type) => type === addressType)));
  const others = existing.filter((slice) => !kept.has(slice));
  return merge([...plans, { ...nothing, remove: others }]);
}

/** Plans the slices that mirror manually managed Endpoints: one for each group, reusing the first existing slice. */
export function planMirror(groups: readonly EndpointGroup[], existing: readonly EndpointSlice[]): SlicePlan {
  return reuseSlices(planGroups(groups, existing, mirrorGroup), () => true);
}

/** Plans each group with the slices that match its key. Slices without a group are deleted. */
function planGroups(
  groups: readonly EndpointGroup[],
  existing: readonly EndpointSlice[],
  planGroup: (group: EndpointGroup, slices: readonly EndpointSlice[]) => SlicePlan,
): SlicePlan {
  const wanted = new Set(groups.map((group) => groupKey(group.addressType, group.ports)));
  const plans = groups.map((group) =>
    planGroup(
      group,
      existing.filter((slice) => keyOfSlice(slice) === groupKey(group.addressType, group.ports)),
    ),
  );
  return merge([...plans, { ...nothing, remove: existing.filter((slice) => !wanted.has(keyOfSlice(slice))) }]);
}

const merge = (plans: readonly SlicePlan[]): SlicePlan => ({
  create: plans.flatMap(({ create }) => create),
  update: plans.flatMap(({ update }) => update),
  remove: plans.flatMap(({ remove }) => remove),
});

/** Without any endpoint there is an empty slice, which shows that the service was reconciled. */
function withPlaceholder(plan: SlicePlan, existing: readonly EndpointSlice[], addressType: AddressType): SlicePlan {
  if (plan.remove.length < existing.length || plan.create.length > 0) return plan;
  return { ...plan, create: [{ addressType, ports: [], endpoints: [] }] };
}

/** Overwrites slices that would be deleted with those that would be created, so that one write replaces two. */
function reuseSlices(plan: SlicePlan, isAsNew: PackingOptions['isAsNew']): SlicePlan {
  const create = [...plan.create];
  const update = [...plan.update];
  const remove = plan.remove.filter((slice) => {
    const at = create.findLastIndex(({ addressType }) => addressType === slice.addressType);
    const [group] = at === -1 ? [] : create.splice(at, 1);
    if (group && !(isSame(slice, group) && isAsNew(slice)))
      update.push({ slice, ports: group.ports, endpoints: group.endpoints, isReused: true });
    return group === undefined;
  });
  return { create, update, remove };
}

function isSame(slice: EndpointSlice, { addressType, ports, endpoints }: EndpointGroup): boolean {
  return keyOfSlice(slice) === groupKey(addressType, ports) && (slice.endpoints ?? []).length + endpoints.length === 0;
}

/** A slice while its group is packed. */
interface Packed {
  readonly slice: EndpointSlice;
  readonly endpoints: Endpoint[];
  changed: boolean;
}

/**
 * Endpoints stay in their slice. New ones fill slices that change anyway, the fullest first; the rest go into the
 * unchanged slice that they fill best, or into new slices.
 */
function packGroup(
  group: EndpointGroup,
  slices: readonly EndpointSlice[],
  { max, isLabelled }: PackingOptions,
): SlicePlan {
  const missing = new Map(group.endpoints.map((endpoint) => [endpointKey(endpoint), endpoint]));
  const all = slices.map((slice) => keepEndpoints(slice, missing, isLabelled(slice)));
  const emptied = all.filter(({ slice, endpoints }) => endpoints.length === 0 && (slice.endpoints ?? []).length > 0);
  const packed = all.filter((entry) => !emptied.includes(entry));
  const waiting = [...missing.values()];
  const changing = packed.filter(({ changed }) => changed);
  for (const { endpoints } of changing.sort((a, b) => b.endpoints.length - a.endpoints.length))
    endpoints.push(...waiting.splice(0, Math.max(0, max - endpoints.length)));
  const create: EndpointGroup[] = [];
  while (waiting.length > 0) {
    const best = waiting.length < max ? bestFit(packed, waiting.length, max) : undefined;
    if (best) {
      best.endpoints.push(...waiting.splice(0));
      best.changed = true;
    } else create.push({ ...group, endpoints: waiting.splice(0, max) });
  }
  const update = packed
    .filter(({ changed }) => changed)
    .map(({ slice, endpoints }) => ({ slice, ports: slice.ports ?? [], endpoints }));
  return { create, update, remove: emptied.map(({ slice }) => slice) };
}

/** The endpoints of a slice that are still desired, in their current state. Removes them from `missing`. */
function keepEndpoints(slice: EndpointSlice, missing: Map<string, Endpoint>, isLabelled: boolean): Packed {
  let changed = !isLabelled;
  const endpoints = (slice.endpoints ?? []).flatMap((endpoint) => {
    const now = missing.get(endpointKey(endpoint));
    missing.delete(endpointKey(endpoint));
    changed ||= !now || !sameEndpoint(now, endpoint);
    return now ? [now] : [];
  });
  return { slice, endpoints, changed };
}

/** The unchanged slice with the least free space after adding `count` endpoints. */
function bestFit(packed: readonly Packed[], count: number, max: number): Packed | undefined {
  const roomAfter = ({ endpoints }: Packed): number => max - endpoints.length - count;
  const fitting = packed.filter((entry) => !entry.changed && roomAfter(entry) >= 0);
  return fitting.sort((a, b) => roomAfter(a) - roomAfter(b))[0];
}

/** Labels of mirrored slices are updated only when endpoints change, as in the reference. */
function mirrorGroup(group: EndpointGroup, slices: readonly EndpointSlice[]): SlicePlan {
  const [first, ...remove] = slices;
  if (group.endpoints.length === 0) return { ...nothing, remove: slices };
  if (!first) return { ...nothing, create: [group] };
  const missing = new Map(group.endpoints.map((endpoint) => [endpointKey(endpoint), endpoint]));
  const { changed } = keepEndpoints(first, missing, true);
  if (!changed && missing.size === 0) return { ...nothing, remove };
  const update = { slice: first, ports: group.ports, endpoints: group.endpoints, isReused: true, losesPrefix: true };
  return { create: [], update: [update], remove };
}
