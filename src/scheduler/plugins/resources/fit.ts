import type { Fields } from '../../config/fields.ts';
import type { NodeInfo, PodInfo } from '../../framework/nodeInfo.ts';
import { plugin, refuse, type Facts, type Plugin } from '../../framework/plugin.ts';
import { amountOf } from '../../framework/resources.ts';

type IsIgnored = (name: string) => boolean;

/** Resources that are checked for every pod with requests, in this order. */
const MEASURED = ['cpu', 'memory', 'ephemeral-storage'];

function asksForNothing({ request }: PodInfo): boolean {
  const { cpu, memory, ephemeralStorage, scalars } = request;
  return cpu === 0 && memory === 0 && ephemeralStorage === 0 && scalars.size === 0;
}

function resourcesToCheck(info: PodInfo, isIgnored: IsIgnored): readonly string[] {
  if (asksForNothing(info)) return [];
  const { scalars } = info.request;
  return scalars.size === 0 ? MEASURED : [...MEASURED, ...[...scalars.keys()].filter((name) => !isIgnored(name))];
}

/** A quick check for pods without extended resources, which covers most nodes. */
function hasRoom({ request }: PodInfo, { pods, allocatable, requested }: NodeInfo): boolean {
  return (
    request.scalars.size === 0 &&
    pods.length < allocatable.pods &&
    allocatable.cpu - requested.cpu >= request.cpu &&
    allocatable.memory - requested.memory >= request.memory &&
    allocatable.ephemeralStorage - requested.ephemeralStorage >= request.ephemeralStorage
  );
}

/** The insufficient resources of a node: the number of pods, then those in `names`. */
export function shortages(info: PodInfo, node: NodeInfo, names: readonly string[]): string[] {
  const reasons: string[] = [];
  if (node.pods.length + 1 > node.allocatable.pods) reasons.push('Too many pods');
  for (const name of names) {
    const free = amountOf(node.allocatable, name) - amountOf(node.requested, name);
    if (free < amountOf(info.request, name)) reasons.push(`Insufficient ${name}`);
  }
  return reasons;
}

function factsOf(info: PodInfo, node: NodeInfo, names: readonly string[]): Facts {
  const pods = { resource: 'pods', requested: 1, used: node.pods.length, allocatable: node.allocatable.pods };
  const others = names.map((name) => ({
    resource: name,
    requested: amountOf(info.request, name),
    used: amountOf(node.requested, name),
    allocatable: amountOf(node.allocatable, name),
  }));
  return [pods, ...others];
}

/** Rejects nodes without enough resources for the pod's requests. */
const fit = (isIgnored: IsIgnored): Plugin =>
  plugin<readonly string[], void>({
    name: 'NodeResourcesFit',
    isLocal: true,
    prepareFilter: ({ info }) => resourcesToCheck(info, isIgnored),
    filter({ info }, node, names) {
      if (hasRoom(info, node)) return undefined;
      const reasons = shortages(info, node, names);
      return reasons.length > 0 ? refuse(...reasons) : undefined;
    },
    facts: ({ info }, node, names) => factsOf(info, node, names),
  });

export const nodeResourcesFit = fit(() => false);

/** Only extended resources can be managed externally. */
const isExtended = (name: string): boolean => name.includes('/');

/** Reads `ignoredResources` and `ignoredResourceGroups`: resources that are managed externally. */
export function nodeResourcesFitWith(args: Fields): Plugin {
  const [names, groups] = [args.texts('ignoredResources'), args.texts('ignoredResourceGroups')];
  return fit((name) => isExtended(name) && (names.includes(name) || groups.includes(name.split('/')[0] ?? '')));
}
