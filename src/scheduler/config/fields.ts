/** Reads a user-written value field by field: checks the type of each, and refuses unknown fields. */
import { getOwn } from '../../std/index.ts';

/** Thrown for an invalid configuration; the message names the field. */
export class ConfigurationError extends Error {
  override name = 'ConfigurationError';
}

export class Fields {
  /** The location of the value, such as `profiles[0].plugins`. */
  readonly path: string;
  readonly #object: Readonly<Record<string, unknown>>;
  readonly #read = new Set<string>();

  /** Throws ConfigurationError if the value is not a map. */
  constructor(value: unknown, path: string) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ConfigurationError(`${path === '' ? 'the file' : path} has to be a map of fields`);
    this.path = path;
    this.#object = { ...value };
  }

  text(name: string): string | undefined {
    return this.#of(name, 'a text', (value) => typeof value === 'string');
  }

  /** A whole number between two bounds. */
  number(name: string, least: number, most: number): number | undefined {
    const value: number | undefined = this.#of(name, 'a whole number', (found) => Number.isInteger(found));
    if (value === undefined || (value >= least && value <= most)) return value;
    throw new ConfigurationError(`${this.at(name)}: Invalid value: ${value}: must be in range [${least}-${most}]`);
  }

  fields(name: string): Fields | undefined {
    const value = this.raw(name);
    return value === undefined ? undefined : new Fields(value, this.at(name));
  }

  list(name: string): Fields[] {
    const values: unknown[] = this.#of(name, 'a list', Array.isArray) ?? [];
    return values.map((value, i) => new Fields(value, `${this.at(name)}[${i}]`));
  }

  texts(name: string): string[] {
    const isTexts = (value: unknown): boolean =>
      Array.isArray(value) && value.every((item) => typeof item === 'string');
    return this.#of<string[]>(name, 'a list of texts', isTexts) ?? [];
  }

  /** The raw value of a field; null counts as missing. */
  raw(name: string): unknown {
    this.#read.add(name);
    return getOwn(this.#object, name) ?? undefined;
  }

  /** The same value with some fields set. */
  with(fields: Readonly<Record<string, unknown>>): Fields {
    return new Fields({ ...this.#object, ...fields }, this.path);
  }

  at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }

  /** Throws if there are fields that were not read; call it last. */
  end(): void {
    const unknown = Object.keys(this.#object).find((name) => !this.#read.has(name));
    if (unknown !== undefined)
      throw new ConfigurationError(`strict decoder error: unknown field "${this.at(unknown)}"`);
  }

  #of<T>(name: string, what: string, is: (value: unknown) => boolean): T | undefined {
    const value = this.raw(name);
    if (value === undefined || is(value)) return value as T | undefined;
    throw new ConfigurationError(`${this.at(name)} has to be ${what}`);
  }
}
