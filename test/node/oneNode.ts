import type { Pod } from '../../src/client/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { networkSettings } from '../../src/network/index.ts';
import { startNodes, type RunningNodes } from '../../src/node/index.ts';
import { seededRandom } from '../../src/std/index.ts';
import { createTracer } from '../../src/trace/index.ts';
import type { Bench, Loose } from '../controllers/bench.ts';

const names = namesOf('cluster.io');

/** Starts one node beside a cluster without any, ready for pods. Its containers reach no API server, and trust every certificate. */
export async function startOneNode(bench: Bench): Promise<RunningNodes> {
  const { clock } = bench.cluster;
  const nodes = startNodes({
    ...{ clock, names, count: 1 },
    transportFor: (identity) => bench.cluster.transportAs(identity),
    random: seededRandom(1),
    tracer: createTracer(clock),
    podRanges: { cidr: '10.244.0.0/16', mask: 24 },
    network: networkSettings(names),
    readPod: (raw) => raw as Pod,
    judge: () => Promise.resolve(undefined),
    apiServer: {
      ...{ address: '192.0.2.1', port: 6443, certificate: () => Promise.resolve('') },
      fetch: () => Promise.reject(new Error('no container asks the API server')),
    },
  });
  await bench.until('/api/v1/nodes/node-1', (node) =>
    node.status?.conditions?.some((c: Loose) => c.type === 'Ready' && c.status === 'True'),
  );
  return nodes;
}
