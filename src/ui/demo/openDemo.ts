/** Makes the demo cluster: a control plane, three nodes, and a small shop that runs on them. */
import type { Names } from '../../names/index.ts';
import type { BootOptions } from '../host.ts';
import { applyManifests } from '../editor/apply.ts';
import { readManifests } from '../editor/documents.ts';
import { delay } from '../../std/index.ts';
import { toast } from '../parts/Toast.tsx';
import { theClient } from '../stores/clients.ts';
import { pageClock } from '../stores/liveObjects.ts';
import { loadResources, servedBy } from '../stores/resources.ts';
import { administrator } from '../stores/identity.ts';
import { openCluster, useSession } from '../stores/session.ts';
import { showGuide, useFilling } from './guided.ts';
import shop from './shop.yaml?raw';

/** Applies the shop to the open cluster. */
async function applyShop(names: Names): Promise<void> {
  const client = theClient(administrator);
  await loadResources(client);
  const how = { way: 'merge', force: false, dryRun: false, namespace: 'default' } as const;
  const manifests = readManifests(names.fill(shop));
  const outcomes = await applyManifests(client, servedBy(client), manifests, how, (ms) => delay(pageClock, ms));
  const failed = outcomes.find((each) => each.did === 'failed');
  if (failed)
    toast('failed', `${failed.manifest.kind} ${failed.manifest.name} of the demo failed.`, failed.status.message);
}

/** Starts the cluster and applies the shop. What goes wrong with the start is the session's state. */
export async function openDemo(options: BootOptions): Promise<void> {
  showGuide(options.name);
  useFilling.setState({ filling: true });
  try {
    await openCluster(options);
    const { session } = useSession.getState();
    if (session.phase === 'open' && session.cluster.name === options.name) await applyShop(session.names);
  } finally {
    useFilling.setState({ filling: false });
  }
}
