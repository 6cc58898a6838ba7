/** Connections that run along their lines, drawn on a canvas that lies over the map: so nothing else is drawn again while they move. */
import { pointAt, type Curve } from './mapLayout.ts';
import type { FlowLook } from './flowText.ts';

/** Milliseconds that a connection takes along its line. */
const DURATION = 280;
/** Share of the line that it covers. */
const LENGTH = 0.18;
const PIECES = 5;
/** More than so many at once show no more. */
const MOST = 120;

interface Line {
  readonly curve: Curve;
  readonly look: FlowLook;
}

interface Moving extends Line {
  readonly since: number;
}

const variables: Readonly<Record<FlowLook, string>> = {
  delivered: '--allowed',
  denied: '--denied',
  failed: '--pending',
};

/** A part of the window, in its pixels. */
interface Sight {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Draws what moves in sight, frame by frame, and nothing once all have arrived. */
export class Movement {
  readonly #canvas: HTMLCanvasElement;
  /** The map below: where it stands says where its lines are. */
  readonly #map: HTMLElement;
  #moving: readonly Moving[] = [];
  #colours: Readonly<Record<FlowLook, string>> | undefined;
  #frame: number | undefined;
  #zoom = 1;
  /** Whether the canvas shows anything: one that is empty and stays so costs no picture of the page. */
  #drawn = false;

  constructor(canvas: HTMLCanvasElement, map: HTMLElement) {
    this.#canvas = canvas;
    this.#map = map;
  }

  /** Sends a connection along a line; `zoom` is the size of the map. */
  add(lines: readonly Line[], zoom: number): void {
    this.#zoom = zoom;
    const since = performance.now();
    this.#moving = [...this.#moving, ...lines.map((line) => ({ ...line, since }))].slice(-MOST);
    if (this.#moving.length > 0) this.#frame ??= requestAnimationFrame(this.#draw);
  }

  stop(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
  }

  readonly #draw = (now: number): void => {
    this.#moving = this.#moving.filter(({ since }) => now - since < DURATION);
    this.#frame = this.#moving.length > 0 ? requestAnimationFrame(this.#draw) : undefined;
    const map = this.#map.getBoundingClientRect();
    const sight = sightOf(this.#map.parentElement ?? this.#map);
    const shown = this.#moving.filter(({ curve }) => isInSight(curve, map, this.#zoom, sight));
    if (shown.length > 0 || this.#drawn) this.#paint(shown, map, sight, now);
    // The page may have turned dark before the next ones move.
    if (this.#frame === undefined) this.#colours = undefined;
  };

  #paint(shown: readonly Moving[], map: DOMRect, sight: Sight, now: number): void {
    const context = this.#canvas.getContext('2d');
    if (!context) return;
    this.#place(sight);
    clear(context);
    this.#drawn = shown.length > 0;
    this.#colours ??= readColours(this.#canvas);
    const [ratio, scale] = [devicePixelRatio, devicePixelRatio * this.#zoom];
    context.setTransform(scale, 0, 0, scale, (map.left - sight.left) * ratio, (map.top - sight.top) * ratio);
    context.lineWidth = 4;
    context.lineCap = 'round';
    for (const { curve, look, since } of shown) {
      context.strokeStyle = this.#colours[look];
      trail(context, curve, Math.max(0, now - since) / DURATION);
    }
  }

  /** Lays the canvas over the part of the map that is in sight. */
  #place({ left, top, right, bottom }: Sight): void {
    const canvas = this.#canvas;
    const [w, h] = [Math.round((right - left) * devicePixelRatio), Math.round((bottom - top) * devicePixelRatio)];
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    const place = { left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` };
    for (const [name, value] of Object.entries(place))
      if (canvas.style.getPropertyValue(name) !== value) canvas.style.setProperty(name, value);
  }
}

/** The part of an element that is in the window. */
function sightOf(element: HTMLElement): Sight {
  const box = element.getBoundingClientRect();
  const [left, top] = [Math.max(0, box.left), Math.max(0, box.top)];
  return {
    left,
    top,
    right: Math.max(left, Math.min(innerWidth, box.right)),
    bottom: Math.max(top, Math.min(innerHeight, box.bottom)),
  };
}

/** A curve lies within the box around its ends and handles. */
function isInSight(curve: Curve, map: DOMRect, zoom: number, sight: Sight): boolean {
  const [across, down] = [curve.map(({ x }) => map.left + x * zoom), curve.map(({ y }) => map.top + y * zoom)];
  return (
    Math.max(...across) >= sight.left &&
    Math.min(...across) <= sight.right &&
    Math.max(...down) >= sight.top &&
    Math.min(...down) <= sight.bottom
  );
}

function clear(context: CanvasRenderingContext2D): void {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
}

/** What the tokens come to now: the text of one may still be a choice between light and dark, which a canvas does not know. */
function readColours(canvas: HTMLCanvasElement): Readonly<Record<FlowLook, string>> {
  const read = (look: FlowLook): string => {
    canvas.style.color = `var(${variables[look]})`;
    return getComputedStyle(canvas).color;
  };
  return { delivered: read('delivered'), denied: read('denied'), failed: read('failed') };
}

function trail(context: CanvasRenderingContext2D, curve: Curve, share: number): void {
  const tail = Math.max(0, share - LENGTH);
  context.beginPath();
  for (let i = 0; i <= PIECES; i++) {
    const { x, y } = pointAt(curve, tail + ((share - tail) * i) / PIECES);
    if (i === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  context.stroke();
}
