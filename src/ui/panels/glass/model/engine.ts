/** Plays what was recorded: keeps the picture near to what happens, or stops, steps and goes back. */
import { actorOfWatch, type ActorId } from './actors.ts';
import { advanced, blank, passedBy, pictureAt, type Only, type Picture } from './picture.ts';
import { beatsDue, FOLD_BEHIND, FOLDED_MS, folds, type Player } from './player.ts';
import { Rates } from './rates.ts';
import { Recording, type Beat, type GlassEvent, type Limits } from './recording.ts';

export interface Listener {
  /** A beat was played forward. */
  beat(beat: Beat, picture: Picture): void;
  /** The picture jumped, rather than reached this moment step by step. */
  jumped(picture: Picture): void;
}

const silent: Listener = { beat: () => undefined, jumped: () => undefined };

/** Edges over which counts are shown: in from somebody, out to somebody. */
export const edgeFrom = (actor: ActorId): string => `from ${actor}`;
export const edgeTo = (actor: ActorId): string => `to ${actor}`;

/** Slow enough to read along. */
const REPLAY_SPEED = 0.5;

/** A picture that lies so many beats behind doesn't play them all. */
const TOO_FAR = 2500;

export class Engine {
  readonly recording: Recording;
  readonly rates = new Rates();
  listener: Listener = silent;
  picture: Picture = blank();
  player: Player = { playing: true, speed: 1 };
  /** Whether counts are shown because too much happens to follow single events. */
  folded = false;
  #only: Only;
  #last: number | undefined;
  #fraction = 0;
  #foldedUntil = 0;
  /** While a replay plays: where the recording ended when it began. */
  #replayEnd: number | undefined;

  constructor(limits?: Limits) {
    this.recording = new Recording(limits);
  }

  /** How many beats the picture is behind what was recorded. */
  get behind(): number {
    return this.recording.end - this.picture.next;
  }

  take(events: readonly GlassEvent[], now: number): void {
    this.recording.take(events);
    for (const event of events) this.#count(event, now);
    this.#fold(now);
    if (this.picture.next < this.recording.dropped) this.#jump(this.recording.dropped);
  }

  /** Counts instead of playing what nobody could follow, or what would be shown too late. */
  #fold(now: number): void {
    const isLate = this.#isLive && !this.#only && this.behind > FOLD_BEHIND;
    if (isLate || folds(this.folded, this.rates.total(now))) {
      if (!this.folded) this.#foldedUntil = now + FOLDED_MS;
      this.folded = true;
    } else if (now >= this.#foldedUntil) this.folded = false;
  }

  get #isLive(): boolean {
    return this.player.playing && this.player.speed === 1;
  }

  #count(event: GlassEvent, now: number): void {
    if (event.topic === 'request' && event.stage === 'received') {
      const recorded = this.recording.requests.get(event.request);
      if (recorded) this.rates.count(edgeFrom(recorded.actor), now);
    } else if (event.topic === 'watch' && event.what === 'delivered')
      this.rates.count(edgeTo(actorOfWatch(event.user, event.userAgent)), now, event.sent?.length ?? 1);
  }

  /** Plays what is due at `now`; tells whether more is to come without anything new. */
  frame(now: number): boolean {
    const elapsed = this.#last === undefined ? 16 : Math.min(250, now - this.#last);
    this.#last = now;
    if (this.folded) {
      if (this.#isLive) this.#jump(this.recording.end);
      this.#fold(now);
    }
    // After a long pause the picture goes on from now.
    else if (this.#isLive && this.behind > TOO_FAR) this.#jump(this.recording.end);
    this.#fraction += beatsDue(this.player, this.behind, elapsed);
    for (; this.#fraction >= 1 && this.behind > 0; this.#fraction -= 1) this.#next();
    // What was asked for has been shown: the picture follows what happens again.
    if (this.#replayEnd !== undefined && this.picture.next >= this.#replayEnd) this.setPlayer({ speed: 1 });
    const goesOn = this.folded || (this.player.playing && this.behind > 0);
    if (!goesOn) {
      this.#last = undefined;
      this.#fraction = 0;
    }
    return goesOn;
  }

  /** Plays one beat; beats that the filter leaves out are skipped. */
  #next(): boolean {
    const { recording } = this;
    let beat = recording.beats[this.picture.next - recording.dropped];
    while (beat && this.#only && !this.#only(beat)) {
      this.picture = passedBy(this.picture, beat);
      beat = recording.beats[this.picture.next - recording.dropped];
    }
    if (!beat) return false;
    this.picture = advanced(this.picture, beat);
    this.listener.beat(beat, this.picture);
    return true;
  }

  setPlayer(change: Partial<Player>): void {
    this.#replayEnd = undefined;
    this.player = { ...this.player, ...change };
  }

  /** Stops, and goes on by one beat. */
  step(): void {
    this.setPlayer({ playing: false });
    this.#next();
  }

  /** Stops, and goes on until something was written or refused. */
  stepToOutcome(): void {
    this.setPlayer({ playing: false });
    const outcomes = new Set(['stored', 'stopped']);
    while (this.#next()) {
      const beat = this.recording.beats[this.picture.next - 1 - this.recording.dropped];
      if (beat && outcomes.has(beat.what)) return;
    }
  }

  /** Stops, and goes back by one beat: to the moment after the one before it, to which a step came. */
  back(): void {
    const undone = this.#lastShown(this.picture.next);
    const before = undone === undefined ? undefined : this.#lastShown(undone);
    this.setPlayer({ playing: false });
    this.#jump(before === undefined ? (undone ?? this.recording.dropped) : before + 1);
  }

  /** The number of the last beat before `next` that the filter lets through. */
  #lastShown(next: number): number | undefined {
    const { beats, dropped } = this.recording;
    for (let place = next - dropped - 1; place >= 0; place -= 1) {
      const beat = beats[place];
      if (beat && (!this.#only || this.#only(beat))) return place + dropped;
    }
    return undefined;
  }

  /** Stops, and shows the moment before a beat. */
  seek(next: number): void {
    if (next < this.recording.end) this.setPlayer({ playing: false });
    this.#jump(next);
  }

  /** Stops, and shows what was there before the first write after a revision. */
  seekRevision(revision: number): void {
    const { beats, dropped, end } = this.recording;
    const later = beats.findIndex((beat) => beat.what === 'stored' && beat.revision > revision);
    this.setPlayer({ playing: false });
    this.#jump(later === -1 ? end : dropped + later);
  }

  /** Goes to what happens now, and follows it. */
  goLive(): void {
    this.setPlayer({ playing: true, speed: 1 });
    this.#jump(this.recording.end);
  }

  /** Plays again, slowly, what began with this beat; then goes on at full speed. */
  replay(from: number): void {
    this.#jump(from);
    this.setPlayer({ playing: true, speed: REPLAY_SPEED });
    this.#replayEnd = this.recording.end;
  }

  /** Shows only what the filter lets through. */
  show(only: Only): void {
    this.#only = only;
    this.#jump(this.picture.next);
  }

  #jump(next: number): void {
    const { beats, dropped, end } = this.recording;
    const to = Math.max(dropped, Math.min(end, next));
    // While counts are shown nobody looks at single requests.
    this.picture = this.folded
      ? { ...blank(to), revision: this.recording.revision }
      : pictureAt(beats, dropped, to, this.#only);
    this.listener.jumped(this.picture);
  }
}
