import { must } from '../../std/index.ts';
import { parseDuration } from '../../schema/index.ts';

/** The flags of a controller manager. */
export interface GivenFlags {
  /** The text of a flag or its default; undefined if it has neither. */
  readonly flags: (name: string) => string | undefined;
  /** Whether a feature gate is on. */
  readonly gate: (name: string) => boolean;
}

/** Reads the controller manager's flags by name. Defaults are declared with the flags. */
export class Flags {
  readonly #given: GivenFlags;

  constructor(given: GivenFlags) {
    this.#given = given;
  }

  text(name: string): string {
    return this.#given.flags(name) ?? '';
  }

  number(name: string): number {
    return Number(must(this.#given.flags(name), `there is no flag --${name}`));
  }

  /** Milliseconds. */
  duration(name: string): number {
    return must(parseDuration(this.text(name)), `there is no flag --${name}`);
  }

  bool(name: string): boolean {
    return this.text(name) === 'true';
  }

  list(name: string): readonly string[] {
    return this.text(name).split(',').filter(Boolean);
  }

  /** Whether a feature gate is on. */
  gate(name: string): boolean {
    return this.#given.gate(name);
  }
}
