import { getOwn } from '../../std/index.ts';
import {
  Client,
  EventRecorder,
  fetchPatiently,
  Informers,
  serviceAccounts,
  type InformerView,
  type Precedence,
  type Transport,
} from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { isReason, type ApiObject } from '../../schema/index.ts';
import { type Clock, inBackground, type Metrics, type PartOf, type Random } from '../../std/index.ts';
import type { Cause, Tracer } from '../../trace/index.ts';
import { isEnabled, type Controller, type ControllerContext, type Start } from './controller.ts';
import { Flags, type GivenFlags } from './flags.ts';
import { withoutKeys, type Issuance } from './issuance.ts';
import { Loop, type LoopEnvironment, type LoopOptions, type LoopView } from './loop.ts';
import { Served } from './served.ts';

export interface ManagerOptions extends GivenFlags {
  /** Returns a transport with the identity of that user. */
  readonly transportFor: (identity: string, causes?: () => readonly Cause[], precedence?: Precedence) => Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  /** Where loops register their queue metrics. */
  readonly metrics?: Metrics;
  readonly names: Names;
  /** Operations that need the cluster's keys. */
  readonly issuance?: Issuance;
  /** The virtual file set. */
  readonly files?: Readonly<Record<string, string>>;
}

export interface RunningControllers {
  /** Resolves when all caches are synced and the loops run. */
  readonly ready: Promise<void>;
  /** The state of every controller and of the shared caches. */
  view(): ControllersView;
  /** Pauses or resumes the loops of a controller. */
  setPaused(controller: string, paused: boolean): void;
  /** Lets a paused controller reconcile one key, in the first of its loops that has one. */
  step(controller: string): void;
  /**
   * Calls `changed` when a loop was woken, finished a run, or was paused or resumed; returns a function that stops it.
   */
  follow(changed: () => void): () => void;
  stop(): Promise<void>;
}

/** The state of a controller, for inspection. */
export interface ControllerView {
  readonly name: string;
  /** The user with whose identity it writes. */
  readonly user: string;
  /** It has no work yet, so it is not loaded. */
  readonly notStarted: boolean;
  readonly loops: readonly LoopView[];
  /** The paths of the caches that it reads. */
  readonly reads: readonly string[];
}

export interface ControllersView {
  readonly controllers: readonly ControllerView[];
  readonly informers: readonly InformerView[];
}

/** Runs the enabled controllers with shared caches. */
export function runControllers(controllers: readonly Controller[], options: ManagerOptions): RunningControllers {
  const manager = new Manager(options);
  const followers = new Set<() => void>();
  const enabled = controllers.filter((controller) => manager.lets(controller));
  for (const controller of enabled) manager.start(controller);
  return {
    ready: manager.begin(enabled),
    view: () => ({
      controllers: enabled.map((controller) => manager.view(controller)),
      informers: manager.informers(),
    }),
    setPaused: (name, paused) => {
      for (const loop of manager.loopsOf(name)) loop.setPaused(paused);
      for (const changed of followers) changed();
    },
    step: (name) => manager.step(name),
    follow: (changed) => {
      const follower = (): void => changed();
      followers.add(follower);
      const end = options.tracer.hear(follower, 'reconcile');
      return () => {
        followers.delete(follower);
        end();
      };
    },
    stop: () => manager.stop(),
  };
}

/** Loops that start together. */
interface Starting {
  readonly loops: Loop[];
  readonly whenReady: (() => void)[];
}

class Manager {
  readonly #options: ManagerOptions;
  readonly #flags: Flags;
  readonly #userAgent: string;
  readonly #identity: string;
  readonly #client: Client;
  readonly #informers: Informers;
  readonly #served: Served;
  readonly #loops: Loop[] = [];
  /** The started loops by controller name. */
  readonly #byController = new Map<string, Loop[]>();
  /** The caches that each controller reads, by its name. */
  readonly #reads = new Map<string, ReadonlySet<string>>();
  /** Loops that are registered but have to wait until the caches are synced. */
  readonly #starting: Starting = { loops: [], whenReady: [] };
  readonly #waitingForParts = new AbortController();
  readonly #whenStopped: (() => void)[] = [];
  #stopped = false;

