/** The Glass of an open cluster: what was recorded, what is shown of it, and the frames that are drawn while anything moves. */
import { createStore, type StoreApi } from '../../store.ts';
import type { RunningCluster } from '../../host.ts';
import { tapRequests } from '../../stores/following.ts';
import { readLog } from '../../stores/requests.ts';
import { Engine } from './model/engine.ts';
import { PodStates } from './model/pods.ts';
import type { Player } from './model/player.ts';
import { motionMs } from './model/player.ts';
import type { GlassEvent } from './model/recording.ts';
import { likeliest } from './model/reactions.ts';
import type { StoryLine, storyOf } from './model/story.ts';
import type { Plan } from './canvas/geometry.ts';
import { Scene } from './canvas/scene.ts';

/** What is read, as opposed to what moves, changes at most so often. */
const READ_EVERY = 120;

export interface Shown {
  /** Counts up with everything that there is to read anew. */
  readonly version: number;
  /** The object to whose story the picture is narrowed, as addresses name it. */
  readonly followed: string;
}

interface Story {
  readonly lines: readonly StoryLine[];
  readonly requests: ReadonlySet<string>;
}

export class Glass {
  readonly engine = new Engine();
  /** The pods, as far as somebody follows them. */
  pods = new PodStates();
  readonly scene = new Scene((request) => {
    const recorded = this.engine.recording.requests.get(request);
    return recorded && { recorded, loop: likeliest(recorded.causes, recorded.subject)?.controller };
  });
  readonly shown: StoreApi<Shown> = createStore<Shown>(() => ({ version: 0, followed: '' }));
  /** Draws a frame; set while there is a picture. */
  #draw: ((now: number) => void) | undefined;
  #frame: number | undefined;
  #lastRead = -Infinity;
  /** Whether anything moved in the last frame. */
  moves = false;
  /** The followed object's story, until something happens. */
  #story: Story | undefined;
  #storyOf: typeof storyOf = () => [];

  constructor(cluster: RunningCluster) {
    const now = performance.now();
    this.engine.take(
      readLog().flatMap(({ stages }) => stages),
      now,
    );
    this.engine.rates.forget();
    this.engine.goLive();
    this.engine.listener = {
      beat: (beat, picture) =>
        this.scene.beat(beat, picture, performance.now(), motionMs(this.engine.player, this.engine.behind)),
      jumped: (picture) => this.scene.show(picture, performance.now()),
    };
    const take = (events: readonly GlassEvent[]): void => {
      const before = this.engine.recording.end;
      this.engine.take(events, performance.now());
      if (this.engine.recording.end === before) return;
      this.#story = undefined;
      this.wake();
    };
    tapRequests(cluster, take);
    cluster.trace((events) => take(events.filter((event) => event.topic === 'watch')), ['watch']);
  }

  /** Draws from now on; returns what ends it. */
  attach(draw: (now: number) => void): () => void {
    this.#draw = draw;
    if (this.engine.player.playing && this.engine.player.speed === 1) this.engine.goLive();
    this.wake();
    return () => {
      this.#draw = undefined;
      if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
      this.#frame = undefined;
    };
  }

  /** The boxes stand elsewhere. */
  replan(plan: Plan): void {
    const now = performance.now();
    this.scene.replan(plan, this.engine.picture, now);
    this.#draw?.(now);
    this.#lastRead = -Infinity;
    this.wake();
  }

  /** Draws as long as something moves: nothing is drawn while nothing happens. */
  wake(): void {
    if (this.#draw) this.#frame ??= requestAnimationFrame((now) => this.#next(now));
  }

  #next(now: number): void {
    this.#frame = undefined;
    const plays = this.engine.frame(now);
    const moves = this.scene.settle(now);
    const isRead = now - this.#lastRead >= READ_EVERY || !(plays || moves);
    // Counts change with what is read; nothing else moves then.
    if (isRead || moves || !this.engine.folded) this.#draw?.(now);
    this.moves = plays || moves;
    if (isRead) this.#read(now);
    if (this.moves) this.wake();
  }

  #read(now: number): void {
    this.#lastRead = now;
    this.shown.setState(({ version }) => ({ version: version + 1 }));
  }

  /** A person's action: it is shown at once. */
  act(what: (engine: Engine) => void): void {
    what(this.engine);
    this.#read(performance.now());
    this.wake();
  }

  play(change: Partial<Player>): void {
    this.act((engine) => engine.setPlayer(change));
  }

  /** The story of the followed object; empty where none is followed. */
  story(): readonly StoryLine[] {
    return this.#told().lines;
  }

  /** Told anew only when it is asked for, however much happened meanwhile. */
  #told(): Story {
    if (this.#story) return this.#story;
    const { followed } = this.shown.getState();
    const lines = followed === '' ? [] : this.#storyOf(followed, this.engine.recording);
    this.#story = { lines, requests: new Set(lines.map(({ recorded }) => recorded.id)) };
    return this.#story;
  }

  /** Narrows the picture to the story of an object, which `tell` finds, or shows everything again. */
  follow(ref: string, tell: typeof storyOf = () => []): void {
    if (this.shown.getState().followed === ref) return;
    this.shown.setState({ followed: ref });
    this.#storyOf = tell;
    this.#story = undefined;
    const { writes } = this.engine.recording;
    const isFollowed = (request: string | undefined): boolean =>
      request !== undefined && this.#told().requests.has(request);
    this.engine.show(
      ref === ''
        ? undefined
        : (beat) => isFollowed(beat.what === 'notified' ? writes.get(beat.revision)?.id : beat.request),
    );
    this.act(() => undefined);
  }
}

const glasses = new WeakMap<RunningCluster, Glass>();

/** The Glass of a cluster. It records from the first time on that somebody asked for it. */
export function glassOf(cluster: RunningCluster): Glass {
  const known = glasses.get(cluster);
  if (known) return known;
  const glass = new Glass(cluster);
  glasses.set(cluster, glass);
  return glass;
}
