import type { Random } from '../../../src/std/index.ts';
import type { MemoryDisk } from '../../../src/storage/index.ts';
import { memoryBackend, WriteError } from '../../../src/storage/index.ts';
import type { Backend, Batch } from '../../../src/storage/backends/backend.ts';

/** What becomes of a write. `lost` and `found`: it fails, and the disk has nothing of it, or all. */
export type Fate = 'done' | 'lost' | 'found';

interface Gate {
  readonly batch: Batch;
  readonly open: (fate: Fate) => void;
}

/** A backend whose writes wait until they are told what becomes of them. */
export class GatedBackend implements Backend {
  readonly #inner: Backend;
  readonly #disk: MemoryDisk;
  #gates: Gate[] = [];
  /** With which error the last commits that reached the disk were reported as failed; undefined when they were not. */
  found: WriteError | undefined;
  /** How often rows of the log were joined, and snapshots made to count. */
  joins = 0;
  snapshots = 0;

  constructor(disk: MemoryDisk) {
    this.#disk = disk;
    this.#inner = memoryBackend(disk);
  }

  get waiting(): number {
    return this.#gates.length;
  }

  read: Backend['read'] = (...range) => this.#inner.read(...range);

  write(batch: Batch): Promise<void> {
    return new Promise((resolve, reject) => {
      const open = (fate: Fate): void => {
        const error = new WriteError('failed', `the simulation says ${fate}`);
        if (fate !== 'lost') this.#put(batch, fate === 'found' ? error : undefined);
        if (fate === 'done') resolve();
        else reject(error);
      };
      this.#gates.push({ batch, open });
    });
  }

  async close(): Promise<void> {
    await this.#inner.close();
  }

  /** Lets one of the waiting writes go on. */
  open(random: Random, fate: Fate): void {
    const [gate] = this.#gates.splice(random.int(this.#gates.length), 1);
    gate?.open(fate);
  }

  /** The process dies: of each waiting write the disk has all or nothing, and nobody hears of it. */
  crash(random: Random): void {
    for (const { batch } of this.#gates) if (random.int(2) === 0) this.#put(batch, undefined);
    this.#gates = [];
    // Nothing that the dead process still holds may touch the disk.
    this.#disk.owner++;
  }

  #put(batch: Batch, error: WriteError | undefined): void {
    // The first head makes an empty database; each later one makes a snapshot count.
    const turns = this.#disk.tables.head.size > 0;
    void this.#inner.write(batch);
    const touched = new Set(batch.put.map(({ table }) => table));
    if (touched.has('log') && !batch.remove) this.found = error;
    if (touched.has('log') && batch.remove) this.joins++;
    if (touched.has('head') && turns) this.snapshots++;
  }
}
