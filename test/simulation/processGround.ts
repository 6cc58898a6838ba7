/** A cluster in this process, as the ground of a simulation. */
import {
  createCluster,
  type Cluster,
  type ClusterOptions,
  type Host,
  type TraceEvent,
} from '../../src/cluster/index.ts';
import { memoryBackend, memoryDisk } from '../../src/storage/index.ts';
import type { Send } from '../kills/counters.ts';
import { OPTIONS, type Ground } from './ground.ts';

/** What the cluster runs on, made anew for each start; what it keeps is the same. */
type HostMaker = () => Promise<Host>;

function inMemory(): HostMaker {
  const disk = memoryDisk();
  return async () => ({ backend: memoryBackend(disk) });
}

export class ProcessGround implements Ground {
  readonly #host: HostMaker;
  readonly #seed: number;
  readonly #options: ClusterOptions;
  cluster!: Cluster;

  private constructor(seed: number, host: HostMaker, options: ClusterOptions) {
    this.#seed = seed;
    this.#options = options;
    this.#host = host;
  }

  static async open(seed: number, host = inMemory(), options: ClusterOptions = OPTIONS): Promise<ProcessGround> {
    const ground = new ProcessGround(seed, host, options);
    await ground.open();
    return ground;
  }

  readonly send: Send = (path, init) => this.cluster.transportAs('admin')(path, init);

  /** Starts the cluster anew over what it kept; one that runs is not ended. */
  async open(): Promise<void> {
    this.cluster = await createCluster({ ...this.#options, seed: this.#seed }, await this.#host());
  }

  advance(ms: number): Promise<void> {
    return this.cluster.clock.step(ms);
  }

  forget(): Promise<void> {
    return this.cluster.storage.compact(this.cluster.storage.revision);
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.open();
  }

  async traced(work: () => Promise<void>): Promise<readonly TraceEvent[]> {
    const events: TraceEvent[] = [];
    const end = this.cluster.trace.listen((event) => void events.push(event), ['request', 'reconcile']);
    await work().finally(end);
    return events;
  }

  stop(): Promise<void> {
    return this.cluster.stop();
  }
}
