/** A worker that opens a storage, tells what it found, and writes until it is killed. */
import { realClock, seededRandom } from '../../src/std/index.ts';
import type { Op, Storage } from '../../src/storage/index.ts';
import { indexedDbBackend, openStorage } from '../../src/storage/index.ts';

/** One key as it was acknowledged or found. */
export interface Written {
  readonly key: string;
  readonly revision: number;
  readonly value: string;
}

export type Report =
  | { readonly type: 'opened'; readonly revision: number; readonly found: readonly Written[] }
  | { readonly type: 'acknowledged'; readonly written: readonly Written[] }
  | { readonly type: 'failed'; readonly message: string };

const LANES = 20;
const KEYS = 300;
const PAIR = ['/pair/left', '/pair/right'] as const;
/** Rows are joined and snapshots written all the time, so that many a round ends in the middle of one. */
const TUNING = {
  rowBytes: 50_000,
  joinRows: 8,
  smallRow: 40_000,
  snapshotBytes: 200_000,
  removeBytes: 4096,
  patience: 10,
};

const report = (message: Report): void => self.postMessage(message);

self.onmessage = ({ data }: MessageEvent<{ name: string; seed: number }>) => {
  write(data.name, data.seed).catch((error: unknown) => report({ type: 'failed', message: String(error) }));
};

async function write(name: string, seed: number): Promise<void> {
  const storage = await openStorage({ backend: await indexedDbBackend({ name }), clock: realClock() }, TUNING);
  const { entries, revision } = storage.range({ start: '', end: '\uffff' });
  report({ type: 'opened', revision, found: entries.map(({ key, revision, value }) => ({ key, revision, value })) });
  await Promise.all([
    ...Array.from({ length: LANES }, (_, lane) => puts(storage, seed * LANES + lane)),
    compactions(storage),
  ]);
}

/** Writes one key after another; now and then two at once, which must never differ. */
async function puts(storage: Storage, seed: number): Promise<void> {
  const random = seededRandom(seed);
  for (;;) {
    const value = random.suffix(20).padEnd(random.int(3000), '.');
    const keys = random.int(10) === 0 ? PAIR : [`/key/${random.int(KEYS)}`];
    const result = await storage.commit(keys.map((key): Op => ({ type: 'put', key, value })));
    if (!result.ok) throw new Error(`${result.key} can't be in the way`);
    report({ type: 'acknowledged', written: keys.map((key) => ({ key, revision: result.revision, value })) });
  }
}

async function compactions(storage: Storage): Promise<void> {
  for (;;) {
    await storage.waitFor(storage.revision + 200, 10_000);
    await storage.compact(storage.revision);
  }
}
