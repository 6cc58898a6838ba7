/** A file that takes up room on purpose: on a full disk it is given up for what frees room, such as deletions. */
import { randomBytes } from 'node:crypto';
import { open, stat, unlink } from 'node:fs/promises';
import type { WriteAll } from './writeAll.ts';

/** Copies of what is in use have to fit beside what they replace. */
const MOST_BYTES = 4 << 20;
/** Enough for some hundred deletions; kept where there is little room. */
const FEWEST_BYTES = 64 << 10;

export class Reserve {
  readonly #path: string;
  readonly #writeAll: WriteAll;
  /** Bytes that the file takes up; 0 where there is none. */
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

  /** Takes up the room, unless it is taken up already. Rejects with what the disk says where not even a little fits. */
  async fill(): Promise<void> {
    if (this.#held > 0) return;
    try {
      await this.#make(MOST_BYTES);
    } catch {
      await this.#make(FEWEST_BYTES);
    }
  }

  /** Gives the room up; says whether there was any. */
  async release(): Promise<boolean> {
    const wasHeld = this.#held > 0;
    await this.#remove();
    return wasHeld;
  }

  async #make(bytes: number): Promise<void> {
    const file = await open(this.#path, 'w', 0o600);
    try {
      // Random bytes: zeros take up no room where the disk compresses.
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
