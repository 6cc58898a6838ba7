import { Worker } from 'node:worker_threads';
import type { Cluster } from '../../../src/cluster/index.ts';
import { headers, referenceOptions } from '../objects.ts';
import { percentile, thousands, type Measured, type Row } from '../row.ts';
import { onCluster } from './onCluster.ts';

const server = 'http://bench.local';

/** The longest that a person should wait, in milliseconds. */
const AIM = 100;

/**
 * A person at the page: sends a request every so often, from a thread of its own, as a page does to its worker. Each message
 * says what the process had spent of the CPU by then, because a wall clock counts what other programs do, too.
 */
const PERSON = `
  const { parentPort } = require('node:worker_threads');
  setInterval(() => {
    const { user, system } = process.cpuUsage();
    parentPort.postMessage({ wall: performance.timeOrigin + performance.now(), cpu: (user + system) / 1000 });
  }, 40);
`;

interface Moment {
  readonly wall: number;
  readonly cpu: number;
}

function now(): Moment {
  const { user, system } = process.cpuUsage();
  return { wall: performance.timeOrigin + performance.now(), cpu: (user + system) / 1000 };
}

const deployment = (replicas: number): string =>
  JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '10m' } } }] },
      },
    },
  });

async function ask(cluster: Cluster, path: string, method = 'GET', body?: string): Promise<string> {
  const response = await cluster.fetch(new Request(server + path, { method, headers, ...(body && { body }) }));
  return response.text();
}

/** What a person does by turns: reads an object, reads a page of a list, writes. */
const deeds: readonly ((cluster: Cluster, i: number) => Promise<string>)[] = [
  (cluster) => ask(cluster, '/apis/apps/v1/namespaces/default/deployments/web'),
  (cluster) => ask(cluster, '/api/v1/namespaces/default/pods?limit=20'),
  (cluster, i) =>
    ask(cluster, '/api/v1/namespaces/default/configmaps', 'POST', JSON.stringify({ metadata: { name: `c${i}` } })),
];

export interface Rollout {
  /** Milliseconds from request to answer, by the wall clock and by what this process spent, ascending. */
  readonly wall: readonly number[];
  readonly cpu: readonly number[];
  /** Seconds until all replicas were ready, in both measures. */
  readonly seconds: Moment;
}

/** Rolls out replicas on nodes while a person goes on working. */
export function rollOut(replicas: number, nodes: number): Promise<Rollout> {
  return onCluster(
    async (cluster) => {
      const waits: Moment[] = [];
      const began = now();
      await ask(cluster, '/apis/apps/v1/namespaces/default/deployments', 'POST', deployment(replicas));
      const person = new Worker(PERSON, { eval: true });
      await new Promise<void>((resolve, reject) => {
        let i = 0;
        person.on('error', reject);
        person.on('message', (sent: Moment) => {
          const deed = i++ % deeds.length;
          deeds[deed]?.(cluster, i).then((answer) => {
            const { wall, cpu } = now();
            waits.push({ wall: wall - sent.wall, cpu: cpu - sent.cpu });
            if (deed === 0 && answer.includes(`"readyReplicas":${replicas}`)) resolve();
          }, reject);
        });
      });
      await person.terminate();
      const ended = now();
      const sorted = (key: keyof Moment): number[] => waits.map((wait) => wait[key]).sort((a, b) => a - b);
      const seconds = { wall: (ended.wall - began.wall) / 1000, cpu: (ended.cpu - began.cpu) / 1000 };
      return { wall: sorted('wall'), cpu: sorted('cpu'), seconds };
    },
    { ...referenceOptions, nodes },
  );
}

const row = (replicas: number, nodes: number): Row => ({
  name: `requests while ${replicas} replicas roll out`,
  aim: `p99 ≤ ${AIM} ms of CPU`,
  run: async (): Promise<Measured> => {
    const { cpu, wall, seconds } = await rollOut(replicas, nodes);
    const [p50, p99] = [percentile(cpu, 50), percentile(cpu, 99)].map(thousands);
    const clock = `${thousands(percentile(wall, 99))} ms by the clock, rolled out in ${thousands(seconds.cpu)} s of CPU`;
    return {
      subject: `p50 ${p50} ms, p99 ${p99} ms (${clock})`,
      reference: `${AIM} ms`,
      ratio: AIM / percentile(cpu, 99),
    };
  },
});

export const rolloutRows: readonly Row[] = [row(5000, 50)];
