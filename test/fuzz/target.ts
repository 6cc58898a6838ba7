/** The cluster that inputs are thrown at, and what must hold of each answer. */
import { createCluster, type Cluster } from '../../src/cluster/index.ts';
import { fromBase64, isObject, loadYaml } from '../../src/std/index.ts';
import { recordedOptions, tokens } from '../conformance/scenarios.ts';
import { readers } from './files.ts';
import { importReaders } from './imports.ts';
import type { FileInput, Input, RequestInput } from './input.ts';
import { ownTime } from './spent.ts';

/** No answer may take longer, in milliseconds. */
export const SLOW_MS = 250;

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

export class Target {
  readonly #cluster: Cluster;
  /** Promises that nobody waited for and that failed: a fault wherever they come from. */
  readonly #rejections: unknown[] = [];
  readonly #onRejection = (reason: unknown): void => void this.#rejections.push(reason);

  private constructor(cluster: Cluster) {
    this.#cluster = cluster;
    process.on('unhandledRejection', this.#onRejection);
  }

  static async start(): Promise<Target> {
    await loadYaml();
    const target = new Target(await createCluster(recordedOptions('k8s.io', 'apiServerOnly')));
    const map = { metadata: { name: 'fuzz-target', labels: { a: 'b' } }, data: { a: 'b' } };
    const headers = [['content-type', 'application/json']] as const;
    await target.#send({ method: 'POST', path: CONFIG_MAPS, headers, body: JSON.stringify(map) });
    return target;
  }

  async stop(): Promise<void> {
    await this.#cluster.stop();
    process.off('unhandledRejection', this.#onRejection);
  }

  /** What is wrong with how an input is answered; undefined where nothing is. A slow one is tried again, for others use the machine too. */
  async problemOf(input: Input): Promise<string | undefined> {
    let fastest = Infinity;
    for (let attempt = 0; attempt < 3; attempt++) {
      const started = ownTime();
      const problem = await ('file' in input ? this.#read(input) : this.#answer(input));
      if (problem !== undefined) return problem;
      fastest = Math.min(fastest, ownTime() - started);
      if (fastest <= SLOW_MS) return undefined;
    }
    return `slow: ${Math.round(fastest)} ms`;
  }

  async #read({ file, text }: FileInput): Promise<string | undefined> {
    const reader = readers[file] ?? importReaders[file];
    if (!reader) return `no reader of ${file}`;
    try {
      await reader.read(text);
    } catch (error) {
      if (!(error instanceof reader.refusal)) return `fault: ${String(error)}`;
    }
    return undefined;
  }

  async #answer(input: RequestInput): Promise<string | undefined> {
    const response = await this.#send(input);
    if (!response) return undefined;
    const text = await response.text();
    const rejection = this.#rejections.pop();
    if (rejection !== undefined) return `unhandled: ${String(rejection)}`;
    if (isFault(response.status, text)) return `fault: ${response.status} ${text.slice(0, 300)}`;
    const isWrite = ['POST', 'PUT', 'PATCH'].includes(input.method) && !input.path.includes('dryRun');
    return isWrite && response.ok ? this.#unreadable(input, text) : undefined;
  }

  /** Reads what was stored in every form, then removes it, so that the cluster stays small. */
  async #unreadable(input: RequestInput, text: string): Promise<string | undefined> {
    const name = nameIn(text);
    if (name === undefined) return undefined;
    const [base = ''] = input.path.split('?');
    const path = input.method === 'POST' ? `${base}/${encodeURIComponent(name)}` : base;
    for (const accept of ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf', TABLE]) {
      const response = await this.#send({ method: 'GET', path, headers: [['accept', accept]] });
      const answer = await response?.text();
      if (response && !response.ok && ![404, 405, 406].includes(response.status))
        return `unreadable: ${path} as ${accept}: ${response.status} ${answer?.slice(0, 300)}`;
    }
    if (name !== 'fuzz-target' && name !== 'default')
      await this.#send({ method: 'DELETE', path: `${path}?gracePeriodSeconds=0`, headers: [] });
    return undefined;
  }

  /** Undefined where the platform can't even make such a request. */
  async #send({ method, path, headers, body, bytes }: RequestInput): Promise<Response | undefined> {
    let request: Request;
    try {
      const all = new Headers({ authorization: `Bearer ${tokens.admin}` });
      for (const [name, value] of headers) all.append(name, value);
      const content = bytes === undefined ? body : fromBase64(bytes);
      request = new Request(`http://fuzz.test${path}`, {
        method,
        headers: all,
        ...(content !== undefined && content !== null && { body: content }),
      });
    } catch {
      return undefined;
    }
    return this.#cluster.fetch(request);
  }
}

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** Mistakes of clients that the reference answers as InternalError. */
const KEPT = ['without impersonating a user', "'apiVersion' is missing"];

/**
 * A fault of ours, an exception that nobody expected, is answered as InternalError. The reference's own 500s, for a client's
 * mistake that it recognizes but has no better code for, carry no reason; they are recorded so and kept. The exceptions are
 * a few mistakes that the reference answers as InternalError, too.
 */
function isFault(status: number, text: string): boolean {
  if (status < 500 || KEPT.some((message) => text.includes(message))) return false;
  return text.includes('InternalError') || !text.includes('Status');
}

function nameIn(text: string): string | undefined {
  if (!text.startsWith('{')) return undefined;
  const object: unknown = JSON.parse(text);
  const metadata = isObject(object) ? object['metadata'] : undefined;
  const name = isObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}
