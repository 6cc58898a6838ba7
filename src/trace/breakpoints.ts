/** Breakpoints hold requests before a stage, so that a person can inspect them, edit the object, and continue. */

/** What to hold and where; missing fields match everything. */
export interface Breakpoint {
  readonly id: string;
  /** `authorization`, `admission` or the name of one of its plugins, `validation`, `storage`. */
  readonly before: string;
  readonly verb?: string;
  readonly resource?: string;
  /** By default all users except the cluster's own components, whose names begin with `system:`. */
  readonly user?: string;
  /** User agents with this prefix are not held, such as a page that reads in order to display. */
  readonly exceptAgent?: string;
}

/** The properties of a request that a breakpoint matches. */
export interface Passing {
  readonly request: string;
  readonly verb: string;
  readonly resource: string;
  readonly user: string;
  readonly userAgent: string;
}

/** What can be inspected while a request waits. */
export interface Exhibit {
  /** The current object; missing if there is none. */
  readonly object?: unknown;
  /** Whether the request can continue with another object. */
  readonly editable: boolean;
  /** The phase of a stage that has two. */
  readonly phase?: 'mutating' | 'validating';
}

/** A waiting request. */
export interface Held extends Passing, Exhibit {
  readonly breakpoint: string;
  /** The stage before which it waits. */
  readonly before: string;
}

interface Waiting {
  readonly held: Held;
  readonly go: (edited: unknown) => void;
  readonly end: (reason: Error) => void;
}

export class Breakpoints {
  /** The breakpoints that are set; `set` replaces the array. */
  all: readonly Breakpoint[] = [];
  readonly #waiting = new Map<string, Waiting>();
  readonly #listeners = new Set<() => void>();

  get held(): readonly Held[] {
    return [...this.#waiting.values()].map(({ held }) => held);
  }

  /** Replaces all breakpoints. Requests at a removed breakpoint continue. */
  set(breakpoints: readonly Breakpoint[]): void {
    this.all = breakpoints;
    const ids = new Set(breakpoints.map(({ id }) => id));
    for (const { held } of this.#waiting.values()) if (!ids.has(held.breakpoint)) this.release(held.request);
    this.#changed();
  }

  /**
   * Waits before a stage if a breakpoint matches; otherwise returns undefined immediately. `steps` names the stage, the
   * most specific name first. Resolves with the edited object, if any.
   */
  hold(passing: Passing, steps: readonly string[], exhibit: () => Exhibit): Promise<unknown> | undefined {
    if (this.all.length === 0) return undefined;
    const found = this.all.find((one) => steps.includes(one.before) && matches(one, passing));
    return found && this.#wait(passing, found, steps[0] ?? found.before, exhibit());
  }

  /** Continues a request, optionally with an edited object. Returns false if no request with that id waits. */
  release(request: string, edited?: unknown): boolean {
    const waiting = this.#waiting.get(request);
    if (!waiting) return false;
    this.#waiting.delete(request);
    waiting.go(edited);
    this.#changed();
    return true;
  }

  /** Ends the wait of a request whose client has disconnected: it fails with `reason`. */
  abandon(request: string, reason: Error): void {
    const waiting = this.#waiting.get(request);
    if (!waiting) return;
    this.#waiting.delete(request);
    waiting.end(reason);
    this.#changed();
  }

  /**
   * Calls `listener` when a breakpoint changes or a request starts or stops waiting; returns a function that removes
   * it.
   */
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

/**
 * A breakpoint on all pods would otherwise stop the cluster's controllers and nodes instead of the person's requests.
 */
const COMPONENT = 'system:';
