/** Draws the scene. */
import type { Colours, ColourName } from './colours.ts';
import { along, type Point, type Rect, type Route } from './geometry.ts';
import { besidePoint, captionIn, LABEL, overlap, type Type } from './labels.ts';
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
  /** Of the font, in pixels. */
  readonly size: number;
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
  for (const sprite of sprites) drawSprite(context, sprite, drawing, now);
  if (scene.plan.narrow) drawCaption(context, sprites, drawing, now);
  else drawNames(context, sprites.slice(-MOST_LABELS), drawing, now);
}

/** The names of requests, the newest first: none stands over another. */
function drawNames(
  context: CanvasRenderingContext2D,
  sprites: readonly Sprite[],
  { scene, look, colours, size }: Drawing,
  now: number,
): void {
  const { width, boxes } = scene.plan;
  const server = boxes.get('server') ?? { x: 0, width };
  const room = { from: server.x, to: server.x + server.width };
  const type = typeOf(context, size);
  // The revision is read where it stands.
  const revision = boxes.get('revision');
  const taken: Rect[] = revision ? [revision] : [];
  for (const sprite of sprites.toReversed()) {
    const place = sprite.token.stopped ? undefined : positionOf(sprite.move, now);
    if (!place) continue;
    const { label } = look(sprite);
    const { text, box } = besidePoint(label, place, room, type);
    if (taken.some((other) => overlap(box, other))) continue;
    taken.push(box);
    context.globalAlpha = opacityOf(sprite, now);
    drawText(context, text, box, colours);
    context.globalAlpha = 1;
  }
}

/** In pixels: with the padding of the words, as far in as the names of the stages. */
const CAPTION_INSET = 9;

/** The name of the newest request below the server, and a ring around the request: on a phone names would cover what moves. */
function drawCaption(
  context: CanvasRenderingContext2D,
  sprites: readonly Sprite[],
  { scene, look, colours, size }: Drawing,
  now: number,
): void {
  const box = scene.plan.boxes.get('caption');
  const sprite = sprites.findLast(({ token, leaving }) => !token.stopped && leaving === undefined) ?? sprites.at(-1);
  const place = sprite && positionOf(sprite.move, now);
  if (!box || !place) return;
  const { label, colour } = look(sprite);
  context.globalAlpha = opacityOf(sprite, now);
  context.strokeStyle = colours[colour];
  context.lineWidth = 1.5;
  context.beginPath();
  context.arc(place.x, place.y, RADIUS + 4, 0, Math.PI * 2);
  context.stroke();
  const inner = { ...box, x: box.x + CAPTION_INSET, width: box.width - 2 * CAPTION_INSET };
  const { text, box: ground } = captionIn(label, inner, typeOf(context, size));
  drawText(context, text, ground, colours);
  context.globalAlpha = 1;
}

/** A third of its size stands around a line of type. */
const typeOf = (context: CanvasRenderingContext2D, size: number): Type => ({
  measure: (text) => context.measureText(text).width,
  height: Math.round((size * 4) / 3),
});

function trace(context: CanvasRenderingContext2D, route: Route): void {
  context.beginPath();
  route.forEach(({ x, y }, i) => (i === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  context.stroke();
}

function drawEdge(context: CanvasRenderingContext2D, { route, lit, count }: Edge, { colours, size }: Drawing): void {
  if (route.length === 0) return;
  const busy = count !== undefined && count > 0;
  context.strokeStyle = lit || busy ? colours.accent : colours['line-strong'];
  context.lineWidth = busy ? Math.min(8, 1 + Math.log2(1 + count)) : lit ? 1.5 : 1;
  context.globalAlpha = busy ? 0.5 : lit ? 0.9 : 0.6;
  trace(context, route);
  context.globalAlpha = 1;
  const middle = busy ? along(route, 0.5) : undefined;
  if (!middle) return;
  const text = `${count}/s`;
  const { measure, height } = typeOf(context, size);
  const width = measure(text) + 2 * LABEL.padding;
  const box = { x: middle.x - width / 2, y: middle.y - height / 2, width, height };
  drawText(context, text, box, colours);
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

/** A request that leaves fades. */
const opacityOf = ({ leaving }: Sprite, now: number): number =>
  leaving === undefined ? 1 : Math.max(0, Math.min(1, 1 - (now - leaving) / FADE_MS));

function drawSprite(context: CanvasRenderingContext2D, sprite: Sprite, { colours, look }: Drawing, now: number): void {
  const place = positionOf(sprite.move, now);
  if (!place) return;
  context.globalAlpha = opacityOf(sprite, now);
  context.fillStyle = colours[look(sprite).colour];
  context.beginPath();
  context.arc(place.x, place.y, RADIUS, 0, Math.PI * 2);
  context.fill();
  if (sprite.token.stopped) drawCross(context, place, colours.surface);
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

/** Words on a ground of their own, so that lines do not run through them. */
function drawText(context: CanvasRenderingContext2D, text: string, box: Rect, colours: Colours): void {
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * 0.86;
  context.fillStyle = colours.surface;
  context.beginPath();
  context.roundRect(box.x, box.y, box.width, box.height, 3);
  context.fill();
  context.globalAlpha = alpha;
  context.fillStyle = colours.text;
  context.fillText(text, box.x + LABEL.padding, box.y + box.height / 2 + 0.5);
}
