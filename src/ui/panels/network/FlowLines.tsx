import { useMemo } from 'react';
import { cx } from '../../parts/index.ts';
import { useFlows, useRecentFlows, type SeenFlow } from '../../stores/flows.ts';
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

/** More lines that move at once show no more, and cost every frame. */
const MOST_MOVING = 60;

interface FlowLinesProps {
  readonly placed: ReadonlyMap<string, PlacedWorkload>;
  /** Whether something else is in focus. */
  readonly calm: boolean;
}

/** Connections between the workloads of the map: a line for each pair that was seen, which moves with each new connection. */
export function FlowLines({ placed, calm }: FlowLinesProps) {
  const seen = useFlows((flows) => flows.rows);
  const recent = useRecentFlows();
  const byPod = useMemo(() => nodesByPod(placed), [placed]);
  const passing = useMemo(() => passingBetween(recent, byPod), [recent, byPod]);
  const known = useMemo(() => passingBetween(seen, byPod), [seen, byPod]);
  return (
    <>
      {known.map(({ from, to, look }) => (
        <path
          key={pairOf(from, to)}
          data-flow={pairOf(from, to)}
          data-look={look}
          className={cx(styles.line, calm ? styles.calm : styles.seen, looks[look])}
          d={curveBetween(from, to)}
        />
      ))}
      {passing.slice(0, MOST_MOVING).map(({ from, to, look, id }) => (
        <path
          key={`${pairOf(from, to)} ${id}`}
          className={cx(styles.line, styles.passing, looks[look])}
          d={curveBetween(from, to)}
        />
      ))}
    </>
  );
}

const pairOf = (from: PlacedWorkload, to: PlacedWorkload): string => `${from.workload.key}>${to.workload.key}`;

function nodesByPod(placed: ReadonlyMap<string, PlacedWorkload>): ReadonlyMap<string, PlacedWorkload> {
  const nodes = [...placed.values()];
  const outside = nodes.filter(({ workload }) => workload.kind === 'Outside');
  return new Map([
    ...outside.map((node) => [node.workload.key, node] as const),
    ...nodes.flatMap((node) =>
      node.workload.pods.map(({ metadata }) => [`${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`, node] as const),
    ),
  ]);
}

/** The newest flow decides how the line of a pair looks. */
function passingBetween(flows: readonly SeenFlow[], byPod: ReadonlyMap<string, PlacedWorkload>): Passing[] {
  const found = new Map<string, Passing>();
  for (const flow of flows) {
    const from = byPod.get(flow.from.pod ?? flow.from.address);
    const to = flow.to && byPod.get(flow.to.pod ?? flow.to.address);
    if (!from || !to || from === to) continue;
    const key = pairOf(from, to);
    if (!found.has(key)) found.set(key, { from, to, look: lookOf(flow), id: flow.id });
  }
  return [...found.values()];
}
