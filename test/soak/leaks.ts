/** What a cluster, and a process, hold on to: it has to be back when work is over. */
import { readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Memory may have grown by so much of what it was. */
const GROWTH = 0.1;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes in use, after what is garbage was collected. */
export async function bytesInUse(): Promise<number> {
  for (let i = 0; i < 3; i++) {
    collect();
    // What finalizers let go of is garbage only then.
    await setImmediate();
  }
  return process.memoryUsage().heapUsed;
}

/** What a process holds: sockets, servers, timers, open files. Counts by kind. */
export function held(): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  if (process.platform === 'linux') counts.set('open file', readdirSync('/proc/self/fd').length);
  return counts;
}

/** Turns of the event loop within which what was let go of has to be gone: a file that is being closed takes some. */
const TURNS = 10_000;

/** A sentence for each kind of which more is held than before, once what is on its way out is out. */
export async function leaked(before: ReadonlyMap<string, number>): Promise<string[]> {
  let found = more(before, held());
  for (let i = 0; i < TURNS && found.length > 0; i++) {
    await setImmediate();
    found = more(before, held());
  }
  return found;
}

const more = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): string[] =>
  [...after]
    .filter(([kind, count]) => count > (before.get(kind) ?? 0))
    .map(([kind, count]) => `${kind}: ${count} are left where there were ${before.get(kind) ?? 0}`);

/** A sentence where memory has grown too much. */
export function grown(what: string, before: number, after: number): string[] {
  const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`;
  return after <= before * (1 + GROWTH)
    ? []
    : [`${what}: ${megabytes(after)} of memory are in use where it was ${megabytes(before)}`];
}

/** A sentence that names the keys that were not stored before. */
export function added(before: ReadonlySet<string>, after: ReadonlySet<string>): string[] {
  const names = [...after].filter((key) => !before.has(key));
  return names.length === 0 ? [] : [`${names.length} keys are stored that were not there before: ${names.join(', ')}`];
}
