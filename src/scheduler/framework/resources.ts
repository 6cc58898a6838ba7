import type { Node, Pod } from '../../client/index.ts';
import { quantityOf, type objects } from '../../schema/index.ts';

/** Amounts by resource name: CPU in thousandths of a core, everything else in whole units (bytes, pieces). */
export type Resources = Readonly<Record<string, number>>;

type Quantities = Readonly<Record<string, string>> | undefined;

/** What containers that say nothing are assumed to use, when nodes are compared. */
const ASSUMED_CPU = 100;
const ASSUMED_MEMORY = 200 * 1024 * 1024;

function amount(resource: string, quantity: string): number {
  return resource === 'cpu' ? quantityOf(quantity).milliValue() : quantityOf(quantity).value();
}

export function amounts(quantities: Quantities): Resources {
  return Object.fromEntries(Object.entries(quantities ?? {}).map(([name, quantity]) => [name, amount(name, quantity)]));
}

export function add(a: Resources, b: Resources): Resources {
  const sum: Record<string, number> = { ...a };
  for (const [name, value] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + value;
  return sum;
}

function largest(a: Resources, b: Resources): Resources {
  const result: Record<string, number> = { ...a };
  for (const [name, value] of Object.entries(b)) result[name] = Math.max(result[name] ?? 0, value);
  return result;
}

/** What a pod needs: all containers together, or the largest init container, since those run one after another; and its overhead. */
export function requestOf(pod: Pod): Resources {
  return total(pod, (container) => amounts(container.resources?.requests));
}

/** CPU and memory of a pod when nodes are compared: containers that ask for nothing still count. */
export function assumedRequestOf(pod: Pod): Resources {
  return total(pod, (container) => {
    const { cpu, memory } = container.resources?.requests ?? {};
    return {
      cpu: cpu === undefined ? ASSUMED_CPU : amount('cpu', cpu),
      memory: memory === undefined ? ASSUMED_MEMORY : amount('memory', memory),
    };
  });
}

function total(pod: Pod, request: (container: objects.Container) => Resources): Resources {
  const running = (pod.spec.containers ?? []).map(request).reduce(add, {});
  const initial = (pod.spec.initContainers ?? []).map(request).reduce(largest, {});
  return add(largest(running, initial), amounts(pod.spec.overhead));
}

export function allocatableOf(node: Node): Resources {
  return amounts(node.status.allocatable ?? node.status.capacity);
}

/** Resources that no device or system accounts for by itself: everything that isn't one of the well-known. */
export function isScalar(name: string): boolean {
  return !['cpu', 'memory', 'ephemeral-storage', 'pods'].includes(name);
}
