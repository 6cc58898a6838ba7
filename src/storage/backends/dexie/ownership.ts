import type Dexie from 'dexie';
import type { Table } from 'dexie';
import { WriteError } from '../../errors.ts';

/** The row of the table `owner` that counts how often the database was claimed, so who claimed it last. */
const OWNER = 0;

/** Who may write: whoever claimed the database last. */
export class Ownership {
  readonly #owners: Table<number, number>;
  readonly #database: Dexie;
  #seen = 0;
  #claimed = false;

  constructor(database: Dexie) {
    this.#database = database;
    this.#owners = database.table('owner');
  }

  /** Takes the database over from whoever has it now. */
  async takeOver(): Promise<void> {
    await this.#database.transaction('rw', this.#owners, async () => {
      this.#seen = (await this.#owners.get(OWNER)) ?? 0;
      await this.#owners.put(this.#seen + 1, OWNER);
    });
    this.#seen++;
    this.#claimed = true;
  }

  /** Does what `takeOver` had no room for, unless somebody else has come meanwhile. */
  async claim(): Promise<void> {
    if (this.#claimed) return;
    await this.#database.transaction('rw', this.#owners, async () => {
      await this.assert();
      await this.#owners.put(this.#seen + 1, OWNER);
    });
    this.#seen++;
    this.#claimed = true;
  }

  /** Throws, and thereby takes back the transaction around it, when somebody else has claimed the database since. */
  async assert(): Promise<void> {
    const owner = (await this.#owners.get(OWNER)) ?? 0;
    if (owner !== this.#seen) throw new WriteError('fenced', 'the database has been opened by somebody else');
  }
}