  constructor(options: ManagerOptions) {
    const { clock, random, names } = options;
    this.#options = options;
    this.#flags = new Flags(options);
    this.#userAgent = names.fill('{prefix}-controller-manager');
    this.#identity = names.fill('system:{prefix}-controller-manager');
    this.#client = this.#clientAs(this.#identity);
    this.#informers = new Informers({
      client: this.#client,
      clock,
      random,
      onProblem: (problem, resource) => this.#report(problem, resource),
    });
    // Discovery asks for each group, which must not delay the other controllers.
    this.#served = new Served(this.#clientAs(this.#identity, undefined, 'background'), this.#informers);
  }

  lets(controller: Controller): boolean {
    if (controller.gate !== undefined && !this.#flags.gate(controller.gate)) return false;
    return isEnabled(controller, this.#flags.list('controllers'));
  }

  start(controller: Controller): void {
    const { start } = controller;
    if (typeof start === 'function') this.#run(controller, start, this.#starting);
    else if (start.part.loaded) this.#run(controller, start.get(), this.#starting);
    else this.#sleep(controller, start);
  }

  /** The informers requested during the start are what the controller reads. */
  #run(controller: Controller, start: Start, starting: Starting): void {
    const reads = (this.#informers.asking = new Set());
    start(this.#contextOf(controller, starting));
    this.#informers.asking = undefined;
    this.#reads.set(controller.name, reads);
  }

  /** The revisions of the caches that a controller reads. */
  #read(controller: string): Readonly<Record<string, string>> {
    const own = this.informers().filter(({ path }) => this.#reads.get(controller)?.has(path));
    return Object.fromEntries(own.map(({ path, revision }) => [path, revision]));
  }

  /** Waits for the controller's first object, loads its code, and starts it. */
  #sleep(controller: Controller, start: PartOf<Start>): void {
    const ends: (() => void)[] = [];
    const wake = (): void => {
      for (const end of ends.splice(0)) end();
      inBackground(this.#wake(controller, start), (problem) => this.#report(problem, controller.name));
    };
    for (const { ref, concerns } of controller.wakesOn ?? []) {
      const look = (object: ApiObject): void => {
        if (ends.length > 0 && concerns(object, this.#options.names)) wake();
      };
      ends.push(this.#informers.of(ref).on({ added: look, changed: look }));
    }
  }

  async #wake(controller: Controller, start: PartOf<Start>): Promise<void> {
    const onProblem = (problem: unknown): void => this.#report(problem, controller.name);
    await fetchPatiently(start.part, { clock: this.#options.clock, signal: this.#waitingForParts.signal, onProblem });
    if (this.#stopped) return;
    const starting: Starting = { loops: [], whenReady: [] };
    this.#run(controller, start.get(), starting);
    await this.#open(starting);
  }

  view(controller: Controller): ControllerView {
    const { name } = controller;
    return {
      name,
      user: this.#identityOf(controller),
      notStarted: !this.#byController.has(name),
      loops: this.loopsOf(name).map((loop) => loop.view()),
      reads: [...(this.#reads.get(name) ?? [])],
    };
  }

  loopsOf(controller: string): readonly Loop[] {
    return this.#byController.get(controller) ?? [];
  }

  informers(): readonly InformerView[] {
    return this.#informers.view();
  }

  step(controller: string): void {
    const loops = this.loopsOf(controller);
    const has = (loop: Loop): boolean => loop.view().waiting > 0;
    (loops.find(has) ?? loops.find((loop) => loop.view().delayed.length > 0))?.step();
  }

  #contextOf(controller: Controller, starting: Starting): ControllerContext {
    const own: Loop[] = [];
    this.#byController.set(controller.name, own);
    const { names, clock, random, tracer, issuance = withoutKeys, files } = this.#options;
    const causes = (): readonly Cause[] => own.flatMap((loop) => loop.causes());
    const precedence = controller.keepsNodes ? 'health' : undefined;
    const client = this.#clientAs(this.#identityOf(controller), causes, precedence);
    const recorderAs = (component: string): EventRecorder =>
      new EventRecorder({ client, clock, source: { component } });
    return {
      ...{ names, clock, random, tracer, issuance, client },
      flags: this.#flags,
      informers: this.#informers,
      served: this.#served,
      recorder: recorderAs(controller.component ?? controller.account ?? this.#userAgent),
      recorderAs,
      file: (path) => getOwn(files, path),
      loop: (options) => {
        const read = () => this.#read(controller.name);
        const loop = this.#loop({ name: controller.name, ...options }, starting, read);
        own.push(loop);
        return loop;
      },
      onReady: (call) => starting.whenReady.push(call),
      onStop: (call) => this.#whenStopped.push(call),
    };
  }

  async begin(controllers: readonly Controller[]): Promise<void> {
    inBackground(this.#createAccounts(controllers), (problem) => this.#report(problem, 'serviceaccounts'));
    this.#informers.start();
    await this.#open(this.#starting);
  }

  /** Starts the loops once the caches are synced. */
  async #open({ loops, whenReady }: Starting): Promise<void> {
    await this.#informers.synced();
    if (this.#stopped) return;
    for (const call of whenReady) call();
    for (const loop of loops) loop.open();
  }

  stop(): Promise<void> {
    this.#stopped = true;
    this.#waitingForParts.abort();
    for (const call of this.#whenStopped) call();
    for (const loop of this.#loops) loop.stop();
    this.#informers.stop();
    return Promise.resolve();
  }

  #loop(options: LoopOptions, { loops }: Starting, read: LoopEnvironment['read']): Loop {
    const { clock, metrics, tracer } = this.#options;
    const loop = new Loop(options, { clock, tracer, metrics, read });
    this.#loops.push(loop);
    loops.push(loop);
    return loop;
  }

  #clientAs(identity: string, causes?: () => readonly Cause[], precedence?: Precedence): Client {
    const { names, transportFor } = this.#options;
    return new Client({ transport: transportFor(identity, causes, precedence), names, userAgent: this.#userAgent });
  }

  #identityOf(controller: Controller): string {
    if (!this.#usesAccount(controller)) return this.#identity;
    return `system:serviceaccount:${this.#options.names.systemNamespace}:${controller.account}`;
  }

  #usesAccount(controller: Controller): controller is Controller & { readonly account: string } {
    return controller.account !== undefined && this.#flags.bool('use-service-account-credentials');
  }

  /** Creates the service accounts of the controllers, so that bindings refer to existing objects. */
  async #createAccounts(controllers: readonly Controller[]): Promise<void> {
    const accounts = new Set(controllers.flatMap((c) => (this.#usesAccount(c) ? [c.account] : [])));
    const namespace = this.#options.names.systemNamespace;
    for (const name of accounts) {
      try {
        if (!this.#stopped) await this.#client.of(serviceAccounts).create({ metadata: { name, namespace } });
      } catch (problem) {
        if (!isReason(problem, 'AlreadyExists')) this.#report(problem, `serviceaccounts/${name}`);
      }
    }
  }

  #report(problem: unknown, key: string): void {
    const { tracer } = this.#options;
    if (!tracer.wants('reconcile')) return tracer.happened('reconcile');
    const why = String(problem);
    tracer.emit({ topic: 'reconcile', controller: 'informers', key, what: 'failed', why });
  }
}
