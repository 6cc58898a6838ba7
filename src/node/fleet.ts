import { Client, Informers, nodes as nodesRef, type Node, type Transport } from '../client/index.ts';
import type { Names } from '../names/index.ts';
import { isReason, type ApiObject } from '../schema/index.ts';
import type { Clock, Random } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import { Agent } from './agent.ts';
import type { LogOptions } from './logs.ts';
import { AGENT, machine } from './machine.ts';

export interface NodesOptions {
  /** The way to the API server as a user of that name. */
  readonly transportFor: (identity: string) => Transport;
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  readonly names: Names;
  /** How many nodes there are from the beginning. */
  readonly count: number;
}

/** All nodes with an agent: those made here, and any other that asks for one in an annotation. */
export class Fleet {
  readonly #options: NodesOptions;
  readonly #informers: Informers;
  readonly #client: Client;
  readonly #agents = new Map<string, Agent>();
  #stopped = false;

  constructor(options: NodesOptions) {
    const { clock, random } = options;
    this.#options = options;
    this.#client = this.#clientOf('fleet');
    this.#informers = new Informers({
      client: this.#client,
      clock,
      random,
      onProblem: (problem) => this.#report(problem),
    });
    this.#informers.of(nodesRef).on({
      added: (node) => this.#consider(node),
      changed: (node) => this.#consider(node),
      deleted: (node) => this.#end(node.metadata.name ?? ''),
    });
  }

  async start(): Promise<void> {
    this.#informers.start();
    await this.#informers.synced();
    for (let i = 1; i <= this.#options.count && !this.#stopped; i++) await this.#register(i);
  }

  stop(): void {
    this.#stopped = true;
    this.#informers.stop();
    for (const name of [...this.#agents.keys()]) this.#end(name);
  }

  /** What a container has written. Undefined where no agent knows of it. */
  logs(pod: ApiObject, container: string, options: LogOptions, signal: AbortSignal): AsyncIterable<string> | undefined {
    const { nodeName } = pod.spec as { nodeName?: string };
    return this.#agents.get(nodeName ?? '')?.logs(pod.metadata.uid ?? '', container, options, signal);
  }

  async #register(index: number): Promise<void> {
    const draft = machine(index, this.#options.names);
    try {
      await this.#clientOf(draft.metadata?.name ?? '')
        .of(nodesRef)
        .create(draft);
    } catch (problem) {
      if (!isReason(problem, 'AlreadyExists')) throw problem;
    }
  }

  #consider(node: Node): void {
    const name = node.metadata.name ?? '';
    const agent = this.#agents.get(name);
    const wanted = node.metadata.annotations?.[AGENT] === 'true';
    if (agent && wanted) agent.update(node);
    else if (agent) this.#end(name);
    else if (wanted && !this.#stopped) this.#begin(name, node);
  }

  #begin(name: string, node: Node): void {
    const { clock, random, tracer, names } = this.#options;
    const agent = new Agent(node, { client: this.#clientOf(name), clock, random, tracer, names });
    this.#agents.set(name, agent);
    void agent.start();
  }

  #end(name: string): void {
    this.#agents.get(name)?.stop();
    this.#agents.delete(name);
  }

  #report(problem: unknown): void {
    const { tracer } = this.#options;
    if (tracer.wants('node')) tracer.emit({ topic: 'node', node: 'fleet', what: String(problem) });
  }

  #clientOf(node: string): Client {
    const { transportFor, names } = this.#options;
    return new Client({ transport: transportFor(`system:node:${node}`), names, userAgent: names.agent });
  }
}
