/** Clusters whose webhooks run in this process: the code of a handler is looked up by its text. */
import {
  createCluster,
  type Cluster,
  type ClusterOptions,
  type Job,
  type Run,
  type Sandbox,
} from '../../src/cluster/index.ts';
import type { Transport } from '../../src/client/index.ts';

export type Handler = (review: Review, about: About) => unknown;

export interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: Record<string, unknown> & {
    readonly uid: string;
    readonly object: Loose;
    readonly oldObject: Loose;
  };
  readonly spec: Loose;
}

export interface About {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What JSON gives, looked into without ceremony. */
export type Loose = { readonly [key: string]: Loose } & { readonly length: number };

/** Handlers by the text that stands for their code. */
export class Handlers implements Sandbox {
  readonly asked: { readonly code: string; readonly review: Review }[] = [];
  readonly #handlers = new Map<string, Handler>();

  set(code: string, handler: Handler): void {
    this.#handlers.set(code, handler);
  }

  async run({ code, input }: Job, signal: AbortSignal): Promise<Run> {
    const [review, about] = JSON.parse(input) as [Review, About];
    this.asked.push({ code, review });
    const handler = this.#handlers.get(code);
    if (!handler) return { outcome: 'threw', message: `no handler ${code}`, logs: [] };
    const gone = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    const value = JSON.stringify(await Promise.race([handler(review, about), gone])) as string | undefined;
    return { outcome: 'returned', value, logs: [] };
  }

  stop(): void {
    this.#handlers.clear();
  }
}

export interface Bench {
  readonly cluster: Cluster;
  readonly handlers: Handlers;
  readonly as: Transport;
  send(method: string, path: string, body?: unknown, type?: string): Promise<Answer>;
  /** Writes a webhook: its service and its code. */
  write(name: string, handler: Handler | string, annotations?: Record<string, string>): Promise<void>;
  /** PEM of the cluster's own authority, in base64. */
  readonly caBundle: string;
}

export interface Answer {
  readonly status: number;
  readonly body: Loose;
  readonly warnings: string;
}

export async function bench(options: Partial<ClusterOptions> = {}, sandbox?: Sandbox): Promise<Bench> {
  const handlers = new Handlers();
  const cluster = await createCluster(
    { name: 'webhooks', naming: 'k8s.io', clock: 'manual', seed: 'webhooks', storage: 'memory', ...options },
    { sandbox: sandbox ?? handlers },
  );
  const as = cluster.transportAs('system:apiserver');
  const send: Bench['send'] = async (method, path, body, type = 'application/json') => {
    const init =
      body === undefined ? { method } : { method, body: JSON.stringify(body), headers: { 'content-type': type } };
    const response = await as(path, init);
    return {
      status: response.status,
      body: (await response.json()) as Loose,
      warnings: response.headers.get('warning') ?? '',
    };
  };
  const write: Bench['write'] = async (name, handler, annotations = {}) => {
    const code = typeof handler === 'string' ? handler : name;
    if (typeof handler !== 'string') handlers.set(code, handler);
    await send('POST', '/api/v1/namespaces/default/services', service(name));
    await send('POST', '/api/v1/namespaces/default/configmaps', configMap(name, code, annotations));
  };
  const { authority = '' } = await cluster.servingFiles([]);
  return { cluster, handlers, as, send, write, caBundle: btoa(authority) };
}

const PREFIX = 'simulation.vitrine.dev/webhook';

export function service(name: string, port = 443): object {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports: [{ port }] } };
}

export function configMap(name: string, code: string, knobs: Record<string, string> = {}): object {
  const annotations = Object.fromEntries(Object.entries(knobs).map(([key, value]) => [`${PREFIX}-${key}`, value]));
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { [PREFIX]: 'true' }, annotations },
    data: { 'handler.js': code },
  };
}
