/** The current usage of a pod's containers. */
import type { Pod } from '../../client/index.ts';
import type { Candidate } from '../eviction.ts';
import type { PodUse } from '../usage.ts';
import type { ContainerRecord } from './record.ts';

/** The usage of the running containers; undefined if there are none. */
export function useOf({ metadata }: Pod, records: readonly ContainerRecord[]): PodUse | undefined {
  const containers = records.flatMap(({ name, state }) => {
    const container = state.is === 'running' ? state.process?.container : undefined;
    const { millicores = 0, memory = 0 } = container?.usage() ?? {};
    return container ? [{ name, millicores, memory }] : [];
  });
  const { namespace, name, uid } = metadata;
  return containers.length > 0 ? { namespace, name, uid, containers } : undefined;
}

/** The memory of the containers that run, in bytes. */
export function memoryIn(records: readonly ContainerRecord[]): number {
  let sum = 0;
  for (const { state } of records) if (state.is === 'running') sum += state.process?.container.memory ?? 0;
  return sum;
}

/** A pod as a candidate for eviction. */
export function candidateOf(pod: Pod, records: readonly ContainerRecord[]): Candidate {
  const memory = new Map(useOf(pod, records)?.containers.map(({ name, memory: bytes }) => [name, bytes]));
  const disk = records.map(({ name, state }): [string, number] => [
    name,
    state.is === 'running' ? (state.process?.log.size ?? 0) : 0,
  ]);
  return { pod, memory, disk: new Map(disk) };
}
