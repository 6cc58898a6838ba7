/** Lets a cluster begin again as it began. */
import { makeCluster } from '../share/make.ts';
import { go } from '../stores/address.ts';
import { openCluster, theHost } from '../stores/session.ts';
import type { BootOptions } from '../host.ts';
import { isScenario } from './list.ts';
import { beginScenario } from './openScenario.ts';
import { originOf } from './origins.ts';

/** Deletes all that is in a cluster that is not open, and makes it anew. */
export async function resetCluster(options: BootOptions): Promise<void> {
  const { name } = options;
  const origin = originOf(name);
  await theHost().remove(name);
  if (origin?.scenario && isScenario(origin.scenario)) return beginScenario(origin.scenario, name);
  if (origin?.recipe) return makeCluster({ ...origin.recipe, name }, origin);
  go({ cluster: name, panel: 'explore' });
  await openCluster(options);
}
