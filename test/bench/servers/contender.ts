import { createCluster } from '../../../src/cluster/index.ts';
import { getOwn } from '../../../src/std/index.ts';
import { openBenchPage } from '../benchPage.ts';
import { referenceOptions } from '../objects.ts';
import { ownCpu } from './cpu.ts';
import { httpServer } from './httpServer.ts';
import { runRound, type Round } from './round.ts';
import { fetchedServer } from './server.ts';

/** A server that takes part in the comparison. */
export interface Contender {
  /** How it is called in the output. */
  readonly name: string;
  /** One round of the workload of this name. */
  run(workload: string): Promise<Round>;
  stop(): Promise<void>;
}

/** Names that stand for a cluster that the bench starts: in its own process, or in a page's worker in Chromium, in memory or in IndexedDB. */
const contenders: Readonly<Record<string, () => Promise<Contender>>> = {
  'in-process': inProcess,
  'chromium-memory': () => inChromium('memory'),
  'chromium-indexeddb': () => inChromium('indexeddb'),
};

/** A server at an address (`http:`, `https:` without proof of who it is), or one of those that the bench starts itself. */
export async function contenderAt(address: string, token: string): Promise<Contender> {
  const start = getOwn(contenders, address);
  if (start) return start();
  const { stop, ...server } = httpServer(address, token);
  return { name: new URL(address).origin, run: (workload) => runRound(server, workload), stop };
}

async function inProcess(): Promise<Contender> {
  const cluster = await createCluster({ ...referenceOptions, name: 'bench', naming: 'k8s.io' });
  // A cluster's clock does not keep the process alive.
  const alive = setInterval(() => undefined, 60_000);
  const fetched = fetchedServer((path, init) => cluster.fetch(new Request(`http://bench.local${path}`, init)));
  const server = { ...fetched, cpu: ownCpu };
  return {
    name: 'in-process',
    run: (workload) => runRound(server, workload),
    stop: () => {
      clearInterval(alive);
      return cluster.stop();
    },
  };
}

/** The client is in the page, and reaches the cluster in its worker through the port. */
async function inChromium(storage: 'memory' | 'indexeddb'): Promise<Contender> {
  const { tab, close } = await openBenchPage();
  await tab.evaluate((kept) => window.bench.open(kept), storage);
  return {
    name: `chromium-${storage}`,
    run: (workload) => tab.evaluate((name) => window.bench.round(name), workload),
    stop: close,
  };
}
