import { examineFlags } from '../../src/cluster/flags/index.ts';
import { nodes, type Node, type Pod } from '../../src/client/index.ts';
import { namesOf } from '../../src/names/index.ts';
import type { RunningScheduler, SchedulerDependencies } from '../../src/scheduler/dependencies.ts';
// Answers to questions are loaded when they are first asked; here with the tests, not within one of them.
import '../../src/scheduler/questions/index.ts';
import { scheduling } from '../../src/scheduler/index.ts';
import { runScheduler } from '../../src/scheduler/whole.ts';
import { loadYaml, manualClock, Metrics, seededRandom, settle } from '../../src/std/index.ts';
import { createTracer, type TraceEvent } from '../../src/trace/index.ts';
import { SmallServer, type Loose, type Write } from '../client/smallServer.ts';
import { node } from './objects.ts';

// The scheduler itself reads the files that flags name.
await Promise.all([scheduling.load(), loadYaml()]);

const names = namesOf('cluster.io');
export const NOON = Date.parse('2026-01-01T12:00:00Z');

/** A scheduler on a small server and a clock that stands still. It takes milliseconds. */
export class SchedulerLab {
  readonly clock = manualClock(NOON);
  readonly server = new SmallServer(names, this.clock);
  readonly metrics = new Metrics();
  readonly trace: TraceEvent[] = [];
  readonly #tracer = createTracer(this.clock);
  running: RunningScheduler | undefined;
  /** Of its random choices. */
  seed = 1;
  /** Who asked for a way to the server. */
  readonly identities: string[] = [];

  async start(flags: readonly string[] = [], files: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.begin(runScheduler, flags, files);
  }

  /** Starts it in another way. */
  async begin(
    start: (dependencies: SchedulerDependencies) => RunningScheduler,
    flags: readonly string[] = [],
    files: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    this.#tracer.listen((event) => this.trace.push(event), ['scheduling']);
    this.running = start(this.dependencies(flags, files));
    await this.settle();
  }

  dependencies(flags: readonly string[] = [], files: Readonly<Record<string, string>> = {}): SchedulerDependencies {
    const given = examineFlags('scheduler', flags, { names, files });
    return {
      ...{ clock: this.clock, random: seededRandom(this.seed), tracer: this.#tracer, metrics: this.metrics },
      ...{ names, flags: (name: string) => given.flags.get(name), files },
      transportFor: (identity) => {
        this.identities.push(identity);
        return this.server.transport;
      },
      fetch: (request) => this.extender(request),
    };
  }

  /** How an extender answers. */
  extender: (request: Request) => Promise<Response> = () => Promise.reject(new Error('there are no extenders'));

  addNode(...given: Parameters<typeof node>): Node {
    return this.server.put(nodes, node(...given));
  }

  async settle(): Promise<void> {
    for (let i = 0; i < 10; i++) {
      await settle();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await this.clock.step(0);
  }

  async pass(seconds: number): Promise<void> {
    await this.settle();
    await this.clock.step(seconds * 1000);
    await this.settle();
  }

  async writes(): Promise<Write[]> {
    await this.settle();
    return this.server.writes.splice(0);
  }

  /** Where pods went since the last call: `POD: NODE`. */
  async bindings(): Promise<string[]> {
    const bound = (await this.writes()).filter(({ path }) => path.endsWith('/binding'));
    return bound.map(({ body }) => `${body.metadata.name}: ${body.target.name}`);
  }

  /** The events since the last call: `POD: TYPE REASON NOTE`. */
  async events(): Promise<string[]> {
    await this.settle();
    return this.server.events.splice(0).map(({ about, text }) => `${about.replace(/^.*\//, '')}: ${text}`);
  }

  async stop(): Promise<void> {
    await this.running?.stop();
  }
}

/** A pod as a server answers it: with its scheduler. */
export const waiting = (pod: Pod, schedulerName = 'default-scheduler'): Loose => ({
  ...pod,
  metadata: { ...pod.metadata, creationTimestamp: '2026-01-01T12:00:00Z' },
  spec: { schedulerName, ...pod.spec },
});
