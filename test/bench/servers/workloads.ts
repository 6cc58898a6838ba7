import { configMap, pod } from '../objects.ts';
import { concurrently } from '../row.ts';
import { untilSeen } from './lines.ts';
import type { BenchServer } from './server.ts';

/** A namespace of its own at a server, for one round of a workload. */
export interface Place {
  readonly server: BenchServer;
  readonly namespace: string;
}

/** Something that a client wants of a server, whose rate is measured. */
export interface Workload {
  readonly name: string;
  /** Makes what has to be there before the clock starts; resolves with what is measured, which says how much it did. */
  prepare(place: Place): Promise<Measurement>;
}

export interface Measurement {
  /** Does it once; `took` gets the milliseconds of each request, where requests are what counts. */
  run(took: (ms: number) => void): Promise<number>;
  /** Removes what others would notice. */
  clean?(): Promise<void>;
}

const IN_FLIGHT = 32;
const MERGE = 'application/merge-patch+json';
const APPLY = 'application/apply-patch+yaml';

const maps = ({ namespace }: Place): string => `/api/v1/namespaces/${namespace}/configmaps`;
const pods = ({ namespace }: Place): string => `/api/v1/namespaces/${namespace}/pods`;

const fill = (place: Place, count: number): Promise<void> =>
  concurrently(count, IN_FLIGHT, (i) => place.server.ask('POST', maps(place), configMap(`c${i}`)));

async function timing(took: (ms: number) => void, request: Promise<unknown>): Promise<void> {
  const began = performance.now();
  await request;
  took(performance.now() - began);
}

/** Requests for objects that exist, or not yet: `count` of them, so many at once. */
const requests = (
  name: string,
  { existing, count, inFlight }: { existing: number; count: number; inFlight: number },
  send: (place: Place, i: number) => Promise<unknown>,
): Workload => ({
  name,
  prepare: async (place) => {
    await fill(place, existing);
    return {
      run: async (took) => {
        await concurrently(count, inFlight, (i) => timing(took, send(place, i)));
        return count;
      },
    };
  },
});

const writes = { existing: 200, count: 1000, inFlight: IN_FLIGHT };

const watched: Workload = {
  name: '50 watchers, deliveries',
  prepare: async (place) => {
    const [watchers, count] = [50, 200];
    const path = maps(place);
    const seen = await Promise.all(
      Array.from({ length: watchers }, () => untilSeen(place.server, path, count, (line) => line.includes('"c'))),
    );
    return {
      run: async () => {
        await fill(place, count);
        await Promise.all(seen.map(({ all }) => all));
        return watchers * count;
      },
    };
  },
};

const deployment = (replicas: number): string =>
  JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      replicas,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx:1.19' }] } },
    },
  });

const rolledOut: Workload = {
  name: 'Deployment of 300 replicas, all pods exist',
  prepare: async (place) => {
    const path = `/apis/apps/v1/namespaces/${place.namespace}/deployments`;
    const made = await untilSeen(place.server, pods(place), 300);
    return {
      run: async () => {
        await place.server.ask('POST', path, deployment(300));
        await made.all;
        return 300;
      },
      clean: async () => {
        const gone = await untilSeen(place.server, pods(place), 300, (line) => line.startsWith('{"type":"DELETED"'));
        await place.server.ask('DELETE', `${path}/web?propagationPolicy=Background`);
        await gone.all;
      },
    };
  },
};

const node = (name: string): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'Node', metadata: { name, labels: { 'kubernetes.io/hostname': name } } });

const READY = JSON.stringify({
  status: {
    allocatable: { cpu: '32', memory: '64Gi', pods: '110' },
    capacity: { cpu: '32', memory: '64Gi', pods: '110' },
    conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: '' }],
  },
});

const makeNodes = ({ server }: Place, count: number): Promise<void> =>
  concurrently(count, IN_FLIGHT, async (i) => {
    await server.ask('POST', '/api/v1/nodes', node(`bench-${i}`));
    await server.ask('PATCH', `/api/v1/nodes/bench-${i}/status`, READY, MERGE);
  });

/** Nobody reports for the nodes, so that controllers taint them sooner or later: pods that don't mind measure the scheduler alone. */
function tolerantPod(name: string): string {
  const made = JSON.parse(pod(name)) as { spec: object };
  return JSON.stringify({ ...made, spec: { ...made.spec, tolerations: [{ operator: 'Exists' }] } });
}

const scheduled: Workload = {
  name: '1,000 pods on 200 nodes, all bound',
  prepare: async (place) => {
    // A run that was stopped left its nodes.
    await place.server.ask('DELETE', '/api/v1/nodes');
    await makeNodes(place, 200);
    const bound = await untilSeen(place.server, pods(place), 1000, (line) => line.includes('"nodeName":"'));
    return {
      run: async () => {
        await concurrently(1000, IN_FLIGHT, (i) => place.server.ask('POST', pods(place), tolerantPod(`p${i}`)));
        await bound.all;
        return 1000;
      },
      clean: async () => {
        const gone = await untilSeen(place.server, pods(place), 1000, (line) => line.startsWith('{"type":"DELETED"'));
        await place.server.ask('DELETE', `${pods(place)}?gracePeriodSeconds=0`);
        await place.server.ask('DELETE', '/api/v1/nodes');
        await gone.all;
      },
    };
  },
};

const patch = (i: number): string => `{"data":{"a":"${i}"}}`;

/** The rows of the comparison, in the order in which they are printed. */
export const workloads: readonly Workload[] = [
  requests('create, 32 in flight', { ...writes, existing: 0 }, (place, i) =>
    place.server.ask('POST', maps(place), configMap(`c${i}`)),
  ),
  requests('create, one after another', { existing: 0, count: 300, inFlight: 1 }, (place, i) =>
    place.server.ask('POST', maps(place), configMap(`c${i}`)),
  ),
  requests('get, one after another', { existing: 1, count: 1000, inFlight: 1 }, (place) =>
    place.server.ask('GET', `${maps(place)}/c0`),
  ),
  requests('list of 1,200', { existing: 1200, count: 20, inFlight: 1 }, (place) =>
    place.server.ask('GET', maps(place)),
  ),
  requests('update, 32 in flight', writes, (place, i) =>
    place.server.ask('PUT', `${maps(place)}/c${i % 200}`, configMap(`c${i % 200}`, 900 + i)),
  ),
  requests('update, one after another', { existing: 1, count: 300, inFlight: 1 }, (place, i) =>
    place.server.ask('PUT', `${maps(place)}/c0`, configMap('c0', 900 + i)),
  ),
  requests('merge patch, 32 in flight', writes, (place, i) =>
    place.server.ask('PATCH', `${maps(place)}/c${i % 200}`, patch(i), MERGE),
  ),
  requests('apply, 32 in flight', writes, (place, i) =>
    place.server.ask(
      'PATCH',
      `${maps(place)}/c${i % 200}?fieldManager=apply&force=true`,
      configMap(`c${i % 200}`, 900 + i),
      APPLY,
    ),
  ),
  watched,
  rolledOut,
  scheduled,
];
