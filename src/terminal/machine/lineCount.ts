import type { Transport } from '../../client/index.ts';

/** Numbers the command lines, and counts the requests of each. */
export class LineCount {
  #line = 0;
  #requests = 0;

  /** The number of the line that runs, or ran last; 0 before the first. */
  get line(): number {
    return this.#line;
  }

  begin(): void {
    this.#line += 1;
    this.#requests = 0;
  }

  /** How many requests were made since this was asked last. */
  take(): number {
    const requests = this.#requests;
    this.#requests = 0;
    return requests;
  }

  /** A transport whose requests are counted. */
  counting(transport: Transport): Transport {
    return (path, init) => {
      this.#requests += 1;
      return transport(path, init);
    };
  }
}
