import { timeOf } from '../schema/index.ts';
import { delay, type Clock } from '../std/index.ts';
import { nextOutput, outputUntil } from './images/index.ts';
import type { ContainerRecord } from './pod/record.ts';

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

interface Entry {
  readonly at: number;
  readonly text: string;
}

/** What a container has written, line by line; with `follow`, also what it goes on to write until it ends. */
export async function* readLogs(
  record: () => ContainerRecord | undefined,
  options: LogOptions,
  clock: Clock,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  const since = Math.max(
    timeOf(options.sinceTime) ?? 0,
    options.sinceSeconds === undefined ? 0 : clock.now() - options.sinceSeconds * 1000,
  );
  const begun = entriesOf(record(), options.previous ?? false, clock.now()).filter((entry) => entry.at >= since);
  const shown = options.tailLines === undefined ? begun : begun.slice(Math.max(0, begun.length - options.tailLines));
  for (const entry of shown) yield lineOf(entry, options);
  if (options.follow && !options.previous) yield* follow(record, options, clock, signal);
}

async function* follow(
  record: () => ContainerRecord | undefined,
  options: LogOptions,
  clock: Clock,
  signal?: AbortSignal,
): AsyncGenerator<string> {
  let seen = clock.now();
  const id = idOf(record());
  for (;;) {
    const current = record();
    if (signal?.aborted || current?.state.is !== 'running' || idOf(current) !== id) return;
    const { program, since } = current.state;
    const next = nextOutput(program, clock.now() - since);
    await delay(clock, Math.min(next === undefined ? 1000 : since + next - clock.now(), 1000), signal);
    const entries = entriesOf(record(), false, clock.now()).filter((entry) => entry.at > seen);
    seen = clock.now();
    for (const entry of entries) yield lineOf(entry, options);
  }
}

const idOf = (record: ContainerRecord | undefined): string => (record?.state.is === 'running' ? record.state.id : '');

function entriesOf(record: ContainerRecord | undefined, previous: boolean, now: number): Entry[] {
  if (!record) return [];
  const { state } = record;
  if (state.is === 'running' && !previous) return written(state.program, state.since, now);
  const ended = state.is === 'ended' && !previous ? state : record.previous?.ended;
  return ended?.program ? written(ended.program, ended.since, ended.at) : [];
}

function written(program: Parameters<typeof outputUntil>[0], since: number, until: number): Entry[] {
  return outputUntil(program, until - since).map(({ at, text }) => ({ at: since + at, text }));
}

function lineOf({ at, text }: Entry, { timestamps }: LogOptions): string {
  const iso = new Date(at).toISOString();
  // What a program prints as the time of day is the time at which it printed it.
  const shown = text.replaceAll('(date)', () => new Date(at).toUTCString());
  return `${timestamps ? `${iso.slice(0, 23)}000000Z ` : ''}${shown}\n`;
}
