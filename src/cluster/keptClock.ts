/** Keeps where a cluster's clock stands with the cluster's data: time goes on from there, and never back. */
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

/** Milliseconds of the host's time between two writes while the cluster's time is faster than the host's. */
const SAVE_EVERY = 60_000;

/** For so long after the last write the cluster may have run on at its speed; hidden tabs are late with their writes. */
const RAN_ON = 5 * SAVE_EVERY;

interface Kept extends ClockState {
  /** When this was written, by the host's clock. */
  readonly at: number;
  /** The option with which the cluster was opened; another one replaces speed and pause. */
  readonly choice: ClusterOptions['clock'];
}

/**
 * Sets the clock to where it was left, and writes down where it stands from then on; a clock that shows the host's time needs
 * no writes. Call the result before storage closes.
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
    // A write that was still on its way when the cluster closed must not begin the next one.
    if (closed || state.paused || state.scale <= 1) return;
    // Nor may two writes that overlap each begin one.
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
    // Whatever became of the database: it keeps what was last written.
    if (kept || moved || clock.scale !== 1) await saveNow().catch(() => undefined);
  };
}

/** A database that was closed or taken over keeps what was last written. */
function throwUnlessClosed(error: unknown): void {
  if (!(error instanceof WriteError && (error.reason === 'closed' || error.reason === 'fenced'))) throwToHost(error);
}

/** Where a clock stands that was left some time ago: time went on at the host's speed, unless it was paused. */
function restored(kept: Kept, clock: ControlledClock, choice: ClusterOptions['clock'], at: number): ClockState {
  const passed = Math.max(0, at - kept.at);
  const ranOn = Math.min(passed, RAN_ON);
  const now = kept.paused ? kept.now : Math.ceil(kept.now + ranOn * Math.max(1, kept.scale) + (passed - ranOn));
  const { paused, scale } = kept.choice === choice ? kept : clock;
  return { now, paused, scale };
}

/**
 * A backend whose reads and writes the clock waits for. With a seed each counts as one turn: how long a disk takes must not say
 * which requests meet in one commit.
 */
export function timed(backend: Backend, clock: Clock, isSeeded: boolean): Backend {
  const turn = <T>(work: () => Promise<T>): Promise<T> => (isSeeded ? inOneTurn(work) : work());
  return {
    ...(backend.lost && { lost: backend.lost }),
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
