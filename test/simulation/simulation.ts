/** A cluster under random work and faults, driven by one seed. Keys are made by the host's dice, so two runs agree on what is done, not on every byte. */
import { seededRandom, type Random } from '../../src/std/index.ts';
import type { Ground, Loose } from './ground.ts';

export type { Loose };

const NAMESPACE = 'sim';
const NAMES = ['a', 'b', 'c'] as const;
export const CORE = `/api/v1/namespaces/${NAMESPACE}`;
export const APPS = `/apis/apps/v1/namespaces/${NAMESPACE}`;
const BATCH = `/apis/batch/v1/namespaces/${NAMESPACE}`;

/** What came of a run. */
export interface Outcome {
  readonly seed: number;
  /** What was done, a line for each step. */
  readonly steps: readonly string[];
  /** What should not be so in the end. */
  readonly faults: readonly string[];
}

/** Something to do, and the words for it. */
export type Deed = readonly [words: string, work: () => Promise<unknown>];

/** What people and faults do to a cluster, wherever that runs. */
export class Simulation<On extends Ground = Ground> {
  readonly ground: On;
  readonly #random: Random;
  readonly steps: string[] = [];

  private constructor(seed: number, ground: On) {
    this.ground = ground;
    this.#random = seededRandom(`simulation ${seed}`);
  }

  static async start<On extends Ground>(seed: number, ground: On): Promise<Simulation<On>> {
    const simulation = new Simulation(seed, ground);
    await simulation.send('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } });
    await simulation.advance(2_000);
    const important = { metadata: { name: 'important' }, value: 1000 };
    await simulation.send('POST', '/apis/scheduling.cluster.io/v1/priorityclasses', important);
    const hard = { pods: '12', 'count/services': '5' };
    await simulation.send('POST', `${CORE}/resourcequotas`, { metadata: { name: 'q' }, spec: { hard } });
    return simulation;
  }

  async send(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Loose> {
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': type };
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return (await this.ground.send(path, init)).json();
  }

  async items(path: string): Promise<Loose[]> {
    return (await this.send('GET', path)).items ?? [];
  }

  /** Moves the clock; everything that falls due on the way happens, and what follows from it. */
  advance(ms: number): Promise<void> {
    return this.ground.advance(ms);
  }

  /** One random thing that a person or a fault does, of these and of `more`. */
  async act(more: readonly Deed[] = []): Promise<void> {
    const [words, work] = this.pick([...this.#deeds(), ...more]);
    this.steps.push(words);
    await work();
    await this.advance(this.#random.int(8) * 250);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.#random.int(from.length)] as T;
  }

  #deeds(): readonly Deed[] {
    const name = this.pick(NAMES);
    const replicas = this.#random.int(5);
    const merge = 'application/merge-patch+json';
    const policy = this.pick(['Background', 'Foreground']);
    const node = `node-${1 + this.#random.int(3)}`;
    const kinds = ['deployments', 'replicasets', 'statefulsets', 'daemonsets'];
    const isImportant = this.#random.int(4) === 0;
    const kind = this.pick(kinds);
    const path = `${APPS}/${kind}/${name}`;
    const image = this.pick(['nginx:1', 'nginx:2']);
    return [
      [`make ${kind}/${name}`, () => this.send('POST', `${APPS}/${kind}`, workload(kind, name, replicas, isImportant))],
      [`scale ${kind}/${name} to ${replicas}`, () => this.send('PATCH', path, { spec: { replicas } }, merge)],
      [`delete ${kind}/${name}, ${policy}`, () => this.send('DELETE', path, { propagationPolicy: policy })],
      [`roll out ${image} of deployments/${name}`, () => this.#roll(name, image)],
      [`make job ${name}`, () => this.send('POST', `${BATCH}/jobs`, job(name))],
      [`delete job ${name}`, () => this.send('DELETE', `${BATCH}/jobs/${name}`, { propagationPolicy: policy })],
      [`make service ${name}`, () => this.send('POST', `${CORE}/services`, service(name))],
      [`delete service ${name}`, () => this.send('DELETE', `${CORE}/services/${name}`)],
      ['delete a pod', () => this.#deletePod()],
      [
        `cordon or open ${node}`,
        () =>
          this.send('PATCH', `/api/v1/nodes/${node}`, { spec: { unschedulable: this.#random.int(2) === 0 } }, merge),
      ],
      [`switch ${node} off or on`, () => this.switchNode(node, this.#random.int(2) === 0)],
      ['let six minutes pass', () => this.advance(360_000)],
      [`write into the status of ${kind}/${name}, as a conflict`, () => this.#conflict(path)],
      ['forget history', () => this.ground.forget()],
      ['restart', () => this.ground.restart()],
    ];
  }

  #roll(name: string, image: string): Promise<unknown> {
    const template = { spec: { containers: [{ name: 'c', image }] } };
    return this.send(
      'PATCH',
      `${APPS}/deployments/${name}`,
      { spec: { template } },
      'application/strategic-merge-patch+json',
    );
  }

  async #deletePod(): Promise<void> {
    const pods = await this.items(`${CORE}/pods`);
    if (pods.length > 0) await this.send('DELETE', `${CORE}/pods/${this.pick(pods).metadata.name}`);
  }

  /** Changes an object while controllers are at it, so that their next write is refused. */
  async #conflict(path: string): Promise<void> {
    for (let i = 0; i < 3; i++) {
      const metadata = { annotations: { touched: String(this.#random.int(1000)) } };
      await this.send('PATCH', path, { metadata }, 'application/merge-patch+json');
      await this.advance(50);
    }
  }

  /** A node that is off says nothing, and its pods are driven off after a while. */
  switchNode(node: string, off: boolean): Promise<Loose> {
    const metadata = { annotations: { 'simulation.vitrine.dev/down': off ? 'true' : null } };
    return this.send('PATCH', `/api/v1/nodes/${node}`, { metadata }, 'application/merge-patch+json');
  }
}

/** Important pods are large, so that others have to go for them. */
function workload(kind: string, name: string, replicas: number, isImportant: boolean): Loose {
  const labels = { app: name, kind };
  const requests = { cpu: isImportant ? '2500m' : '700m' };
  const containers = [{ name: 'c', image: 'nginx:1', resources: { requests } }];
  const more = kind === 'statefulsets' ? { serviceName: name } : {};
  return {
    metadata: { name },
    spec: {
      ...(kind !== 'daemonsets' && { replicas }),
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers, ...(isImportant && { priorityClassName: 'important' }) } },
      ...more,
    },
  };
}

const job = (name: string): Loose => ({
  metadata: { name },
  spec: {
    completions: 2,
    template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] } },
  },
});

const service = (name: string): Loose => ({
  metadata: { name },
  spec: { selector: { app: name }, ports: [{ port: 80 }] },
});
