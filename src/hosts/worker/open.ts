import type { ClusterOptions } from '../../cluster/index.ts';
import { createCluster, diskBackend } from '../../cluster/index.ts';
import { browserSandbox } from '../sandbox/index.ts';
import type { Opened } from '../tabs/index.ts';
import { handlerOf, pastsOf } from './handler.ts';
import { dropKeptPage } from './keptPage.ts';
import { traceErrors } from './problems.ts';

/** Opens a cluster in this worker, with everything that a page may ask of it; one that is `known` must have its data. */
export async function openCluster(options: ClusterOptions, known: boolean): Promise<Opened> {
  const backend = options.storage === 'indexeddb' ? await diskBackend(options.name, dropKeptPage) : undefined;
  const sandbox = browserSandbox();
  const cluster = await createCluster(options, {
    ...(backend && { backend }),
    sandbox,
    partsWhenUsed: true,
    expectData: known,
  }).catch(async (error: unknown) => {
    // A database that does not open is left for a repair, an export or a removal.
    await backend?.close();
    throw error;
  });
  const endTracing = traceErrors(self, cluster.trace);
  const pasts = pastsOf(cluster);
  const stop = (): Promise<void> =>
    (pasts.loaded ? pasts.get().stop() : Promise.resolve())
      .then(() => cluster.stop())
      .finally(() => (endTracing(), sandbox.stop()));
  return { handle: handlerOf(cluster, pasts), stop };
}
