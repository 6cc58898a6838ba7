/** What time it is in the cluster, ticking in the page. */
import { useEffect, useState } from 'preact/compat';
import { create } from '../store.ts';
import type { ClockControl, ClockState } from '../host.ts';
import { theCluster } from './session.ts';

interface Read {
  readonly state: ClockState;
  /** When it was read, by the page's own monotonic clock. */
  readonly at: number;
}

export const useClock = create<{ readonly read: Read | undefined }>()(() => ({ read: undefined }));

const keep = (state: ClockState): void => useClock.setState({ read: { state, at: performance.now() } });

/** Milliseconds since the epoch, by the cluster's clock. */
export function clusterNow(): number {
  const { read } = useClock.getState();
  if (!read) return Date.now();
  const { now, paused, scale, target } = read.state;
  return paused || target !== undefined ? now : now + (performance.now() - read.at) * scale;
}

/** Reads the clock; called when a cluster opens and when the tab is looked at again. */
export async function readClock(): Promise<void> {
  keep(await theCluster().cluster.clock.state());
}

/** Keeps what the clock shows whenever something in this page moves it; returns what ends that. */
export const followMoves = (): (() => void) => theCluster().cluster.clock.follow(keep);

/** Moves the clock and keeps what it then shows. */
export async function moveClock(move: (clock: ClockControl) => Promise<ClockState>): Promise<void> {
  keep(await move(theCluster().cluster.clock));
}

const PROGRESS_EVERY = 200;

/** Steps the clock, and reads on the way how far it has come. */
export async function stepClock(ms: number): Promise<void> {
  const timer = setInterval(() => {
    // A failure to read shows when the step itself fails.
    readClock().catch(() => undefined);
  }, PROGRESS_EVERY);
  try {
    await moveClock((clock) => clock.step(ms));
  } finally {
    clearInterval(timer);
    await readClock();
  }
}

const TICK = 1000;

const ticked = new Set<() => void>();
let ticking: ReturnType<typeof setInterval> | undefined;

/** Calls each second, at the same moment for all, so that the browser paints once for all of them; returns what ends it. */
export function everySecond(call: () => void): () => void {
  // The same function may be given twice.
  const tick = (): void => call();
  ticked.add(tick);
  ticking ??= setInterval(() => {
    for (const each of [...ticked]) each();
  }, TICK);
  return () => {
    ticked.delete(tick);
    if (ticked.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  };
}

/** The cluster's time, anew each second and whenever the clock is moved. */
export function useNow(): number {
  const read = useClock((state) => state.read);
  const [now, setNow] = useState(clusterNow);
  useEffect(() => {
    setNow(clusterNow());
    if (read?.state.paused) return undefined;
    return everySecond(() => setNow(clusterNow()));
  }, [read]);
  return now;
}

const UNITS = [
  { of: 'd', seconds: 86_400 },
  { of: 'h', seconds: 3_600 },
  { of: 'm', seconds: 60 },
  { of: 's', seconds: 1 },
] as const;

/** How long ago, in the field's short form: `42s`, `5m10s`, `3h`, `12d`. */
export function age(since: string | null | undefined, now: number): string {
  if (!since) return '<unknown>';
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1000));
  if (Number.isNaN(seconds)) return '<invalid>';
  const at = UNITS.findIndex((unit) => seconds >= unit.seconds * 2);
  const unit = UNITS[at];
  if (!unit) return `${seconds}s`;
  const whole = Math.floor(seconds / unit.seconds);
  const smaller = UNITS[at + 1];
  const rest = smaller ? Math.floor((seconds % unit.seconds) / smaller.seconds) : 0;
  // Two units only while the larger one is small: `5m10s`, but `42m`.
  return smaller && whole < 10 && rest > 0 ? `${whole}${unit.of}${rest}${smaller.of}` : `${whole}${unit.of}`;
}

const two = (n: number): string => String(n).padStart(2, '0');

/** `14:03:27`, in the browser's time zone. */
export function timeOfDay(ms: number): string {
  const date = new Date(ms);
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** `2026-01-31 14:03:27`, in the browser's time zone. */
export function dateAndTime(ms: number): string {
  const date = new Date(ms);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${timeOfDay(ms)}`;
}
