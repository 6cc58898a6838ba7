/** Resets a cluster to its beginning. */
import { makeCluster } from '../share/make.ts';
import { go } from '../stores/address.ts';
import { closeCluster, leaveFor, openCluster, theHost } from '../stores/session.ts';
import type { BootOptions } from '../host.ts';
import { isScenario, scenarios } from './list.ts';
import { beginScenario } from './openScenario.ts';
import { originOf } from './origins.ts';

/** Deletes everything in a cluster and makes it anew. If that fails, the page goes back to the start page. */
export async function resetCluster(options: BootOptions): Promise<void> {
  const { name } = options;
  const begin = await loadBeginning(options);
  await leaveFor(options);
  // The selected object will be gone.
  go({ query: { sel: undefined, tab: undefined } });
  try {
    await theHost().remove(name);
    await begin();
  } catch (problem) {
    await closeCluster();
    throw problem;
  }
}

/** Prepares to make the cluster anew. Its scenario is loaded beforehand: without it, nothing should be deleted. */
async function loadBeginning(options: BootOptions): Promise<() => Promise<void>> {
  const { name } = options;
  const origin = originOf(name);
  const { scenario, recipe } = origin ?? {};
  if (scenario && isScenario(scenario)) {
    await scenarios[scenario].load();
    return () => beginScenario(scenario, name);
  }
  if (origin && recipe) return () => makeCluster({ ...recipe, name }, origin);
  return async () => {
    go({ cluster: name, panel: 'explore' });
    await openCluster(options);
  };
}
