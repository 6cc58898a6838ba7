import { timeOf } from '../schema/index.ts';
import type { Clock, StopSignal } from '../std/index.ts';
import type { LogBuffer, LogEntry } from './pod/logBuffer.ts';

export interface LogOptions {
  readonly previous?: boolean | undefined;
  readonly follow?: boolean | undefined;
  readonly timestamps?: boolean | undefined;
  readonly tailLines?: number | undefined;
  readonly sinceSeconds?: number | undefined;
  /** RFC 3339. */
  readonly sinceTime?: string | undefined;
  readonly limitBytes?: number | undefined;
}

/** The log of a container, line by line; with `follow` it continues until the container ends. */
export async function* readLogs(
  log: LogBuffer,
  options: LogOptions,
  clock: Clock,
  signal?: StopSignal,
): AsyncGenerator<string> {
  const since = Math.max(
    timeOf(options.sinceTime) ?? 0,
    options.sinceSeconds === undefined ? 0 : clock.now() - options.sinceSeconds * 1000,
  );
  const { tailLines } = options;
  let seen = log.end;
  const begun = log.from(0).filter((entry) => entry.at >= since);
  const shown = tailLines === undefined ? begun : begun.slice(Math.max(0, begun.length - tailLines));
  for (const entry of shown) yield lineOf(entry, options);
  while (options.follow && !options.previous && !signal?.aborted) {
    await log.next(seen, signal);
    const entries = log.from(seen);
    seen = log.end;
    for (const entry of entries) yield lineOf(entry, options);
    if (log.isClosed && log.end === seen) return;
  }
}

function lineOf({ at, text }: LogEntry, { timestamps }: LogOptions): string {
  return timestamps ? `${new Date(at).toISOString().slice(0, 23)}000000Z ${text}` : text;
}
