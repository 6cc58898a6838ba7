import { useMemo } from 'react';
import { cx } from '../../parts/index.ts';
import { useRecentFlows, type SeenFlow } from '../../stores/flows.ts';
import { lookOf, type FlowLook } from './flowText.ts';
import { curveBetween, type PlacedWorkload } from './mapLayout.ts';
import styles from './NetworkMap.module.css';

interface Passing {
  readonly from: PlacedWorkload;
  readonly to: PlacedWorkload;
  readonly look: FlowLook;
  /** Of the newest flow. */
  readonly id: number;
}

const looks: Readonly<Record<FlowLook, string | undefined>> = {
  delivered: styles.all,
  denied: styles.none,
  failed: styles.some,
};

/** Connections of the last moments between the workloads of the map: a line for each pair, which moves with each new one. */
export function FlowLines({ placed }: { readonly placed: ReadonlyMap<string, PlacedWorkload> }) {
  const recent = useRecentFlows();
  const byPod = useMemo(() => nodesByPod(placed), [placed]);
  const passing = useMemo(() => passingBetween(recent, byPod), [recent, byPod]);
  return passing.map(({ from, to, look, id }) => (
    <path
      key={`${from.workload.key}>${to.workload.key} ${id}`}
      className={cx(styles.line, styles.passing, looks[look])}
      d={curveBetween(from, to)}
    />
  ));
}

function nodesByPod(placed: ReadonlyMap<string, PlacedWorkload>): ReadonlyMap<string, PlacedWorkload> {
  const nodes = [...placed.values()];
  return new Map(
    nodes.flatMap((node) =>
      node.workload.pods.map(({ metadata }) => [`${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`, node] as const),
    ),
  );
}

/** The newest flow decides how the line of a pair looks. */
function passingBetween(flows: readonly SeenFlow[], byPod: ReadonlyMap<string, PlacedWorkload>): Passing[] {
  const found = new Map<string, Passing>();
  for (const flow of flows) {
    const from = byPod.get(flow.from.pod ?? '');
    const to = byPod.get(flow.to?.pod ?? '');
    if (!from || !to || from === to) continue;
    const key = `${from.workload.key}>${to.workload.key}`;
    if (!found.has(key)) found.set(key, { from, to, look: lookOf(flow), id: flow.id });
  }
  return [...found.values()];
}
