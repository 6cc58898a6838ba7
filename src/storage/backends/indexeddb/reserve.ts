import { hostTime, seededRandom } from '../../../std/index.ts';
import { resultOf, type Open } from './transactions.ts';

/** The row of the table `owner` that occupies the reserved space. */
const RESERVE = 'reserve';

/**
 * The size of the reserve in bytes. A compaction writes its snapshot beside the data that it replaces, so the snapshot
 * of a small cluster has to fit.
 */
const MOST_BYTES = 4 * 1024 * 1024;
/** Enough for some hundred deletions. */
const FEWEST_BYTES = 64 * 1024;
/** If there is little space, this share of it is reserved. */
const SHARE = 1 / 8;

/** Milliseconds until the reserve is tried again after it did not fit. */
const PATIENCE = 1000;

/**
 * Space reserved for deletions and compactions: without it a full disk would refuse the operations that free space.
 * Other writes are refused while the reserve is not filled.
 */
export class Reserve {
  readonly #database: IDBDatabase;
  readonly #transact: (work: (open: Open) => void) => Promise<void>;
  #there = false;
  #failed: { readonly at: number; readonly error: unknown } | undefined;

  /** `transact` runs a transaction of the table `owner`. */
  constructor(database: IDBDatabase, transact: (work: (open: Open) => void) => Promise<void>) {
    this.#database = database;
    this.#transact = transact;
  }

  /** Reads whether the reserve is filled. */
  async look(): Promise<void> {
    this.#there = (await resultOf(this.#database.transaction('owner').objectStore('owner').count(RESERVE))) > 0;
  }

  /** Fills the reserve; rejects if there is no space for it. */
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

  /**
   * Occupies the given number of bytes, or fewer if they do not fit. Browsers do not report how much space there really
   * is.
   */
  async #takeUp(bytes: number): Promise<void> {
    try {
      await this.#transact((open) => void open.store('owner').put(incompressible(bytes), RESERVE));
    } catch (error) {
      if (bytes === FEWEST_BYTES) throw error;
      await this.#takeUp(Math.max(FEWEST_BYTES, bytes * SHARE));
    }
  }

  /** Releases the reserved space; returns whether there was any. */
  async release(): Promise<boolean> {
    if (!this.#there) return false;
    // Deleting needs no space.
    await this.#transact((open) => void open.store('owner').delete(RESERVE));
    this.#there = false;
    return true;
  }
}

async function bytesToKeep(): Promise<number> {
  // Node and some older browsers have no estimate.
  const storage = globalThis.navigator?.storage as StorageManager | undefined;
  const { quota, usage = 0 } = (await storage?.estimate().catch(() => undefined)) ?? {};
  if (quota === undefined) return MOST_BYTES;
  const share = Math.floor(((quota - usage) * SHARE) / 4) * 4;
  return Math.min(MOST_BYTES, Math.max(FEWEST_BYTES, share));
}

/** Random bytes, which occupy their full size on a disk that compresses. */
function incompressible(length: number): Uint8Array<ArrayBuffer> {
  const random = seededRandom('reserve');
  const bytes = new Uint32Array(Math.ceil(length / 4));
  for (let i = 0; i < bytes.length; i++) bytes[i] = random.next() * 2 ** 32;
  return new Uint8Array(bytes.buffer);
}
