/** What moves: requests through the server, news to those who watch. Knows where everything is at a moment; draws nothing. */
import type { Beat, RecordedRequest } from '../model/recording.ts';
import type { ActorId } from '../model/actors.ts';
import type { Picture, Token } from '../model/picture.ts';
import {
  along,
  placeIn,
  watcherBox,
  wayToDoor,
  wayToWatcher,
  wayToWebhook,
  type Plan,
  type Point,
  type Rect,
  type Route,
} from './geometry.ts';

/** What the scene needs to know of a request. */
export interface Cast {
  readonly recorded: RecordedRequest;
  readonly loop: string | undefined;
}

interface Move {
  readonly route: Route;
  readonly start: number;
  readonly ms: number;
}

/** A request in the picture. */
export interface Sprite {
  readonly request: string;
  readonly token: Token;
  move: Move;
  /** When it began to fade. */
  leaving: number | undefined;
}

/** A change on its way to somebody who watches, or a question on its way to a webhook. */
export interface Pulse {
  readonly request: string | undefined;
  readonly move: Move;
}

interface Question {
  readonly webhook: string;
  readonly request: string;
  readonly lane: number;
  readonly ms: number;
}

/** A box that shines for a moment. */
export interface Flash {
  readonly box: Rect;
  readonly start: number;
}

export const FADE_MS = 260;
export const FLASH_MS = 600;
const MOST_PULSES = 120;
/** A question is shown late by so much at most. */
const FRESH_MS = 1000;

const ease = (t: number): number => 1 - (1 - t) ** 3;

export function positionOf({ route, start, ms }: Move, now: number): Point | undefined {
  return along(route, ms <= 0 ? 1 : ease(Math.max(0, Math.min(1, (now - start) / ms))));
}

export class Scene {
  readonly sprites = new Map<string, Sprite>();
  pulses: Pulse[] = [];
  flashes: Flash[] = [];
  plan: Plan = { width: 0, height: 0, narrow: false, boxes: new Map() };
  /** Nothing moves: everything stands where it would arrive. */
  still = false;
  #unplaced: { readonly question: Question; readonly since: number }[] = [];
  readonly #cast: (request: string) => Cast | undefined;

  constructor(cast: (request: string) => Cast | undefined) {
    this.#cast = cast;
  }

  /** Plays a beat that led to `picture`. */
  beat(beat: Beat, picture: Picture, now: number, ms: number): void {
    const duration = this.still ? 0 : ms;
    if (beat.what === 'notified') return this.#notify(beat.watcher, picture.writer, now, duration);
    const token = picture.tokens.get(beat.request);
    if (beat.what === 'asked') return this.#ask({ ...beat, lane: token?.lane ?? 0, ms: duration }, now);
    if (!token) return this.#leave(beat.request, now);
    this.#place(token, now, duration);
    if (beat.what === 'stored') this.#shine(this.plan.boxes.get('revision'), now + duration);
  }

  /** Shows a picture to which no beats led. */
  show(picture: Picture, now: number): void {
    this.sprites.clear();
    this.pulses = [];
    this.flashes = [];
    this.#unplaced = [];
    for (const token of picture.tokens.values()) this.#place(token, now, 0);
  }

  /** The boxes have moved. */
  replan(plan: Plan, picture: Picture, now: number): void {
    this.plan = plan;
    for (const token of picture.tokens.values()) {
      const sprite = this.sprites.get(token.request);
      if (!sprite || now - sprite.move.start >= sprite.move.ms) this.#place(token, now, 0);
    }
    const asked = this.#unplaced.splice(0);
    for (const { question, since } of asked) if (now - since < FRESH_MS) this.#ask(question, now, since);
  }

  #place(token: Token, now: number, ms: number): void {
    const known = this.sprites.get(token.request);
    const move = { route: this.#routeOf(token, known, now), start: now, ms };
    this.sprites.set(token.request, { request: token.request, token, move, leaving: undefined });
  }

  #routeOf(token: Token, known: Sprite | undefined, now: number): Route {
    const cast = this.#cast(token.request);
    const way = cast ? wayToDoor(this.plan, cast.recorded.actor, cast.loop, token.lane) : [];
    if (!token.stage) return way;
    const target = placeIn(this.plan, token.stage, token.lane);
    if (!target) return way;
    if (!known) return [target];
    const unfinished = known.token.stage === undefined ? known.move.route.slice(-2) : [];
    const here = positionOf(known.move, now);
    return [...(here ? [here] : []), ...(isNear(here, unfinished.at(-1)) ? [] : unfinished), target];
  }

  #leave(request: string, now: number): void {
    const sprite = this.sprites.get(request);
    if (sprite) sprite.leaving = Math.max(now, sprite.move.start + sprite.move.ms);
  }

  #notify(watcher: ActorId, request: string | undefined, now: number, ms: number): void {
    const route = wayToWatcher(this.plan, watcher);
    const box = watcherBox(this.plan, watcher);
    if (!box || route.length === 0) return;
    if (ms > 0 && this.pulses.length < MOST_PULSES) {
      const move = { route, start: now, ms: ms * 1.6 };
      this.pulses.push({ request, move });
    }
    this.#shine(box, now + ms * 1.6);
  }

  /** A webhook is asked, and answers. One that was never asked before gets its box a moment later. */
  #ask(question: Question, now: number, since = now): void {
    const { webhook, request, lane, ms } = question;
    const route = wayToWebhook(this.plan, webhook, lane);
    if (route.length === 0) return void this.#unplaced.push({ question, since });
    if (ms > 0 && this.pulses.length < MOST_PULSES)
      this.pulses.push({ request, move: { route, start: now, ms: ms * 2 } });
    this.#shine(this.plan.boxes.get(`webhook:${webhook}`), now + ms);
  }

  #shine(box: Rect | undefined, start: number): void {
    if (box && !this.still && this.flashes.length < MOST_PULSES) this.flashes.push({ box, start });
  }

  /** Removes what has ended; returns whether anything still moves. */
  settle(now: number): boolean {
    this.pulses = this.pulses.filter(({ move }) => now < move.start + move.ms);
    this.flashes = this.flashes.filter(({ start }) => now < start + FLASH_MS);
    for (const [request, { leaving }] of this.sprites)
      if (leaving !== undefined && now >= leaving + FADE_MS) this.sprites.delete(request);
    if (this.pulses.length > 0 || this.flashes.length > 0) return true;
    for (const { move, leaving } of this.sprites.values())
      if (leaving !== undefined || now < move.start + move.ms) return true;
    return false;
  }

  /** The request that is shown at a point. */
  hit({ x, y }: Point, now: number): string | undefined {
    const isHere = (move: Move): boolean => {
      const place = positionOf(move, now);
      return place !== undefined && Math.hypot(place.x - x, place.y - y) < HIT;
    };
    const sprite = [...this.sprites.values()].find(({ move }) => isHere(move));
    return sprite?.request ?? this.pulses.find(({ move }) => isHere(move))?.request;
  }
}

const HIT = 14;

const isNear = (a: Point | undefined, b: Point | undefined): boolean =>
  !a || !b || Math.hypot(a.x - b.x, a.y - b.y) < 4;
