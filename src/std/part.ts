/**
 * Parts of the program that are fetched when they are first used: a page that opens a cluster waits for what every cluster
 * needs, and for nothing else.
 */

/** A part could not be fetched: there is no network and nobody kept it, or a newer program has taken its place. The next use tries again. */
export class PartError extends Error {
  override name = 'PartError';

  constructor(problem: unknown) {
    super(
      `a part of the program could not be fetched: ${problem instanceof Error ? problem.message : String(problem)}`,
    );
  }
}

/** What there is to know of a part without its type: whether it is here, and how it comes. */
export interface Loadable {
  /** Whether it is here: then nobody has to wait for it. */
  readonly loaded: boolean;
  /** Fetches it, once; a failure (PartError) is forgotten, so that the next call tries again. */
  load(): Promise<unknown>;
}

/** A part by what fetches it. On the way that every request goes, ask `loaded` before `load`: a promise costs a turn. */
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

  /** The part itself. Whoever asks has seen to it that it is here. */
  get(): T {
    if (!this.#value) throw new Error('a part is used before it is fetched');
    return this.#value.of;
  }

  /** One thing of a part that holds several; it comes with all of them. */
  of<Key extends keyof T>(key: Key): PartOf<T[Key]> {
    return { part: this, get: () => this.get()[key] };
  }
}

/** A thing that a part brings. */
export interface PartOf<T> {
  readonly part: Loadable;
  get(): T;
}

/** Fetches all that is missing; rejects with the first failure. */
export async function loadAll(parts: readonly Loadable[]): Promise<void> {
  await Promise.all(parts.filter(({ loaded }) => !loaded).map((part) => part.load()));
}
