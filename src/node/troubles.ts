import type { Node } from '../client/index.ts';
import { faultValue } from '../faults/index.ts';
import { quantityOf } from '../schema/index.ts';
import { getOwn } from '../std/index.ts';
import type { Shortage } from './eviction.ts';
import { memoryWith } from './usage.ts';

/** The resource that evictions reclaim, by node condition. */
export const SHORTAGES: Readonly<Record<string, Shortage>> = {
  MemoryPressure: 'memory',
  DiskPressure: 'ephemeral-storage',
  PIDPressure: 'pids',
};

/** The conditions that the fault `node-pressure` sets. */
const PRESSURES: Readonly<Record<string, string>> = {
  memory: 'MemoryPressure',
  disk: 'DiskPressure',
  pid: 'PIDPressure',
  runtime: 'Ready',
};

/** The minimum of free memory in bytes. */
const LEAST_MEMORY = 100 * 1024 * 1024;

const NO_TROUBLES: ReadonlySet<string> = new Set();

/** The bad conditions of a node: those of a fault, and memory pressure if pods, which use so much, leave too little. */
export function troublesOf({ metadata, status }: Node, podMemory: number): ReadonlySet<string> {
  const fault = faultValue('node-pressure', metadata.annotations);
  const memory = status.capacity?.['memory'];
  const isFull = memory !== undefined && memoryWith(podMemory) > quantityOf(memory).value() - LEAST_MEMORY;
  if (fault === undefined && !isFull) return NO_TROUBLES;
  const faults = (fault ?? '')
    .split(',')
    .map((word) => getOwn(PRESSURES, word.trim()))
    .filter((type) => type !== undefined);
  return new Set([...faults, ...(isFull ? ['MemoryPressure'] : [])]);
}
