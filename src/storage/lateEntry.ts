import type { Revision } from './revision.ts';
import type { Entry } from './types.ts';

/** An entry whose value is put together when somebody reads it, from a text that its versions share and what differs. */
export class LateEntry implements Entry {
  readonly key: string;
  readonly created: Revision;
  readonly revision: Revision;
  readonly version: number;
  /** What precedes and what follows the text that differs between versions. */
  readonly #around: readonly [string, string];
  readonly #differs: string;

  constructor(previous: Entry, revision: Revision, around: readonly [string, string], differs: string) {
    this.key = previous.key;
    this.created = previous.created;
    this.revision = revision;
    this.version = previous.version + 1;
    this.#around = around;
    this.#differs = differs;
  }

  get value(): string {
    return this.#around[0] + this.#differs + this.#around[1];
  }

  /** The shared text, if the entry is of this kind. */
  static around(entry: Entry): readonly [string, string] | undefined {
    return entry instanceof LateEntry ? entry.#around : undefined;
  }

  toJSON(): Entry {
    const { key, value, created, revision, version } = this;
    return { key, value, created, revision, version };
  }
}
