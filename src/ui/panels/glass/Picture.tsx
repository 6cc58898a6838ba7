import { useCallback, useEffect, useRef, type MouseEvent, type RefObject } from 'preact/compat';
import { cx, later } from '../../parts/index.ts';
import { go } from '../../stores/address.ts';
import { onAppearance, readInk, type Ink } from './canvas/colours.ts';
import { draw, type Edge } from './canvas/draw.ts';
import { lineFrom, wayToWatcher, type Plan } from './canvas/geometry.ts';
import { onPlan } from './canvas/measure.ts';
import type { Glass } from './glass.ts';
import { useGlass, useKindOf } from './hooks.ts';
import { edgeFrom, edgeTo } from './model/engine.ts';
import { label, type KindOf } from './model/sentences.ts';
import { shownStops } from './model/stops.ts';
import { Askers } from './Askers.tsx';
import { Server } from './Server.tsx';
import { Watchers } from './Watchers.tsx';
import styles from './Picture.module.css';

const Stops = later(() => import('./Stops.tsx'), null);

/** Boxes that are read, and over them a canvas on which everything moves. */
export function Picture() {
  const glass = useGlass();
  const stage = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const kindOf = useKindOf();
  useMotion(glass, stage, canvas, kindOf);
  const open = (event: MouseEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    const point = { x: event.clientX - box.left, y: event.clientY - box.top };
    const request = glass.scene.hit(point, performance.now());
    if (request) go({ query: { sel: `request:${request}`, tab: undefined } });
  };
  const { folded, rates, picture, recording } = glass.engine;
  return (
    <div className={styles.scroll}>
      {/* Whoever can't point opens requests from the log, where each is a link. */}
      <div ref={stage} className={cx(styles.stage)} onClick={open} role="presentation" data-stage>
        <Askers />
        <Server />
        <Watchers />
        <p className={styles.back}>Reactions are requests too: they enter on the left like all others</p>
        <canvas ref={canvas} className={styles.canvas} aria-hidden />
        {!folded && shownStops(picture, recording).length > 0 && <Stops />}
        {folded && (
          <p className={styles.folded}>
            {Math.round(rates.total(performance.now()))} events in the last second. These are too many to draw one by
            one, so they are counted
          </p>
        )}
      </div>
    </div>
  );
}

/** Fits the canvas to the picture, at the screen's own resolution. */
function fit(canvas: HTMLCanvasElement, { width, height }: Plan): void {
  const scale = window.devicePixelRatio || 1;
  const [across, down] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== across || canvas.height !== down) {
    canvas.width = across;
    canvas.height = down;
  }
  canvas.getContext('2d')?.setTransform(scale, 0, 0, scale, 0, 0);
}

/** The lines that always stand; with counts while single events can't be followed. */
function edgesOf({ engine, scene }: Glass, now: number): readonly Edge[] {
  const { recording, picture, folded } = engine;
  const counts = folded ? engine.rates.perSecond(now) : undefined;
  const asking = new Set([...picture.tokens.values()].map(({ request }) => recording.requests.get(request)?.actor));
  const from = Array.from(recording.actors, (actor) => ({
    route: lineFrom(scene.plan, actor),
    lit: asking.has(actor),
    count: counts?.get(edgeFrom(actor)),
  }));
  const to = Array.from(recording.watchers.keys(), (actor) => ({
    route: wayToWatcher(scene.plan, actor),
    lit: picture.notified.includes(actor),
    count: counts?.get(edgeTo(actor)),
  }));
  return [...from, ...to];
}

const colourOf = (method: string) =>
  method === 'POST' ? 'added' : method === 'DELETE' ? 'deleted' : method === 'GET' ? 'muted' : 'changed';

function useMotion(
  glass: Glass,
  stage: RefObject<HTMLDivElement | null>,
  canvas: RefObject<HTMLCanvasElement | null>,
  kindOf: KindOf,
): void {
  const ink = useRef<Ink>(undefined);
  const paint = useCallback(
    (now: number): void => {
      const context = canvas.current?.getContext('2d');
      if (!canvas.current || !context || !ink.current) return;
      fit(canvas.current, glass.scene.plan);
      draw(
        context,
        {
          ...{ scene: glass.scene, ...ink.current },
          edges: edgesOf(glass, now),
          look: ({ request, token }) => {
            const recorded = glass.engine.recording.requests.get(request);
            if (!recorded) return { label: '', colour: 'muted' };
            return { label: label(recorded, kindOf), colour: token.stopped ? 'denied' : colourOf(recorded.method) };
          },
        },
        now,
      );
    },
    [glass, canvas, kindOf],
  );
  useEffect(() => (stage.current ? onPlan(stage.current, (plan) => glass.replan(plan)) : undefined), [glass, stage]);
  useEffect(() => {
    const element = stage.current;
    if (!element) return undefined;
    const dip = (): void => {
      ink.current = readInk(element);
      glass.wake();
    };
    dip();
    const ends = [onAppearance(dip), onMotion((still) => (glass.scene.still = still)), glass.attach(paint)];
    return () => ends.forEach((end) => end());
  }, [glass, stage, paint]);
}

/** Calls back with whether the person prefers reduced motion, now and whenever that changes. */
function onMotion(tell: (still: boolean) => void): () => void {
  const query = window.matchMedia('(prefers-reduced-motion: reduce)');
  const look = (): void => tell(query.matches);
  look();
  query.addEventListener('change', look);
  return () => query.removeEventListener('change', look);
}
