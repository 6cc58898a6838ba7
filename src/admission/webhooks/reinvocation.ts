/**
 * Which webhooks are called again in the second pass: those that allow it (`reinvocationPolicy: IfNeeded`), were called
 * before, and whose object was changed afterwards.
 */
import type { ApiObject } from '../../schema/index.ts';
import { clone, deepEqual } from '../../std/index.ts';

export class Reinvocation {
  /** Called webhooks that allow reinvocation; the object is unchanged since. */
  #asked = new Set<string>();
  #again = new Set<string>();
  #output: ApiObject | undefined;

  /** Starts the second pass: plugins may have changed the object after the webhooks. */
  beginAgain(object: ApiObject | undefined): void {
    if (!deepEqual(this.#output, object)) this.changed();
  }

  /** A webhook changed the object: all earlier ones have to be called again. */
  changed(): void {
    for (const key of this.#asked) this.#again.add(key);
    this.#asked.clear();
  }

  asked(key: string): void {
    this.#asked.add(key);
  }

  wants(key: string): boolean {
    return this.#again.has(key);
  }

  /** Ends the pass. The resulting object only matters to webhooks that may be called again. */
  leave(object: ApiObject | undefined): void {
    if (this.#asked.size > 0) this.#output = object && clone(object);
  }
}
