/** Holds requests before a step of their way, so that somebody can look, edit the object, and let them go. */

/** Where to hold what; what is left out matches everything. */
export interface Breakpoint {
  readonly id: string;
  /** `authorization`, `admission` or the name of one of its plugins, `validation`, `storage`. */
  readonly before: string;
  readonly verb?: string;
  readonly resource?: string;
  /** Where it is not said: everybody but the cluster's own components, whose names begin with `system:`. */
  readonly user?: string;
  /** User agents that begin so pass, such as that of a page which reads in order to show. */
  readonly exceptAgent?: string;
}

/** What a breakpoint is held against. */
export interface Passing {
  readonly request: string;
  readonly verb: string;
  readonly resource: string;
  readonly user: string;
  readonly userAgent: string;
}

/** What can be looked at where a request waits. */
export interface Exhibit {
  /** The object as it would go on; absent where there is none. */
  readonly object?: unknown;
  /** Whether the request can go on with another object. */
  readonly editable: boolean;
  /** Of a step that has two turns: which one. */
  readonly phase?: 'mutating' | 'validating';
}

/** A request that waits. */
export interface Held extends Passing, Exhibit {
  readonly breakpoint: string;
  /** The step that it waits for. */
  readonly before: string;
}

interface Waiting {
  readonly held: Held;
  readonly go: (edited: unknown) => void;
  readonly end: (reason: Error) => void;
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
  hold(passing: Passing, steps: readonly string[], exhibit: () => Exhibit): Promise<unknown> | undefined {
    if (this.#set.length === 0) return undefined;
    const found = this.#set.find((one) => steps.includes(one.before) && matches(one, passing));
    return found && this.#wait(passing, found, steps[0] ?? found.before, exhibit());
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

  /** Ends the wait of a request whose client has gone: it fails with `reason` and does not go on. */
  abandon(request: string, reason: Error): void {
    const waiting = this.#waiting.get(request);
    if (!waiting) return;
    this.#waiting.delete(request);
    waiting.end(reason);
    this.#changed();
  }

  /** Calls back whenever a breakpoint is set or a request begins or ceases to wait; returns what ends that. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #wait(passing: Passing, found: Breakpoint, before: string, exhibit: Exhibit): Promise<unknown> {
    const held = { ...passing, ...exhibit, breakpoint: found.id, before };
    const { request } = passing;
    return new Promise((go, end) => {
      this.#waiting.set(request, { held, go, end });
      this.#changed();
    });
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

function matches(breakpoint: Breakpoint, passing: Passing): boolean {
  const { verb = passing.verb, resource = passing.resource, user, exceptAgent } = breakpoint;
  if (exceptAgent !== undefined && passing.userAgent.startsWith(exceptAgent)) return false;
  const meant = user === undefined ? !passing.user.startsWith(COMPONENT) : user === passing.user;
  return meant && verb === passing.verb && resource === passing.resource;
}

/** A breakpoint on all pods would otherwise stop the cluster's controllers and nodes rather than the person who set it. */
const COMPONENT = 'system:';
