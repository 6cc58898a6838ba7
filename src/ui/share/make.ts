/** Makes a cluster from a recipe or from a history. */
import { delay } from '../../std/index.ts';
import { applyManifests } from '../editor/apply.ts';
import { readManifests } from '../editor/documents.ts';
import type { BootOptions } from '../host.ts';
import { toast } from '../parts/Toast.tsx';
import { setOrigin, useFilling, type Origin } from '../scenarios/origins.ts';
import { go, parseAddress, type Step } from '../stores/address.ts';
import { makingClient } from '../stores/clients.ts';
import { actAs, administrator } from '../stores/identity.ts';
import { pageClock } from '../stores/liveObjects.ts';
import { loadResources, servedBy } from '../stores/resources.ts';
import { openCluster, theHost, useSession } from '../stores/session.ts';
import type { History } from './history.ts';
import type { Recipe } from './recipe.ts';

const MOST_TOLD = 3;

/** Applies a text to the open cluster; says how many objects were made, and tells of those that were refused. */
async function applyText(text: string): Promise<void> {
  const client = makingClient();
  await loadResources(client);
  const how = { way: 'merge', force: false, dryRun: false, namespace: 'default' } as const;
  const wait = (ms: number): Promise<void> => delay(pageClock, ms);
  const outcomes = await applyManifests(client, servedBy(client), readManifests(text), how, wait);
  const failed = outcomes.filter((each) => each.did === 'failed');
  if (failed.length === 0) return;
  const told = failed
    .slice(0, MOST_TOLD)
    .map(({ manifest, status }) => `${manifest.kind} ${manifest.name}: ${status.message ?? ''}`);
  toast('failed', `${failed.length} of ${outcomes.length} objects were not made.`, told.join('\n'));
}

/** The step to an address within a cluster, such as `network/map?ns=shop`. */
function stepTo(open: string): Step {
  const { cluster, panel, query, path } = parseAddress(`#/${open}`);
  return { panel: cluster || 'explore', path: [panel, ...path].filter(Boolean), query };
}

/** Starts the cluster, shows it, and applies what belongs to it. What goes wrong with the start is the session's state. */
export async function makeCluster(
  recipe: Recipe,
  origin: Origin,
  start: Step = stepTo(recipe.open ?? ''),
): Promise<void> {
  const options: BootOptions = { storage: 'indexeddb', ...recipe.options, name: recipe.name };
  setOrigin(recipe.name, origin);
  actAs(administrator);
  useFilling.setState({ filling: true });
  go({ ...start, cluster: recipe.name });
  try {
    await openCluster(options);
    const { session } = useSession.getState();
    if (session.phase === 'open' && session.cluster.name === recipe.name) await applyText(recipe.manifests);
  } finally {
    useFilling.setState({ filling: false });
  }
}

/** Keeps a history as a cluster of this browser, and opens that. Rejects where a line of it is broken or the name is taken. */
export async function openHistory({ name, options, lines }: History): Promise<void> {
  const made: BootOptions = { ...options, name, storage: 'indexeddb' };
  const host = theHost();
  if (!host.importHistory) throw new Error('This page keeps no clusters.');
  await host.importHistory(made, lines);
  actAs(administrator);
  go({ cluster: name, panel: 'explore' });
  await openCluster(made);
}
