/** The picture at one moment: the state after all beats before it. */
import type { ActorId } from './actors.ts';
import type { Beat } from './recording.ts';
import type { Stage } from './stages.ts';

/** A request as the picture shows it. */
export interface Token {
  readonly request: string;
  /** The stage in which it is; undefined before the first. */
  readonly stage: Stage | undefined;
  readonly stopped: boolean;
  /** Which of the parallel lanes through the server it has. */
  readonly lane: number;
  /** By the cluster's clock. */
  readonly at: number;
}

export interface Picture {
  /** The number of the beat that comes next. */
  readonly next: number;
  readonly revision: number;
  /** The request that made the revision. */
  readonly writer: string | undefined;
  /** Under way, by request. */
  readonly tokens: ReadonlyMap<string, Token>;
  /** Those that were stopped last, oldest first. */
  readonly stopped: readonly Token[];
  /** Who was notified of the revision so far. */
  readonly notified: readonly ActorId[];
  /** The webhook that was asked last, by a request that is still under way. */
  readonly asked: { readonly request: string; readonly webhook: string } | undefined;
}

export const LANES = 8;
const MOST_STOPPED = 3;
/** A refusal is shown for so many milliseconds of the cluster's time. */
const STOP_LASTS = 15_000;

export const blank = (next = 0): Picture => ({
  ...{ next, revision: 0, writer: undefined, tokens: new Map(), stopped: [], notified: [], asked: undefined },
});

/** The lane that is free, the first one where none is. */
function freeLane({ tokens, stopped }: Picture): number {
  const taken = new Set([...tokens.values(), ...stopped].map(({ lane }) => lane));
  for (let lane = 0; lane < LANES; lane += 1) if (!taken.has(lane)) return lane;
  return tokens.size % LANES;
}

function moved(picture: Picture, request: string, change: Partial<Token>): Picture {
  const known = picture.tokens.get(request);
  if (!known) return picture;
  return { ...picture, tokens: new Map(picture.tokens).set(request, { ...known, ...change }) };
}

function ended(picture: Picture, request: string, at: number): Picture {
  const token = picture.tokens.get(request);
  if (!token) return picture;
  const tokens = new Map(picture.tokens);
  tokens.delete(request);
  const asked = picture.asked?.request === request ? undefined : picture.asked;
  const stopped = token.stopped ? [...picture.stopped, { ...token, at }].slice(-MOST_STOPPED) : picture.stopped;
  return { ...picture, tokens, asked, stopped };
}

const aged = (picture: Picture, now: number): Picture =>
  picture.stopped.some(({ at }) => now - at > STOP_LASTS)
    ? { ...picture, stopped: picture.stopped.filter(({ at }) => now - at <= STOP_LASTS) }
    : picture;

/** The picture after one more beat. */
export function advanced(before: Picture, beat: Beat): Picture {
  const picture = { ...aged(before, beat.at), next: before.next + 1 };
  switch (beat.what) {
    case 'entered': {
      const token = { request: beat.request, stage: undefined, stopped: false, lane: freeLane(picture), at: beat.at };
      return { ...picture, tokens: new Map(picture.tokens).set(beat.request, token) };
    }
    case 'passed':
      return moved(picture, beat.request, { stage: beat.stage });
    case 'stopped':
      return moved(picture, beat.request, { stage: beat.stage, stopped: true });
    case 'asked':
      return { ...picture, asked: { request: beat.request, webhook: beat.webhook } };
    case 'stored': {
      const stored = moved(picture, beat.request, { stage: 'storage' });
      return { ...stored, revision: beat.revision, writer: beat.request, notified: [] };
    }
    case 'notified':
      return beat.revision === picture.revision
        ? { ...picture, notified: [...picture.notified, beat.watcher] }
        : picture;
    case 'answered':
      return ended(picture, beat.request, beat.at);
  }
}

/** The picture after a beat that is not shown: of what it wrote, only the revision counts. */
export const passedBy = (picture: Picture, beat: Beat): Picture => ({
  ...picture,
  next: picture.next + 1,
  ...(beat.what === 'stored' && { revision: beat.revision, writer: undefined, notified: [] }),
});

/** What a filter lets through; without one everything. */
export type Only = ((beat: Beat) => boolean) | undefined;

/** The picture before the beat of this number, made anew from the oldest that is kept. */
export function pictureAt(beats: readonly Beat[], dropped: number, next: number, only: Only): Picture {
  let picture = blank(dropped);
  const end = Math.min(beats.length, next - dropped);
  for (let i = 0; i < end; i += 1) {
    const beat = beats[i];
    if (!beat) break;
    picture = !only || only(beat) ? advanced(picture, beat) : passedBy(picture, beat);
  }
  return picture;
}
