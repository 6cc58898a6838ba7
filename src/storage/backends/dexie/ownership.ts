import type Dexie from 'dexie';
import type { Table } from 'dexie';
import { WriteError } from '../../errors.ts';

/** The row of the table `owner` that counts the claims, and so identifies the last one. */
const OWNER = 0;

/** Write access: it belongs to the last user that claimed the database. */
export class Ownership {
  readonly #owners: Table<number, number>;
  readonly #database: Dexie;
  #seen = 0;
  #claimed = false;

  constructor(database: Dexie) {
    this.#database = database;
    this.#owners = database.table('owner');
  }

  /** Takes the database over from its current user. */
  async takeOver(): Promise<void> {
    await this.#database.transaction('rw', this.#owners, async () => {
      this.#seen = (await this.#owners.get(OWNER)) ?? 0;
      await this.#owners.put(this.#seen + 1, OWNER);
    });
    this.#seen++;
    this.#claimed = true;
  }

  /** Completes a `takeOver` that lacked space, unless another user has claimed the database meanwhile. */
  async claim(): Promise<void> {
    if (this.#claimed) return;
    await this.#database.transaction('rw', this.#owners, async () => {
      await this.assert();
      await this.#owners.put(this.#seen + 1, OWNER);
    });
    this.#seen++;
    this.#claimed = true;
  }

  /** Throws, and so aborts the surrounding transaction, if another user has claimed the database since. */
  async assert(): Promise<void> {
    const owner = (await this.#owners.get(OWNER)) ?? 0;
    if (owner !== this.#seen) throw new WriteError('fenced', 'the database has been opened by somebody else');
  }
}
