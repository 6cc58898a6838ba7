/** Where things stand and along which ways they move. Everything is measured in the picture's own pixels. */
import { kindOfActor, type ActorId } from '../model/actors.ts';
import { LANES } from '../model/picture.ts';
import type { Stage } from '../model/stages.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Rect extends Point {
  readonly width: number;
  readonly height: number;
}

export type Route = readonly Point[];

/** The boxes of the picture by name: `server`, `stage:NAME`, `from:ACTOR`, `to:ACTOR`, `loop:NAME`, `webhook:NAME`. */
export interface Plan {
  readonly width: number;
  readonly height: number;
  /** Everything stands below each other, as on a phone. */
  readonly narrow: boolean;
  readonly boxes: ReadonlyMap<string, Rect>;
}

const GUTTER = 16;

const right = (box: Rect): Point => ({ x: box.x + box.width, y: box.y + box.height / 2 });
const left = (box: Rect): Point => ({ x: box.x, y: box.y + box.height / 2 });
const top = (box: Rect): Point => ({ x: box.x + box.width / 2, y: box.y });
const bottom = (box: Rect): Point => ({ x: box.x + box.width / 2, y: box.y + box.height });

/** The box of somebody who watches; nodes may share one. */
export function watcherBox({ boxes }: Plan, actor: ActorId): Rect | undefined {
  return boxes.get(`to:${actor}`) ?? (kindOfActor(actor) === 'node' ? boxes.get('to:nodes') : undefined);
}

/** In pixels: between what a stage says of itself and its lanes. */
const BELOW_HEAD = 8;

/** How much of a stage, from above or on a phone from the left, is kept for its name and the revision, before the lanes begin. */
export function headOf({ narrow, boxes }: Plan, stage: Rect): number {
  const revision = boxes.get('revision');
  if (narrow) return Math.max(stage.width * 0.4, revision ? revision.x + revision.width + BELOW_HEAD - stage.x : 0);
  return revision ? revision.y + revision.height + BELOW_HEAD - stage.y : 0;
}

/** The middle of a lane within a stage. */
export function placeIn(plan: Plan, stage: Stage, lane: number): Point | undefined {
  const box = plan.boxes.get(`stage:${stage}`);
  if (!box) return undefined;
  const head = headOf(plan, box);
  const share = (lane + 0.5) / LANES;
  if (plan.narrow) return { x: box.x + head + (box.width - head) * share, y: box.y + box.height / 2 };
  return { x: box.x + box.width / 2, y: box.y + head + (box.height - head) * share };
}

/** Where a lane enters the server. */
function doorOf(plan: Plan, lane: number): Point | undefined {
  const server = plan.boxes.get('server');
  const first = placeIn(plan, 'authentication', lane);
  if (!server || !first) return undefined;
  return plan.narrow ? { x: first.x, y: server.y } : { x: server.x, y: first.y };
}

/** From a client to the server's entrance. Watchers take the way around, that of reactions. */
export function wayToDoor(plan: Plan, actor: ActorId, loop: string | undefined, lane: number): Route {
  const door = doorOf(plan, lane);
  const server = plan.boxes.get('server');
  if (!door || !server) return [];
  const asker = plan.boxes.get(`from:${actor}`);
  if (asker) return plan.narrow ? [bottom(asker), door] : [right(asker), { x: server.x - GUTTER, y: door.y }, door];
  const box = (loop === undefined ? undefined : plan.boxes.get(`loop:${loop}`)) ?? watcherBox(plan, actor);
  if (!box) return [door];
  return plan.narrow ? around(plan, top(box), server, door) : beneath(plan, left(box), server, door);
}

function beneath({ height }: Plan, from: Point, server: Rect, door: Point): Route {
  const back = server.x + server.width + GUTTER;
  const front = server.x - GUTTER;
  const low = Math.min(height - 6, server.y + server.height + GUTTER);
  return [from, { x: back, y: from.y }, { x: back, y: low }, { x: front, y: low }, { x: front, y: door.y }, door];
}

function around({ width }: Plan, from: Point, server: Rect, door: Point): Route {
  const side = Math.min(width - 4, server.x + server.width + 8);
  return [from, { x: side, y: from.y - 6 }, { x: side, y: server.y - 8 }, { x: door.x, y: server.y - 8 }, door];
}

const CURVE = 18;

/** A curve that leaves and arrives straight. */
export function curve(from: Point, to: Point, narrow: boolean): Route {
  const bend = narrow ? { x: 0, y: (to.y - from.y) / 2 } : { x: (to.x - from.x) / 2, y: 0 };
  return Array.from({ length: CURVE + 1 }, (_, i) => {
    const t = i / CURVE;
    const [a, b, c, d] = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t * t, t ** 3];
    return {
      x: a * from.x + b * (from.x + bend.x) + c * (to.x - bend.x) + d * to.x,
      y: a * from.y + b * (from.y + bend.y) + c * (to.y - bend.y) + d * to.y,
    };
  });
}

/** From storage to whoever watches. */
export function wayToWatcher(plan: Plan, actor: ActorId): Route {
  const storage = plan.boxes.get('stage:storage');
  const box = watcherBox(plan, actor);
  if (!storage || !box) return [];
  // On a phone the server ends with a line of words below storage.
  if (plan.narrow) return curve(bottom(plan.boxes.get('caption') ?? storage), top(box), true);
  const from = { x: storage.x + storage.width, y: storage.y + headOf(plan, storage) / 2 };
  return curve(from, left(box), false);
}

/** The path of a pulse from the admission stage to a webhook, and back with the webhook's answer. */
export function wayToWebhook(plan: Plan, webhook: string, lane: number): Route {
  const box = plan.boxes.get(`webhook:${webhook}`);
  const from = placeIn(plan, 'admission', lane);
  if (!box || !from) return [];
  return [from, plan.narrow ? right(box) : top(box), from];
}

/** From whoever asks to the server, as the line that always stands. */
export function lineFrom(plan: Plan, actor: ActorId): Route {
  const server = plan.boxes.get('server');
  const asker = plan.boxes.get(`from:${actor}`);
  if (!server || !asker) return [];
  if (plan.narrow) return [bottom(asker), { x: bottom(asker).x, y: server.y }];
  const { x, y } = right(asker);
  return curve({ x, y }, { x: server.x, y: Math.min(y, server.y + server.height - 12) }, false);
}

const lengths = new WeakMap<Route, readonly number[]>();

/** How long a route is up to each of its points. */
function lengthsOf(route: Route): readonly number[] {
  const known = lengths.get(route);
  if (known) return known;
  let length = 0;
  const upTo = route.map((point, i) => {
    const before = route[i - 1];
    length += before ? Math.hypot(point.x - before.x, point.y - before.y) : 0;
    return length;
  });
  lengths.set(route, upTo);
  return upTo;
}

/** The point at a share (0 to 1) of a route's length. */
export function along(route: Route, share: number): Point | undefined {
  const upTo = lengthsOf(route);
  const length = Math.max(0, Math.min(1, share)) * (upTo.at(-1) ?? 0);
  const i = Math.max(
    1,
    upTo.findIndex((each) => each >= length),
  );
  const [a, b, from = 0, to = 0] = [route[i - 1], route[i], upTo[i - 1], upTo[i]];
  if (!a || !b) return route[0];
  const t = to === from ? 1 : (length - from) / (to - from);
  return { x: a.x + (b.x - a.x) * t, y: a.y + (b.y - a.y) * t };
}
