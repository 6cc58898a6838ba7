import type { Node, Pod } from '../../client/index.ts';
import { quantityOf, type objects } from '../../schema/index.ts';

/** Amounts of resources: CPU in millicores, memory and storage in bytes, everything else as counts. */
export interface Resources {
  readonly cpu: number;
  readonly memory: number;
  readonly ephemeralStorage: number;
  readonly pods: number;
  /** Extended resources, huge pages and attachable volumes, by name. */
  readonly scalars: ReadonlyMap<string, number>;
}

type Quantities = Readonly<Record<string, string>> | undefined;

/** CPU and memory alone, for containers without requests. */
export type CpuAndMemory = Pick<Resources, 'cpu' | 'memory'>;

/** The default amount of a container without requests, for scoring. */
const DEFAULT_CPU = 100;
const DEFAULT_MEMORY = 200 * 1024 * 1024;

const NO_SCALARS: ReadonlyMap<string, number> = new Map();
export const NO_RESOURCES: Resources = { cpu: 0, memory: 0, ephemeralStorage: 0, pods: 0, scalars: NO_SCALARS };

/** The fields of `Resources` by the names that objects use. */
const FIELDS: Readonly<Record<string, 'cpu' | 'memory' | 'ephemeralStorage' | 'pods'>> = {
  cpu: 'cpu',
  memory: 'memory',
  'ephemeral-storage': 'ephemeralStorage',
  pods: 'pods',
};

const fieldOf = (name: string): (typeof FIELDS)[string] | undefined =>
  Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined;

/** Whether a resource has no field of its own. */
export const isScalar = (name: string): boolean => fieldOf(name) === undefined;

/** The amount of a resource; 0 if undefined. */
export function amountOf(resources: Resources, name: string): number {
  switch (name) {
    case 'cpu':
    case 'memory':
    case 'pods':
      return resources[name];
    case 'ephemeral-storage':
      return resources.ephemeralStorage;
    default:
      return resources.scalars.get(name) ?? 0;
  }
}

export function resourcesOf(quantities: Quantities): Resources {
  if (!quantities) return NO_RESOURCES;
  const sum = { cpu: 0, memory: 0, ephemeralStorage: 0, pods: 0 };
  let scalars: Map<string, number> | undefined;
  for (const [name, quantity] of Object.entries(quantities)) {
    const field = fieldOf(name);
    if (field) sum[field] = field === 'cpu' ? quantityOf(quantity).milliValue() : quantityOf(quantity).value();
    else (scalars ??= new Map<string, number>()).set(name, quantityOf(quantity).value());
  }
  const { cpu, memory, ephemeralStorage, pods } = sum;
  return { cpu, memory, ephemeralStorage, pods, scalars: scalars ?? NO_SCALARS };
}

/** Combines two amounts resource by resource. */
function combine(a: Resources, b: Resources, of: (x: number, y: number) => number): Resources {
  let { scalars } = a;
  if (b.scalars.size > 0) {
    const all = new Map(a.scalars);
    for (const [name, amount] of b.scalars) all.set(name, of(all.get(name) ?? 0, amount));
    scalars = all;
  }
  return {
    cpu: of(a.cpu, b.cpu),
    memory: of(a.memory, b.memory),
    ephemeralStorage: of(a.ephemeralStorage, b.ephemeralStorage),
    pods: of(a.pods, b.pods),
    scalars,
  };
}

const sum = (x: number, y: number): number => x + y;
const difference = (x: number, y: number): number => x - y;

export const add = (a: Resources, b: Resources): Resources => combine(a, b, sum);
export const subtract = (a: Resources, b: Resources): Resources => combine(a, b, difference);
const largest = (a: Resources, b: Resources): Resources => combine(a, b, Math.max);

/**
 * The request of a pod: the sum of all containers or the largest init container, because init containers run one after
 * another, plus overhead.
 */
export function requestOf({ spec }: Pod): Resources {
  const requests = (container: objects.Container): Resources => resourcesOf(container.resources?.requests);
  const containers = spec.containers ?? [];
  const only = containers.length === 1 ? containers[0] : undefined;
  const running = only ? requests(only) : containers.map(requests).reduce(add, NO_RESOURCES);
  const init = spec.initContainers ?? [];
  const needed = init.length === 0 ? running : init.map(requests).reduce(largest, running);
  return spec.overhead ? add(needed, resourcesOf(spec.overhead)) : needed;
}

/** CPU and memory of a pod for scoring, without overhead: containers without requests count with a default. */
export function nonZeroRequestOf({ spec }: Pod): CpuAndMemory {
  const total = { cpu: 0, memory: 0 };
  for (const container of spec.containers ?? []) {
    const { cpu, memory } = nonZero(container);
    total.cpu += cpu;
    total.memory += memory;
  }
  for (const container of spec.initContainers ?? []) {
    const { cpu, memory } = nonZero(container);
    total.cpu = Math.max(total.cpu, cpu);
    total.memory = Math.max(total.memory, memory);
  }
  return total;
}

function nonZero({ resources }: objects.Container): CpuAndMemory {
  const { cpu, memory } = resources?.requests ?? {};
  return {
    cpu: cpu === undefined ? DEFAULT_CPU : quantityOf(cpu).milliValue(),
    memory: memory === undefined ? DEFAULT_MEMORY : quantityOf(memory).value(),
  };
}

/** A pod's CPU and memory as part of its node's usage. */
export function nonZeroUseOf(pod: Pod, request = nonZeroRequestOf(pod)): CpuAndMemory {
  const { cpu, memory } = resourcesOf(pod.spec.overhead);
  return { cpu: request.cpu + cpu, memory: request.memory + memory };
}

/**
 * A pod's CPU and memory for scoring. Like the reference this counts CPU overhead in whole cores, as if they were
 * millicores.
 */
export function scoredRequestOf(pod: Pod, request = nonZeroRequestOf(pod)): CpuAndMemory {
  const { cpu, memory } = pod.spec.overhead ?? {};
  return {
    cpu: request.cpu + quantityOf(cpu).value(),
    memory: request.memory + quantityOf(memory).value(),
  };
}

export function allocatableOf(node: Node): Resources {
  return resourcesOf(node.status.allocatable ?? node.status.capacity);
}
