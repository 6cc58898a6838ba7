import { Maximize, ZoomIn, ZoomOut } from 'lucide-preact';
import { useLayoutEffect, useState, type RefObject } from 'preact/compat';
import { IconButton } from '../../parts/index.ts';
import { fitOf, zoomed, type Size } from './mapSize.ts';
import styles from './NetworkMap.module.css';

export interface Zoom {
  readonly zoom: number;
  /** Undefined fits the map into its place. */
  readonly set: (zoom: number | undefined) => void;
}

/** Pixels that the line above the map takes. */
const HINT = 64;

/** The place that there is for a map, in pixels; measured before it is drawn for the first time. */
export function usePlace(element: RefObject<HTMLElement | null>): Size {
  const [place, setPlace] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    const { current } = element;
    if (!current) return;
    const measure = (): void => setPlace({ width: current.clientWidth, height: current.clientHeight - HINT });
    measure();
    const size = new ResizeObserver(measure);
    size.observe(current);
    return () => size.disconnect();
  }, [element]);
  return place;
}

/** The size at which a map is drawn: what fits, until somebody chooses another. */
export function useZoom(place: Size, map: Size): Zoom {
  const [chosen, set] = useState<number>();
  return { zoom: chosen ?? fitOf(place, map), set };
}

export function ZoomButtons({ zoom, set }: Zoom) {
  return (
    <span className={styles.zoom} role="group" aria-label="Size of the map">
      <IconButton icon={ZoomOut} label="Smaller" onClick={() => set(zoomed(zoom, 'out'))} />
      <IconButton icon={Maximize} label="Fit" onClick={() => set(undefined)} />
      <IconButton icon={ZoomIn} label="Larger" onClick={() => set(zoomed(zoom, 'in'))} />
    </span>
  );
}
