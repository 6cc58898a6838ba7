/** Stores the state of a cluster's clock with its data: time continues from there, and never goes back. */
import {
  hostTime,
  inBackground,
  inOneTurn,
  throwToHost,
  type Clock,
  type ClockState,
  type ControlledClock,
  type HostTime,
} from '../std/index.ts';
import { WriteError, type Backend, type Storage } from '../storage/index.ts';
import type { ClusterOptions } from './options.ts';

const KEY = '/vitrine/clock';

/** Milliseconds of host time between two writes while the cluster's time is faster. */
const SAVE_EVERY = 60_000;

/** How long the cluster may have continued at its speed after the last write; hidden tabs write late. */
const RAN_ON = 5 * SAVE_EVERY;

interface Kept extends ClockState {
  /** When this was written, by the host's clock. */
  readonly at: number;
  /** The clock option of the last opening; a different one replaces speed and pause. */
  readonly choice: ClusterOptions['clock'];
}

/**
 * Restores the clock and stores its state from then on; a clock with the host's time needs no writes. Call the result
 * before storage closes.
 */
export async function keepClock(
  clock: ControlledClock,
  storage: Storage,
  choice: ClusterOptions['clock'],
  host: HostTime = hostTime,
): Promise<() => Promise<void>> {
  const kept = storage.get(KEY);
  if (kept) clock.restore(restored(JSON.parse(kept.value) as Kept, clock, choice, host.now()));
  let timer: unknown;
  let closed = false;
  const save = async (state: ClockState): Promise<void> => {
    host.cancel(timer);
    const value = JSON.stringify({ ...state, at: host.now(), choice } satisfies Kept);
    await storage.commit([{ type: 'put', key: KEY, value }]);
    // A pending write at closing must not start the next one.
    if (closed || state.paused || state.scale <= 1) return;
    // Overlapping writes must not both start one.
    host.cancel(timer);
    timer = host.schedule(() => inBackground(saveNow(), throwUnlessClosed), SAVE_EVERY);
  };
  const saveNow = (): Promise<void> => save({ now: clock.now(), paused: clock.paused, scale: clock.scale });
  let moved = false;
  clock.onMove((state) => {
    moved = true;
    return save(state);
  });
  if (!clock.paused && clock.scale > 1) inBackground(saveNow(), throwUnlessClosed);
  return async () => {
    closed = true;
    host.cancel(timer);
    // If the write fails, the database keeps the last state.
    if (kept || moved || clock.scale !== 1) await saveNow().catch(() => undefined);
  };
}

/** A closed or taken over database keeps the last state. */
function throwUnlessClosed(error: unknown): void {
  if (!(error instanceof WriteError && (error.reason === 'closed' || error.reason === 'fenced'))) throwToHost(error);
}

/** The restored state of a clock: time continued at the host's speed, unless it was paused. */
function restored(kept: Kept, clock: ControlledClock, choice: ClusterOptions['clock'], at: number): ClockState {
  const passed = Math.max(0, at - kept.at);
  const ranOn = Math.min(passed, RAN_ON);
  const now = kept.paused ? kept.now : Math.ceil(kept.now + ranOn * Math.max(1, kept.scale) + (passed - ranOn));
  const { paused, scale } = kept.choice === choice ? kept : clock;
  return { now, paused, scale };
}

/**
 * A backend whose reads and writes the clock waits for. With a seed each takes one turn, because disk speed must not
 * affect which requests share a commit.
 */
export function timed(backend: Backend, clock: Clock, isSeeded: boolean): Backend {
  const turn = <T>(work: () => Promise<T>): Promise<T> => (isSeeded ? inOneTurn(work) : work());
  return {
    ...(backend.lost && { lost: backend.lost }),
    ...(backend.gap && !isSeeded && { gap: backend.gap }),
    get full() {
      return backend.full === true;
    },
    read: (...range) =>
      clock.during(
        turn(() => backend.read(...range)),
        'io',
      ),
    write: (batch) =>
      clock.during(
        turn(() => backend.write(batch)),
        'io',
      ),
    close: () => backend.close(),
  };
}
