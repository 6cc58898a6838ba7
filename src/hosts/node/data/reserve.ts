/** A file that reserves space: on a full disk it is deleted for operations that free space, such as deletions. */
import { randomBytes } from 'node:crypto';
import { open, stat, unlink } from 'node:fs/promises';
import type { WriteAll } from './writeAll.ts';

/** Copies of live data have to fit beside the data that they replace. */
const MOST_BYTES = 4 << 20;
/** Enough for some hundred deletions; the reserve if there is little space. */
const FEWEST_BYTES = 64 << 10;

export class Reserve {
  readonly #path: string;
  readonly #writeAll: WriteAll;
  /** The size of the file in bytes; 0 if it does not exist. */
  #held = 0;

  constructor(path: string, writeAll: WriteAll) {
    this.#path = path;
    this.#writeAll = writeAll;
  }

  /** Looks whether an earlier process has left one. */
  async look(): Promise<void> {
    this.#held = await stat(this.#path).then(
      ({ size }) => (size >= FEWEST_BYTES ? size : 0),
      () => 0,
    );
  }

  /** Fills the reserve, if needed. Rejects with the disk's error if not even the minimum fits. */
  async fill(): Promise<void> {
    if (this.#held > 0) return;
    try {
      await this.#make(MOST_BYTES);
    } catch {
      await this.#make(FEWEST_BYTES);
    }
  }

  /** Releases the reserve; returns whether there was any. */
  async release(): Promise<boolean> {
    const wasHeld = this.#held > 0;
    await this.#remove();
    return wasHeld;
  }

  async #make(bytes: number): Promise<void> {
    const file = await open(this.#path, 'w', 0o600);
    try {
      // Random bytes, because zeros occupy no space on a disk that compresses.
      await this.#writeAll(file, randomBytes(bytes), 0);
      await file.datasync();
      this.#held = bytes;
    } catch (error) {
      await this.#remove();
      throw error;
    } finally {
      await file.close();
    }
  }

  async #remove(): Promise<void> {
    this.#held = 0;
    await unlink(this.#path).catch(() => undefined);
  }
}
