import { memo, useEffect, useMemo, useState } from 'preact/compat';
import { cx } from '../../parts/index.ts';
import { useFlows, type SeenFlow } from '../../stores/flows.ts';
import { nodesByPod, pairsOf, type FlowPair } from './flowPairs.ts';
import type { FlowLook } from './flowText.ts';
import { curveBetween, type PlacedWorkload } from './mapLayout.ts';
import styles from './NetworkMap.module.css';

const looks: Readonly<Record<FlowLook, string | undefined>> = {
  delivered: styles.all,
  denied: styles.none,
  failed: styles.some,
};

interface FlowLinesProps {
  readonly placed: ReadonlyMap<string, PlacedWorkload>;
  /** Whether something else is in focus. */
  readonly calm: boolean;
}

/** Connections between the workloads of the map: a line for each pair that was seen. */
export function FlowLines({ placed, calm }: FlowLinesProps) {
  const seen = useSeenFlows();
  const byPod = useMemo(() => nodesByPod(placed), [placed]);
  // In an order that lasts: lines that only change places would all be drawn again.
  const pairs = useMemo(
    () =>
      pairsOf(seen, byPod)
        .slice(0, MOST_LINES)
        .sort((a, b) => (a.name < b.name ? -1 : 1)),
    [seen, byPod],
  );
  return pairs.map((pair) => <FlowLine key={pair.name} {...pair} calm={calm} />);
}

/** Many lines are drawn anew less often than few: milliseconds for each flow that is kept. */
const MS_PER_FLOW = 4;

/** Of more pairs, the lines of the newest are shown: others couldn't be told apart, and each costs time to draw. */
const MOST_LINES = 250;

/** The flows that are kept, at a pace at which their lines can be drawn. */
function useSeenFlows(): readonly SeenFlow[] {
  const [seen, setSeen] = useState(() => useFlows.getState().rows);
  useEffect(() => {
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const show = (): void => {
      waiting = undefined;
      setSeen(useFlows.getState().rows);
    };
    const end = useFlows.subscribe(({ rows }) => {
      waiting ??= setTimeout(show, rows.length * MS_PER_FLOW);
    });
    return () => {
      end();
      clearTimeout(waiting);
    };
  }, []);
  return seen;
}

const FlowLine = memo(({ name, from, to, look, calm }: FlowPair & { readonly calm: boolean }) => (
  <path
    data-flow={name}
    data-look={look}
    className={cx(styles.line, calm ? styles.calm : styles.seen, looks[look])}
    d={curveBetween(from, to)}
  />
));
