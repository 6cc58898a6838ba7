import { examineFlags } from '../../src/cluster/flags/index.ts';
import { controllers, controllerParts } from '../../src/controllers/index.ts';
import {
  runControllers,
  type Controller,
  type Issuance,
  type RunningControllers,
} from '../../src/controllers/runtime/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { manualClock, Metrics, seededRandom, settle } from '../../src/std/index.ts';
import { createTracer, type Cause, type Tracer } from '../../src/trace/index.ts';
import { SmallServer, type Loose, type Write } from '../client/smallServer.ts';
import { NOON } from './plans/objects.ts';

export type { Loose } from '../client/smallServer.ts';

interface LabOptions {
  readonly flags?: readonly string[];
  readonly issuance?: Issuance;
  readonly files?: Readonly<Record<string, string>>;
}

const names = namesOf('cluster.io');

/** One controller, or a few, on a small server and a clock that stands still. It takes milliseconds. */
export class Lab {
  readonly clock = manualClock(NOON);
  readonly server = new SmallServer(names, this.clock);
  readonly tracer = createTracer(this.clock);
  readonly metrics = new Metrics();
  running: RunningControllers | undefined;
  /** The users as whom the controllers write. */
  readonly identities = new Set<string>();
  /** The users as whom requests are sent that give way to others. */
  readonly background: string[] = [];
  /** What causes the writes of the first controller. */
  causes: (() => readonly Cause[]) | undefined;

  /** Starts the controllers after the objects are there. */
  async start(which: readonly string[], options: LabOptions = {}): Promise<void> {
    for (const part of controllerParts) await part.load();
    const flags = [`--controllers=${which.join(',')}`, ...(options.flags ?? [])];
    const named = controllers.filter(({ name }) => which.includes(name));
    await this.run(named, { ...options, flags });
  }

  /** The same with any controllers. */
  async run(all: readonly Controller[], { flags = [], issuance, files = {} }: LabOptions = {}): Promise<void> {
    const given = examineFlags('controllerManager', flags, { names, files });
    this.running = runControllers(all, {
      transportFor: (identity, causes, precedence) => {
        this.identities.add(identity);
        if (precedence === 'background') this.background.push(identity);
        this.causes ??= causes;
        return this.server.transport;
      },
      clock: this.clock,
      random: seededRandom(1),
      tracer: this.tracer,
      metrics: this.metrics,
      names,
      flags: (name) => given.flags.get(name),
      gate: given.gate,
      files,
      ...(issuance && { issuance }),
    });
    await this.running.ready;
    await this.settle();
  }

  /** Moves the clock, and lets everything happen that falls due. */
  async pass(seconds: number): Promise<void> {
    await this.settle();
    await this.clock.step(seconds * 1000);
    await this.settle();
  }

  /** Lets the controllers react to what has changed, and waits for their work on other threads: digests and signatures. */
  async settle(): Promise<void> {
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 10; i++) {
        await settle();
        await new Promise((resolve) => setImmediate(resolve));
      }
      await this.clock.step(0);
    }
  }

  /** The writes since the last call. */
  async writes(): Promise<Write[]> {
    await this.settle();
    return this.server.writes.splice(0);
  }

  /** The same in short: `METHOD PATH`. */
  async requests(): Promise<string[]> {
    return (await this.writes()).map(({ method, path }) => `${method} ${path}`);
  }

  /** The events since the last call: `KIND NAMESPACE/NAME: TYPE REASON MESSAGE`. */
  async events(): Promise<string[]> {
    await this.settle();
    return this.server.events.splice(0).map(({ about, text }) => `${about}: ${text}`);
  }

  /** The trace of these topics from now on. */
  listen(...topics: Parameters<Tracer['listen']>[1] & {}): Loose[] {
    const events: Loose[] = [];
    this.tracer.listen((event) => events.push(event), topics);
    return events;
  }

  stop(): Promise<void> {
    return this.running?.stop() ?? Promise.resolve();
  }
}

/** An owner reference of a controller. */
export const ownedBy = (kind: string, owner: Loose, apiVersion = 'apps/v1'): Loose => ({
  ...{ apiVersion, kind, name: owner.metadata.name, uid: owner.metadata.uid },
  ...{ controller: true, blockOwnerDeletion: true },
});
