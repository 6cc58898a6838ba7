/** Lets a cluster begin again as it began. */
import { makeCluster } from '../share/make.ts';
import { go } from '../stores/address.ts';
import { leaveFor, openCluster, theHost } from '../stores/session.ts';
import type { BootOptions } from '../host.ts';
import { isScenario } from './list.ts';
import { beginScenario } from './openScenario.ts';
import { originOf } from './origins.ts';

/** Deletes all that is in a cluster, and makes it anew. */
export async function resetCluster(options: BootOptions): Promise<void> {
  const { name } = options;
  const origin = originOf(name);
  await leaveFor(options);
  // What was selected is not there any more.
  go({ query: { sel: undefined, tab: undefined } });
  await theHost().remove(name);
  if (origin?.scenario && isScenario(origin.scenario)) return beginScenario(origin.scenario, name);
  if (origin?.recipe) return makeCluster({ ...origin.recipe, name }, origin);
  go({ cluster: name, panel: 'explore' });
  await openCluster(options);
}
