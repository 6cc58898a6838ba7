import { useEffect, useMemo, useRef, type RefObject } from 'preact/compat';
import { useFlows } from '../../stores/flows.ts';
import { nodesByPod, pairsOf } from './flowPairs.ts';
import { curveOf, type PlacedWorkload } from './mapLayout.ts';
import { Movement } from './movement.ts';
import styles from './NetworkMap.module.css';

interface MovingFlowsProps {
  readonly placed: ReadonlyMap<string, PlacedWorkload>;
  readonly map: RefObject<HTMLElement | null>;
  readonly zoom: number;
  /** Where the lines begin in the map. */
  readonly margin: number;
}

/** Each new connection runs along its line, once; not for people who asked for less motion. */
export function MovingFlows({ placed, map, zoom, margin }: MovingFlowsProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const movement = useRef<Movement>(undefined);
  const rows = useFlows((flows) => flows.rows);
  const last = useRef(rows[0]?.id ?? 0);
  const byPod = useMemo(() => nodesByPod(placed), [placed]);
  useEffect(() => {
    if (!canvas.current || !map.current) return;
    const made = new Movement(canvas.current, map.current);
    movement.current = made;
    return () => made.stop();
  }, [map]);
  useEffect(() => {
    const fresh = rows.filter(({ id }) => id > last.current);
    last.current = rows[0]?.id ?? last.current;
    if (fresh.length === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const moved = (node: PlacedWorkload): PlacedWorkload => ({ ...node, x: node.x + margin, y: node.y + margin });
    const lines = pairsOf(fresh, byPod).map(({ from, to, look }) => ({ curve: curveOf(moved(from), moved(to)), look }));
    movement.current?.add(lines, zoom);
  }, [rows, byPod, zoom, margin]);
  return <canvas ref={canvas} className={styles.moving} aria-hidden width={0} height={0} />;
}
