import { createCluster, type Cluster, type ClusterOptions, type Host } from '../../src/cluster/index.ts';
import type { ApiObject } from '../../src/schema/index.ts';
import type { TraceEvent } from '../../src/trace/index.ts';

/** An object as tests look at it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read any field of any kind, and fail where it isn't
export type Loose = any;

/** A cluster whose clock stands still unless the test moves it. */
export class Bench {
  readonly cluster: Cluster;

  private constructor(cluster: Cluster) {
    this.cluster = cluster;
  }

  /** Starts a cluster, and waits until pods can be created in the namespace `default`. */
  static async start(options: Partial<ClusterOptions> = {}, host: Host = {}): Promise<Bench> {
    const bench = new Bench(
      await createCluster({ name: 'bench', clock: 'manual', storage: 'memory', seed: 1, ...options }, host),
    );
    await bench.until('/api/v1/namespaces/default/serviceaccounts/default', (account) => account.secrets?.length > 0);
    for (let i = 1; i <= (options.nodes ?? 0); i++) await bench.until(`/api/v1/nodes/node-${i}`, isReadyNode);
    return bench;
  }

  stop(): Promise<void> {
    return this.cluster.stop();
  }

  async send(method: string, path: string, body?: unknown, type = 'application/json'): Promise<Loose> {
    const headers: Record<string, string> = body === undefined ? {} : { 'content-type': type };
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const response = await this.cluster.transportAs('admin')(path, init);
    const text = await response.text();
    return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
  }

  get(path: string): Promise<Loose> {
    return this.send('GET', path);
  }

  /** Creates an object; throws where the server refuses. */
  async create(path: string, object: unknown): Promise<Loose> {
    const made: Loose = await this.send('POST', path, object);
    if (made.kind === 'Status') throw new Error(`${path}: ${made.message}`);
    return made;
  }

  async patch(path: string, change: unknown): Promise<Loose> {
    const changed: Loose = await this.send('PATCH', path, change, 'application/merge-patch+json');
    if (changed.kind === 'Status') throw new Error(`${path}: ${changed.message}`);
    return changed;
  }

  delete(path: string, options?: unknown): Promise<Loose> {
    return this.send('DELETE', path, options);
  }

  async items(path: string): Promise<Loose[]> {
    return (await this.get(path)).items ?? [];
  }

  /** Asks until `holds`, moving the clock a little each time; fails after a minute of the cluster's time. */
  async until(path: string, holds: (answer: Loose) => boolean, atMost = 60_000): Promise<Loose> {
    let last: Loose;
    for (let passed = 0; passed <= atMost; passed += 50) {
      last = await this.get(path);
      if (holds(last)) return last;
      await this.advance(50);
    }
    throw new Error(`${path} did not come to what was waited for: ${JSON.stringify(last).slice(0, 3000)}`);
  }

  /** Until an object is gone. */
  gone(path: string): Promise<Loose> {
    return this.until(path, (answer) => answer.code === 404);
  }

  /** Moves the clock; everything that falls due on the way happens, and what follows from it. */
  async advance(ms: number, step = 50): Promise<void> {
    for (let left = ms; left > 0; left -= step) {
      await this.cluster.clock.step(Math.min(step, left));
      await turns();
    }
  }

  /** Collects trace events from now on. */
  listen(topic: TraceEvent['topic']): TraceEvent[] {
    const events: TraceEvent[] = [];
    this.cluster.trace.listen((event) => events.push(event), [topic]);
    return events;
  }

  /** Reasons of the events about an object, in the order in which they were recorded. */
  async reasons(namespace: string, kind: string, name: string): Promise<string[]> {
    const events = await this.items(`/api/v1/namespaces/${namespace}/events`);
    return events.filter((e) => e.involvedObject.kind === kind && e.involvedObject.name === name).map((e) => e.reason);
  }
}

const isReadyNode = (node: Loose): boolean =>
  node.status?.conditions?.some((c: Loose) => c.type === 'Ready' && c.status === 'True') && !node.spec.taints;

/** Lets streams and commits, which take turns of the host's event loop, go as far as they can. */
async function turns(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
}

/** A pod template with one container. */
export function template(
  labels: Record<string, string>,
  container: Record<string, unknown> = {},
  spec: Record<string, unknown> = {},
): Loose {
  return { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'nginx', ...container }], ...spec } };
}

export function deployment(name: string, replicas: number, more: Record<string, unknown> = {}): Loose {
  const selector = { matchLabels: { app: name } };
  return { metadata: { name }, spec: { replicas, selector, template: template({ app: name }), ...more } };
}

export const names = (objects: readonly ApiObject[]): string[] =>
  objects.map((object) => object.metadata.name ?? '').sort();
