import { EventRecorder, keyOf, type Client, type Node, type Pod } from '../client/index.ts';
import type { Names } from '../names/index.ts';
import type { Clock, Random } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import { PodAddresses } from './addresses.ts';
import { ImageStore } from './imageStore.ts';
import { readLogs, type LogOptions } from './logs.ts';
import type { AgentEnvironment } from './pod/environment.ts';
import { PodRun } from './pod/podRun.ts';
import type { ContainerRecord } from './pod/record.ts';

export interface HostOptions {
  /** Acts as the node. */
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  readonly names: Names;
  readonly hostIP: string;
  readonly onImages: () => void;
  readonly onProblem: (pod: string, problem: unknown) => void;
}

/** Runs the pods that are bound to one node, and keeps their images. */
export class PodHost {
  readonly #options: HostOptions;
  readonly #runs = new Map<string, PodRun>();
  readonly #environment: AgentEnvironment;

  constructor(node: Node, options: HostOptions) {
    const { client, clock, random, tracer, names, hostIP, onImages } = options;
    const name = node.metadata.name ?? '';
    this.#options = options;
    const images = new ImageStore(clock, onImages);
    for (const image of node.status.images ?? []) for (const known of image.names ?? []) images.keep(known);
    this.#environment = {
      ...{ client, clock, random, tracer, images, hostIP },
      node: name,
      recorder: new EventRecorder({ client, clock, source: { component: names.agent, host: name } }),
      addresses: new PodAddresses(node.spec.podCIDR ?? ''),
    };
  }

  /** The images that are here, as the node's status lists them. */
  get images(): NonNullable<Node['status']['images']> {
    return this.#environment.images.list();
  }

  add(pod: Pod): void {
    const uid = pod.metadata.uid ?? '';
    const run = new PodRun(pod, this.#environment, () => this.#runs.delete(uid));
    this.#runs.set(uid, run);
    const over = pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
    if (!over || pod.metadata.deletionTimestamp !== undefined)
      void run.run().catch((problem: unknown) => this.#options.onProblem(keyOf(pod), problem));
  }

  update(pod: Pod): void {
    this.#run(pod)?.update(pod);
  }

  forget(pod: Pod): void {
    this.#run(pod)?.forget();
  }

  stop(): void {
    for (const run of [...this.#runs.values()]) run.forget();
  }

  /** What a container has written. Undefined where nothing is known of it. */
  logs(podUid: string, container: string, options: LogOptions, signal: AbortSignal): AsyncIterable<string> | undefined {
    const record = (): ContainerRecord | undefined =>
      this.#runs
        .get(podUid)
        ?.records()
        .find(({ name }) => name === container);
    return record() && readLogs(record, options, this.#options.clock, signal);
  }

  #run(pod: Pod): PodRun | undefined {
    return this.#runs.get(pod.metadata.uid ?? '');
  }
}
