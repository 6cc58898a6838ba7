/** The open cluster as a recipe. */
import type { ApiObject } from '../../schema/index.ts';
import { formatAddress, useAddress } from '../stores/address.ts';
import { readingClient } from '../stores/clients.ts';
import { useResources } from '../stores/resources.ts';
import { theCluster, theHost } from '../stores/session.ts';
import { collect, printManifests } from './collect.ts';
import type { Made, Recipe, RecipeOptions } from './recipe.ts';

const flagName = (flag: string): string => flag.replace(/^-+/, '').split('=', 1)[0] ?? '';

/** How the open cluster is made; flags that name files are in it. */
export function madeHere(): Made {
  const { cluster, names } = theCluster();
  const { nodes = 0, addons, seed, clock, schedulerPaused } = cluster.options;
  const { apiserver = [], controllerManager = [], scheduler = [] } = cluster.options;
  const name = cluster.name.toLowerCase().replaceAll('.', '-');
  const flags = { apiserver, controllerManager, scheduler };
  const beginning = { ...(clock !== undefined && { clock }), ...(schedulerPaused && { schedulerPaused }) };
  return {
    name,
    options: {
      naming: names.profile,
      nodes,
      ...(addons && { addons }),
      ...flags,
      ...beginning,
      ...(seed !== undefined && { seed }),
    },
  };
}

/** The options without what names files: those hold credentials, and stay here. */
async function optionsToShare(): Promise<{ options: RecipeOptions; leftOut: readonly string[] }> {
  const { cluster, names } = theCluster();
  const { files } = cluster.options;
  const { options } = madeHere();
  const described = await theHost().flags?.describe(names.profile);
  const ofFiles = new Set(
    described?.components.flatMap((each) => each.flags.filter(({ isFile }) => isFile).map(({ name }) => name)),
  );
  const leftOut: string[] = [];
  const kept = (list: readonly string[] = []): readonly string[] =>
    list.filter((flag) => {
      const isFile = ofFiles.has(flagName(flag)) || (files && Object.hasOwn(files, flag.split('=').at(-1) ?? ''));
      if (isFile) leftOut.push(flagName(flag));
      return !isFile;
    });
  const { apiserver, controllerManager, scheduler } = options;
  const flags = {
    apiserver: kept(apiserver),
    controllerManager: kept(controllerManager),
    scheduler: kept(scheduler),
  };
  return { options: { ...options, ...flags }, leftOut };
}

/** Everything in the cluster that can be shared, read once. */
export interface Shareable {
  readonly objects: readonly ApiObject[];
  readonly options: RecipeOptions;
  /** Flags that are not shared, since they name files. */
  readonly leftOut: readonly string[];
}

export async function readShareable(): Promise<Shareable> {
  const { names } = theCluster();
  const [objects, { options, leftOut }] = await Promise.all([
    collect(readingClient(), useResources.getState().resources, names),
    optionsToShare(),
  ]);
  return { objects, options, leftOut };
}

/** The recipe of what was read; it leads to where the page is now. */
export function recipeFrom(
  { objects, options }: Shareable,
  secrets: boolean,
  commands: readonly string[] = [],
): Recipe {
  const { names } = theCluster();
  const address = useAddress.getState();
  const { sel = '', ...query } = address.query;
  const lasting = sel.startsWith('object:') ? { ...query, sel } : query;
  return {
    name: madeHere().name,
    options,
    manifests: printManifests(objects, names, names.profile, secrets),
    open: formatAddress({ ...address, cluster: '', query: lasting }).replace(/^#\//, ''),
    ...(commands.length > 0 ? { commands } : {}),
  };
}
