import type Dexie from 'dexie';
import type { Table } from 'dexie';
import { hostTime, seededRandom } from '../../../std/index.ts';

/** The row of the table `owner` that takes up the room. */
const RESERVE = 'reserve';

/** Bytes kept back: a compaction writes its snapshot beside what it replaces, and that of a small cluster has to fit. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Enough for some hundred deletions. */
const FEWEST_BYTES = 64 * 1024;
/** Where there is little room, this share of it is kept back. */
const SHARE = 1 / 8;

/** When it did not fit, so many milliseconds pass before it is tried again. */
const PATIENCE = 1000;

/**
 * Room that is kept back for deletions and compactions: a full disk would otherwise refuse what could free it. Nothing else
 * is written unless the reserve is in its place.
 */
export class Reserve {
  readonly #rows: Table<Uint8Array, string>;
  #there = false;
  #failed: { readonly at: number; readonly error: unknown } | undefined;

  constructor(database: Dexie) {
    this.#rows = database.table('owner');
  }

  /** Reads whether the reserve is there. */
  async look(): Promise<void> {
    this.#there = (await this.#rows.where(':id').equals(RESERVE).count()) > 0;
  }

  /** Puts the reserve in its place; rejects when there is no room for it. */
  async fill(atOnce = false): Promise<void> {
    if (this.#there) return;
    if (this.#failed && !atOnce && hostTime.now() - this.#failed.at < PATIENCE) throw this.#failed.error;
    try {
      await this.#takeUp(await bytesToKeep());
      this.#there = true;
      this.#failed = undefined;
    } catch (error) {
      this.#failed = { at: hostTime.now(), error };
      throw error;
    }
  }

  /** Takes up so many bytes or, where they do not fit, fewer: browsers don't tell how much room there really is. */
  async #takeUp(bytes: number): Promise<void> {
    try {
      await this.#rows.put(incompressible(bytes), RESERVE);
    } catch (error) {
      if (bytes === FEWEST_BYTES) throw error;
      await this.#takeUp(Math.max(FEWEST_BYTES, bytes * SHARE));
    }
  }

  /** Gives the room up; says whether there was any to give. */
  async release(): Promise<boolean> {
    if (!this.#there) return false;
    // To delete needs no room.
    await this.#rows.delete(RESERVE);
    this.#there = false;
    return true;
  }
}

async function bytesToKeep(): Promise<number> {
  // Node and some older browsers can't tell.
  const storage = globalThis.navigator?.storage as StorageManager | undefined;
  const { quota, usage = 0 } = (await storage?.estimate().catch(() => undefined)) ?? {};
  if (quota === undefined) return MOST_BYTES;
  const share = Math.floor(((quota - usage) * SHARE) / 4) * 4;
  return Math.min(MOST_BYTES, Math.max(FEWEST_BYTES, share));
}

/** Bytes that take up as much room on a disk that compresses. */
function incompressible(length: number): Uint8Array<ArrayBuffer> {
  const random = seededRandom('reserve');
  const bytes = new Uint32Array(Math.ceil(length / 4));
  for (let i = 0; i < bytes.length; i++) bytes[i] = random.next() * 2 ** 32;
  return new Uint8Array(bytes.buffer);
}
