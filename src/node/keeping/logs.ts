/** Logs of containers as texts: what is kept of them over a reload. */
import { LogBuffer, type LogEntry } from '../pod/logBuffer.ts';
import type { Keeper } from './keeper.ts';

/** Characters of a log that are kept; the oldest lines go first. */
const MOST_KEPT = 16 * 1024;

export const logsOfPod = (podUid: string): string => `logs/${podUid}/`;

const keyOf = (podUid: string, containerId: string): string => `${logsOfPod(podUid)}${containerId.slice(-16)}`;

/** The log of a container that ran before, as it was kept; undefined where nothing was. */
export function keptLog(keeper: Keeper, podUid: string, containerId: string, now: () => number): LogBuffer | undefined {
  const text = keeper.read(keyOf(podUid, containerId));
  return text === undefined ? undefined : new LogBuffer(now, entriesOf(text));
}

/** Keeps a log from now on. */
export function keepLog(keeper: Keeper, podUid: string, containerId: string, log: LogBuffer): void {
  if (!keeper.isOn) return;
  const text = (): string => JSON.stringify(lastOf(log));
  log.onLine = () => keeper.changed(keyOf(podUid, containerId), text);
}

function lastOf(log: LogBuffer): (readonly [number, string])[] {
  const kept: (readonly [number, string])[] = [];
  let size = 0;
  for (const { at, text } of log.from(0).toReversed()) {
    size += text.length;
    if (size > MOST_KEPT && kept.length > 0) break;
    kept.push([at, text]);
  }
  return kept.reverse();
}

function entriesOf(text: string): LogEntry[] {
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) return [];
    return value.flatMap((entry: unknown) => {
      const [at, line] = Array.isArray(entry) ? (entry as unknown[]) : [];
      return typeof at === 'number' && typeof line === 'string' ? [{ at, text: line }] : [];
    });
  } catch {
    // An exported cluster brings a word in its place.
    return [];
  }
}
