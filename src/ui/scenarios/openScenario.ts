/** Opens a scenario: the cluster that this browser has of it already, or a new one. */
import { namesOf, type Profile } from '../../names/index.ts';
import { freeName, usualOptions } from '../panels/start/defaults.ts';
import { makeCluster } from '../share/make.ts';
import { go } from '../stores/address.ts';
import { openCluster, useSession } from '../stores/session.ts';
import { scenarios, type ScenarioId } from './list.ts';
import { useOrigins } from './origins.ts';

/** Manifests from the field are what people know: scenarios have their names. */
const FIELD: Profile = 'k8s.io';

/** Makes a cluster of that name, which begins as the scenario. */
export async function beginScenario(id: ScenarioId, name: string): Promise<void> {
  const { manifests, start } = await scenarios[id].load();
  const { name: _, storage: __, ...options } = usualOptions(name);
  const recipe = { name, options: { ...options, naming: FIELD }, manifests: namesOf(FIELD).fill(manifests) };
  await makeCluster(recipe, { scenario: id, guided: true }, start);
}

/** Opens the scenario; `wanted` is the name of a cluster that is made for it. */
export async function openScenario(id: ScenarioId, wanted: string = id): Promise<void> {
  const { known } = useSession.getState();
  const { origins } = useOrigins.getState();
  const kept = known?.find((each) => Object.hasOwn(origins, each.name) && origins[each.name]?.scenario === id);
  if (!kept) return beginScenario(id, freeName(wanted, known));
  const { start } = await scenarios[id].load();
  go({ ...start, cluster: kept.name });
  await openCluster(kept.options);
}
