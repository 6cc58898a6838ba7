import { createCluster } from '../../../src/cluster/index.ts';
import { clusterOptions, headers } from '../objects.ts';
import { ownCpu } from './cpu.ts';
import { httpServer } from './httpServer.ts';

/** What the bench needs of a server: any that speaks the API will do. */
export interface BenchServer {
  /** How it is called in the output. */
  readonly name: string;
  /** Sends a request and reads its answer; throws unless it is a success. */
  ask(method: string, path: string, body?: string, type?: string): Promise<string>;
  /** The lines of a watch; the connection ends when `signal` says so. */
  watch(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Milliseconds of CPU that it has taken, where that is known. */
  cpu?(): number;
  stop(): Promise<void>;
}

/** The address that means a cluster in the bench's own process. */
export const IN_PROCESS = 'in-process';

/** A server at an address (`http:`, `https:` without proof of who it is), or a cluster in this process. */
export function serverAt(address: string, token: string): Promise<BenchServer> | BenchServer {
  return address === IN_PROCESS ? inProcess() : httpServer(address, token);
}

/** As the reference is run: each controller with the rights of its own account. */
const options = {
  apiserver: ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'],
  controllerManager: ['--use-service-account-credentials=true'],
};

const origin = 'http://bench.local';

async function inProcess(): Promise<BenchServer> {
  const cluster = await createCluster({ name: 'bench', naming: 'k8s.io', ...clusterOptions, ...options });
  // A cluster's clock does not keep the process alive.
  const alive = setInterval(() => undefined, 60_000);
  return {
    name: IN_PROCESS,
    cpu: ownCpu,
    ask: async (method, path, body, type) => {
      const sent = { ...headers, ...(type !== undefined && { 'content-type': type }) };
      const response = await cluster.fetch(
        new Request(origin + path, { method, headers: sent, ...(body && { body }) }),
      );
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text;
    },
    watch: async (path, signal) => {
      const { body } = await cluster.fetch(new Request(origin + path, { headers, signal }));
      if (!body) throw new Error(`${path}: a watch without a body`);
      return body;
    },
    stop: () => {
      clearInterval(alive);
      return cluster.stop();
    },
  };
}
