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

interface Moving {
  readonly curve: Curve;
  readonly look: FlowLook;
  readonly since: number;
}

const variables: Readonly<Record<FlowLook, string>> = {
  delivered: '--allowed',
  denied: '--denied',
  failed: '--pending',
};

/** Draws what moves, frame by frame, and nothing once all have arrived. */
export class Movement {
  readonly #canvas: HTMLCanvasElement;
  /** The map below: where it stands says where its lines are. */
  readonly #map: HTMLElement;
  #moving: Moving[] = [];
  #frame: number | undefined;
  #zoom = 1;

  constructor(canvas: HTMLCanvasElement, map: HTMLElement) {
    this.#canvas = canvas;
    this.#map = map;
  }

  /** Sends a connection along a line; `zoom` is the size of the map. */
  add(lines: readonly { readonly curve: Curve; readonly look: FlowLook }[], zoom: number): void {
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
    this.#frame = undefined;
    const context = this.#clear();
    this.#moving = this.#moving.filter(({ since }) => now - since < DURATION);
    if (!context || this.#moving.length === 0) return;
    const style = getComputedStyle(this.#canvas);
    for (const { curve, look, since } of this.#moving) {
      context.strokeStyle = style.getPropertyValue(variables[look]);
      trail(context, curve, Math.max(0, now - since) / DURATION);
    }
    this.#frame = requestAnimationFrame(this.#draw);
  };

  /** The empty canvas, in the units of the map. */
  #clear(): CanvasRenderingContext2D | null {
    const { left, top } = this.#place();
    const context = this.#canvas.getContext('2d');
    if (!context) return null;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    const map = this.#map.getBoundingClientRect();
    const scale = devicePixelRatio * this.#zoom;
    context.setTransform(scale, 0, 0, scale, (map.left - left) * devicePixelRatio, (map.top - top) * devicePixelRatio);
    context.lineWidth = 4;
    context.lineCap = 'round';
    return context;
  }

  /** Lays the canvas over the part of the map that is in sight, and answers where that is in the window. */
  #place(): { readonly left: number; readonly top: number } {
    const canvas = this.#canvas;
    const sight = (this.#map.parentElement ?? this.#map).getBoundingClientRect();
    const [left, top] = [Math.max(0, sight.left), Math.max(0, sight.top)];
    const width = Math.max(0, Math.min(innerWidth, sight.right) - left);
    const height = Math.max(0, Math.min(innerHeight, sight.bottom) - top);
    const [w, h] = [Math.round(width * devicePixelRatio), Math.round(height * devicePixelRatio)];
    if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
    Object.assign(canvas.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    return { left, top };
  }
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
