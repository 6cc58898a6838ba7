import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useState, type RefObject } from 'react';
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

/** The size at which a map is drawn: what fits, until somebody chooses another. */
export function useZoom(place: RefObject<HTMLElement | null>, map: Size): Zoom {
  const [chosen, set] = useState<number>();
  const [room, setRoom] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const size = new ResizeObserver(() => setRoom({ width: element.clientWidth, height: element.clientHeight - HINT }));
    size.observe(element);
    return () => size.disconnect();
  }, [place]);
  return { zoom: chosen ?? fitOf(room, map), set };
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
