/**
 * Hours of the heartbeats of many nodes in a whole cluster, on a clock that is stepped, over files. What is kept must not grow
 * with the time that has passed: keys, revisions, watches, bytes on the disk and in memory.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { segmentBackend } from '../../src/hosts/node/data/segments.ts';
import { bytesInUse, grown } from './leaks.ts';

export interface HeartbeatOptions {
  readonly nodes: number;
  readonly hours: number;
  readonly segmentBytes?: number;
}

/** What a cluster holds at the end of an hour. */
export interface Holdings {
  readonly hour: number;
  readonly revision: number;
  readonly keys: number;
  /** Versions of objects that are kept. */
  readonly revisions: number;
  readonly watches: number;
  readonly diskBytes: number;
  readonly memoryBytes: number;
}

const MINUTES = 60;
/** Each hour has at least so many heartbeats of a node: it renews its lease every ten seconds. */
const BEATS = 350;
/** Rows are appended until half of them are dead and a segment is full. */
const DISK_GROWTH = 2;

/** Lets the hours pass; `onHour` hears what is held after each. Resolves with what has grown. */
export async function heartbeats(
  { nodes, hours, segmentBytes = 4 << 20 }: HeartbeatOptions,
  onHour: (holdings: Holdings) => void,
): Promise<readonly string[]> {
  const directory = mkdtempSync(join(tmpdir(), 'vitrine-beats-'));
  const backend = await segmentBackend(directory, { segmentBytes });
  const cluster = await createCluster({ name: 'beats', clock: 'manual', seed: 1, nodes }, { backend });
  const faults: string[] = [];
  let first: Holdings | undefined;
  try {
    for (let hour = 1; hour <= hours; hour++) {
      const before = cluster.storage.revision;
      // So short a step that no heartbeat of it is left out.
      for (let i = 0; i < MINUTES; i++) await cluster.clock.step(60_000);
      const now = await holdingsOf(cluster, directory, hour);
      onHour(now);
      if (now.revision - before < BEATS * nodes)
        faults.push(`hour ${hour}: ${now.revision - before} writes, too few for the heartbeats of ${nodes} nodes`);
      first ??= now;
      faults.push(...growth(first, now));
    }
  } finally {
    await cluster.stop();
    rmSync(directory, { recursive: true, force: true });
  }
  return faults;
}

async function holdingsOf({ storage }: Cluster, directory: string, hour: number): Promise<Holdings> {
  const { revision, keys, revisions, watches } = storage.stats();
  const sizes = readdirSync(directory).map((name) => statSync(join(directory, name)).size);
  const diskBytes = sizes.reduce((all, size) => all + size, 0);
  return { hour, revision, keys, revisions, watches, diskBytes, memoryBytes: await bytesInUse() };
}

function growth(first: Holdings, now: Holdings): string[] {
  const more = (what: 'keys' | 'revisions' | 'watches' | 'diskBytes', factor: number): string[] =>
    now[what] <= first[what] * factor ? [] : [`hour ${now.hour}: ${now[what]} ${what} where there were ${first[what]}`];
  return [
    ...more('keys', 1),
    ...more('watches', 1),
    ...more('revisions', 1.1),
    ...more('diskBytes', DISK_GROWTH),
    ...grown(`hour ${now.hour}`, first.memoryBytes, now.memoryBytes),
  ];
}
