import { WriteError } from '../../errors.ts';
import type { Open } from './transactions.ts';

/** The row of the table `owner` that counts the claims, and so identifies the last one. */
const OWNER = 0;

/** Write access: it belongs to the last user that claimed the database. */
export class Ownership {
  #seen = 0;
  #claimed = false;

  get claimed(): boolean {
    return this.#claimed;
  }

  /** Takes the database over from its current user; `took` has to follow the end of the transaction. */
  takeOver(open: Open): void {
    open.then(claimsIn(open), (claims = 0) => {
      this.#seen = claims;
      this.#put(open);
    });
  }

  /** Completes a `takeOver` that lacked space, unless another user has claimed the database meanwhile. */
  claim(open: Open): void {
    this.assert(open, () => this.#put(open));
  }

  /** The transaction of `takeOver` or `claim` is complete. */
  took(): void {
    this.#seen++;
    this.#claimed = true;
  }

  /** Aborts the transaction if another user has claimed the database since, and calls `then` otherwise. */
  assert(open: Open, then: () => void = () => undefined): void {
    open.then(claimsIn(open), (claims = 0) => {
      if (claims === this.#seen) then();
      else open.fail(new WriteError('fenced', 'the database has been opened by somebody else'));
    });
  }

  #put(open: Open): void {
    open.store('owner').put(this.#seen + 1, OWNER);
  }
}

const claimsIn = (open: Open): IDBRequest<number | undefined> => open.store('owner').get(OWNER);
