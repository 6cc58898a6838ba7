/** Holds requests before a step of their way, so that somebody can look, edit the object, and let them go. */

/** Where to hold what; what is left out matches everything. */
export interface Breakpoint {
  readonly id: string;
  /** `authorization`, `admission` or the name of one of its plugins, `validation`, `storage`. */
  readonly before: string;
  readonly verb?: string;
  readonly resource?: string;
  readonly user?: string;
}

/** What a breakpoint is held against. */
export interface Passing {
  readonly request: string;
  readonly verb: string;
  readonly resource: string;
  readonly user: string;
}

/** A request that waits. */
export interface Held extends Passing {
  readonly breakpoint: string;
  /** The step that it waits for. */
  readonly before: string;
  /** The object as it would go on; absent where there is none. */
  readonly object?: unknown;
}

interface Waiting {
  readonly held: Held;
  readonly go: (edited: unknown) => void;
}

export class Breakpoints {
  #set: readonly Breakpoint[] = [];
  readonly #waiting = new Map<string, Waiting>();
  readonly #listeners = new Set<() => void>();

  get all(): readonly Breakpoint[] {
    return this.#set;
  }

  get held(): readonly Held[] {
    return [...this.#waiting.values()].map(({ held }) => held);
  }

  /** Replaces all breakpoints. Requests that wait at one that is gone go on. */
  set(breakpoints: readonly Breakpoint[]): void {
    this.#set = breakpoints;
    const ids = new Set(breakpoints.map(({ id }) => id));
    for (const { held } of this.#waiting.values()) if (!ids.has(held.breakpoint)) this.release(held.request);
    this.#changed();
  }

  /**
   * Waits before a step where a breakpoint asks for it; undefined, at once, where none does. `steps` names the step, the
   * narrowest name first. Resolves with the object that the person wants to go on, where they edited it.
   */
  hold(passing: Passing, steps: readonly string[], object?: () => unknown): Promise<unknown> | undefined {
    if (this.#set.length === 0) return undefined;
    const found = this.#set.find((one) => steps.includes(one.before) && matches(one, passing));
    return found && this.#wait(passing, found, steps[0] ?? found.before, object?.());
  }

  /** Lets a request go on, with an edited object where one is given. False where none of that id waits. */
  release(request: string, edited?: unknown): boolean {
    const waiting = this.#waiting.get(request);
    if (!waiting) return false;
    this.#waiting.delete(request);
    waiting.go(edited);
    this.#changed();
    return true;
  }

  /** Calls back whenever a breakpoint is set or a request begins or ceases to wait; returns what ends that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #wait(
    { request, verb, resource, user }: Passing,
    found: Breakpoint,
    before: string,
    object: unknown,
  ): Promise<unknown> {
    const held = { request, verb, resource, user, breakpoint: found.id, before, object };
    return new Promise((go) => {
      this.#waiting.set(request, { held, go });
      this.#changed();
    });
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function matches(breakpoint: Breakpoint, passing: Passing): boolean {
  const { verb = passing.verb, resource = passing.resource, user = passing.user } = breakpoint;
  return verb === passing.verb && resource === passing.resource && user === passing.user;
}
