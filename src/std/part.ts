/**
 * Parts of the program that are loaded when they are first used, so that opening a cluster loads only what every
 * cluster needs.
 */

/**
 * A part could not be loaded: there is no network and no cached copy, or a newer release has replaced it. The next use
 * retries.
 */
export class PartError extends Error {
  override name = 'PartError';

  constructor(problem: unknown) {
    super(
      `a part of the program could not be fetched: ${problem instanceof Error ? problem.message : String(problem)}`,
    );
  }
}

/** A part without its type: whether it is loaded, and how to load it. */
export interface Loadable {
  /** Whether it is loaded, so that no caller has to wait. */
  readonly loaded: boolean;
  /** Loads it once. A failure (PartError) is not cached, so the next call retries. */
  load(): Promise<unknown>;
}

/**
 * A part, given the function that loads it. On the path of every request, check `loaded` before calling `load`, because
 * awaiting a promise costs a turn.
 */
export class Part<T> implements Loadable {
  readonly #fetch: () => Promise<T>;
  #loading: Promise<T> | undefined;
  #value: { readonly of: T } | undefined;

  constructor(fetch: () => Promise<T>) {
    this.#fetch = fetch;
  }

  get loaded(): boolean {
    return this.#value !== undefined;
  }

  load(): Promise<T> {
    this.#loading ??= this.#fetch().then(
      (value) => {
        this.#value = { of: value };
        return value;
      },
      (problem: unknown) => {
        this.#loading = undefined;
        throw problem instanceof PartError ? problem : new PartError(problem);
      },
    );
    return this.#loading;
  }

  /** The loaded part. The caller must have loaded it. */
  get(): T {
    if (!this.#value) throw new Error('a part is used before it is fetched');
    return this.#value.of;
  }

  /** One export of a part; it is loaded with the whole part. */
  of<Key extends keyof T>(key: Key): PartOf<T[Key]> {
    return { part: this, get: () => this.get()[key] };
  }
}

/** An export of a part. */
export interface PartOf<T> {
  readonly part: Loadable;
  get(): T;
}

/** Loads all parts that are not loaded; rejects with the first failure. */
export async function loadAll(parts: readonly Loadable[]): Promise<void> {
  await Promise.all(parts.filter(({ loaded }) => !loaded).map((part) => part.load()));
}
