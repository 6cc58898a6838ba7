import { createPageHost } from '../../../src/hosts/page/index.ts';
import { referenceOptions } from '../objects.ts';
import { runRound, type Round } from '../servers/round.ts';
import { fetchedServer, type BenchServer } from '../servers/server.ts';

let server: BenchServer | undefined;

/** Opens the cluster that takes part in the comparison of servers, kept there; its transport is the port to its worker. */
export async function openContender(storage: 'memory' | 'indexeddb'): Promise<void> {
  const cluster = await createPageHost().open({ ...referenceOptions, name: 'contender', naming: 'k8s.io', storage });
  server = fetchedServer(cluster.transport);
}

/** One round of the workload of this name at that cluster. */
export function runContender(workload: string): Promise<Round> {
  if (!server) throw new Error('no cluster is open');
  return runRound(server, workload);
}
