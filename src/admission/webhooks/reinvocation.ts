/**
 * Which webhooks are asked again in the second pass of one request: those that allow it (`reinvocationPolicy: IfNeeded`), were asked
 * before, and after whose turn somebody changed the object.
 */
import type { ApiObject } from '../../schema/index.ts';
import { clone, deepEqual } from '../../std/index.ts';

export class Reinvocation {
  /** Asked already, willing to be asked again; nothing has changed since. */
  #asked = new Set<string>();
  #again = new Set<string>();
  #output: ApiObject | undefined;

  /** The second pass begins: plugins may have changed what the webhooks left behind. */
  beginAgain(object: ApiObject | undefined): void {
    if (!deepEqual(this.#output, object)) this.changed();
  }

  /** A webhook changed the object: all before it have to look again. */
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

  /** The pass is over. What it left behind matters only to those that may be asked again. */
  leave(object: ApiObject | undefined): void {
    if (this.#asked.size > 0) this.#output = object && clone(object);
  }
}
