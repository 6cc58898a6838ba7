/** Which workloads of the map connect to each other. */
import type { SeenFlow } from '../../stores/flows.ts';
import { lookOf, type FlowLook } from './flowText.ts';
import type { PlacedWorkload } from './mapLayout.ts';

export interface FlowPair {
  /** `FROM>TO`, by the keys of both. */
  readonly name: string;
  readonly from: PlacedWorkload;
  readonly to: PlacedWorkload;
  readonly look: FlowLook;
}

const pairOf = (from: PlacedWorkload, to: PlacedWorkload): string => `${from.workload.key}>${to.workload.key}`;

/** The nodes of the map by the pods that they stand for. */
export function nodesByPod(placed: ReadonlyMap<string, PlacedWorkload>): ReadonlyMap<string, PlacedWorkload> {
  const nodes = [...placed.values()];
  const outside = nodes.filter(({ workload }) => workload.kind === 'Outside');
  return new Map([
    ...outside.map((node) => [node.workload.key, node] as const),
    ...nodes.flatMap((node) =>
      node.workload.pods.map(({ metadata }) => [`${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`, node] as const),
    ),
  ]);
}

/** The pairs of nodes between which flows went; the newest flow decides how the line of a pair looks. */
export function pairsOf(flows: readonly SeenFlow[], byPod: ReadonlyMap<string, PlacedWorkload>): FlowPair[] {
  const found = new Map<string, FlowPair>();
  for (const flow of flows) {
    const from = byPod.get(flow.from.pod ?? flow.from.address);
    const to = flow.to && byPod.get(flow.to.pod ?? flow.to.address);
    if (!from || !to || from === to) continue;
    const name = pairOf(from, to);
    if (!found.has(name)) found.set(name, { name, from, to, look: lookOf(flow) });
  }
  return [...found.values()];
}
