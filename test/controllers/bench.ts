import { createCluster, type Cluster, type ClusterOptions, type Host } from '../../src/cluster/index.ts';
import type { Transport } from '../../src/client/index.ts';
import type { ApiObject } from '../../src/schema/index.ts';
import type { TraceEvent } from '../../src/trace/index.ts';
import { Session } from '../client/session.ts';
import type { Loose } from '../client/smallServer.ts';

export type { Loose } from '../client/smallServer.ts';

/** A cluster whose clock stands still unless the test moves it. */
export class Bench extends Session {
  readonly cluster: Cluster;

  private constructor(cluster: Cluster) {
    super();
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

  get clock(): Cluster['clock'] {
    return this.cluster.clock;
  }

  protected get transport(): Transport {
    return this.cluster.transportAs('admin');
  }

  /** Collects trace events from now on. */
  listen(topic: TraceEvent['topic']): TraceEvent[] {
    const events: TraceEvent[] = [];
    this.cluster.trace.listen((event) => events.push(event), [topic]);
    return events;
  }
}

const isReadyNode = (node: Loose): boolean =>
  node.status?.conditions?.some((c: Loose) => c.type === 'Ready' && c.status === 'True') && !node.spec.taints;

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
