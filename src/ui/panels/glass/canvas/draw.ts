/** Draws the scene. */
import type { Colours, ColourName } from './colours.ts';
import { along, type Point, type Rect, type Route } from './geometry.ts';
import { FADE_MS, FLASH_MS, positionOf, type Scene, type Sprite } from './scene.ts';

/** A line that always stands, and how much goes along it where that is counted. */
export interface Edge {
  readonly route: Route;
  readonly lit: boolean;
  /** In a second. */
  readonly count: number | undefined;
}

export interface Drawing {
  readonly scene: Scene;
  readonly colours: Colours;
  readonly font: string;
  readonly edges: readonly Edge[];
  /** What stands beside a request, and its colour. */
  readonly look: (sprite: Sprite) => { readonly label: string; readonly colour: ColourName };
}

const RADIUS = 6;
/** Beyond so many requests at once their names would cover each other. */
const MOST_LABELS = 8;

export function draw(context: CanvasRenderingContext2D, drawing: Drawing, now: number): void {
  const { scene, edges, colours } = drawing;
  context.clearRect(0, 0, scene.plan.width, scene.plan.height);
  context.font = drawing.font;
  context.textBaseline = 'middle';
  for (const edge of edges) drawEdge(context, edge, drawing);
  for (const { box, start } of scene.flashes) drawFlash(context, box, (now - start) / FLASH_MS, colours.accent);
  for (const { move } of scene.pulses) {
    const place = positionOf(move, now);
    if (place) drawDiamond(context, place, colours.accent);
  }
  const sprites = [...scene.sprites.values()];
  sprites.forEach((sprite, i) => drawSprite(context, sprite, drawing, now, sprites.length - i <= MOST_LABELS));
}

function trace(context: CanvasRenderingContext2D, route: Route): void {
  context.beginPath();
  route.forEach(({ x, y }, i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  context.stroke();
}

function drawEdge(context: CanvasRenderingContext2D, { route, lit, count }: Edge, { colours }: Drawing): void {
  if (route.length === 0) return;
  const busy = count !== undefined && count > 0;
  context.strokeStyle = lit || busy ? colours.accent : colours['line-strong'];
  context.lineWidth = busy ? Math.min(8, 1 + Math.log2(1 + count)) : lit ? 1.5 : 1;
  context.globalAlpha = busy ? 0.5 : lit ? 0.9 : 0.6;
  trace(context, route);
  context.globalAlpha = 1;
  const middle = busy ? along(route, 0.5) : undefined;
  if (middle) drawLabel(context, `${count}/s`, { x: middle.x - 14, y: middle.y }, colours);
}

function drawFlash(context: CanvasRenderingContext2D, box: Rect, share: number, colour: string): void {
  if (share < 0 || share > 1) return;
  context.globalAlpha = 1 - share;
  context.strokeStyle = colour;
  context.lineWidth = 2;
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, 5);
  context.stroke();
  context.globalAlpha = 1;
}

function drawDiamond(context: CanvasRenderingContext2D, { x, y }: Point, colour: string): void {
  context.fillStyle = colour;
  context.beginPath();
  context.moveTo(x, y - 5);
  context.lineTo(x + 5, y);
  context.lineTo(x, y + 5);
  context.lineTo(x - 5, y);
  context.fill();
}

function drawSprite(
  context: CanvasRenderingContext2D,
  sprite: Sprite,
  { colours, look, scene }: Drawing,
  now: number,
  labelled: boolean,
): void {
  const place = positionOf(sprite.move, now);
  if (!place) return;
  const { label, colour } = look(sprite);
  const server = scene.plan.boxes.get('server');
  const limit = server ? server.x + server.width : Infinity;
  const gone = sprite.leaving === undefined ? 0 : (now - sprite.leaving) / FADE_MS;
  context.globalAlpha = Math.max(0, Math.min(1, 1 - gone));
  context.fillStyle = colours[colour];
  context.beginPath();
  context.arc(place.x, place.y, RADIUS, 0, Math.PI * 2);
  context.fill();
  if (sprite.token.stopped) drawCross(context, place, colours.surface);
  else if (labelled) drawLabel(context, label, { x: place.x + 11, y: place.y }, colours, limit);
  context.globalAlpha = 1;
}

function drawCross(context: CanvasRenderingContext2D, { x, y }: Point, colour: string): void {
  context.strokeStyle = colour;
  context.lineWidth = 2;
  for (const slope of [1, -1]) {
    context.beginPath();
    context.moveTo(x - 2.5, y - 2.5 * slope);
    context.lineTo(x + 2.5, y + 2.5 * slope);
    context.stroke();
  }
}

/** Words beside a point: at its left where they would go beyond `limit`. */
function drawLabel(
  context: CanvasRenderingContext2D,
  text: string,
  { x, y }: Point,
  colours: Colours,
  limit = Infinity,
): void {
  const { width } = context.measureText(text);
  const start = x + width > limit ? Math.max(4, x - width - 22) : x;
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * 0.86;
  context.fillStyle = colours.surface;
  context.beginPath();
  context.roundRect(start - 3, y - 8, width + 6, 16, 3);
  context.fill();
  context.globalAlpha = alpha;
  context.fillStyle = colours.text;
  context.fillText(text, start, y + 0.5);
}
