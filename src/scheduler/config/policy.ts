/** The scheduler's older configuration file, a Policy: predicates and priorities, which map to plugins. */
import { getOwn, setOwn } from '../../std/index.ts';
import { extendersFrom } from '../extender/config.ts';
import {
  DEFAULT_SCHEDULER,
  defaultConfiguration,
  parse,
  type Configuration,
  type Files,
  type PluginChoice,
} from './configuration.ts';
import { ConfigurationError, Fields } from './fields.ts';

/** The plugins of each predicate, in execution order regardless of the order in a policy. */
const PREDICATES: Readonly<Record<string, readonly string[]>> = {
  CheckNodeUnschedulable: ['NodeUnschedulable'],
  GeneralPredicates: ['NodeResourcesFit', 'NodeName', 'NodePorts', 'NodeAffinity'],
  HostName: ['NodeName'],
  PodFitsHostPorts: ['NodePorts'],
  PodFitsPorts: ['NodePorts'],
  MatchNodeSelector: ['NodeAffinity'],
  PodFitsResources: ['NodeResourcesFit'],
  NoDiskConflict: ['VolumeRestrictions'],
  PodToleratesNodeTaints: ['TaintToleration'],
  CheckNodeLabelPresence: ['NodeLabel'],
  CheckServiceAffinity: ['ServiceAffinity'],
  MaxEBSVolumeCount: ['EBSLimits'],
  MaxGCEPDVolumeCount: ['GCEPDLimits'],
  MaxCSIVolumeCountPred: ['NodeVolumeLimits'],
  MaxAzureDiskVolumeCount: ['AzureDiskLimits'],
  MaxCinderVolumeCount: ['CinderLimits'],
  CheckVolumeBinding: ['VolumeBinding'],
  NoVolumeZoneConflict: ['VolumeZone'],
  EvenPodsSpread: ['PodTopologySpread'],
  MatchInterPodAffinity: ['InterPodAffinity'],
};

/** Predicates that always apply. */
const MANDATORY = ['PodToleratesNodeTaints', 'CheckNodeUnschedulable'];

/** The predicates of a policy without any. */
const DEFAULT_PREDICATES = [
  ...['GeneralPredicates', 'NoDiskConflict', 'MaxEBSVolumeCount', 'MaxGCEPDVolumeCount', 'MaxCSIVolumeCountPred'],
  ...['MaxAzureDiskVolumeCount', 'CheckVolumeBinding', 'NoVolumeZoneConflict', 'EvenPodsSpread'],
  'MatchInterPodAffinity',
];

/** A priority without effect. */
const EQUAL = 'EqualPriority';
const EVEN = 'EvenPodsSpreadPriority';

/** Spreads the pods of services and owners, if a priority requests it, as well as pods with constraints. */
const SPREAD = 'PodTopologySpread';

/** The plugin that implements a priority. */
const PRIORITIES: Readonly<Record<string, string>> = {
  LeastRequestedPriority: 'NodeResourcesLeastAllocated',
  MostRequestedPriority: 'NodeResourcesMostAllocated',
  BalancedResourceAllocation: 'NodeResourcesBalancedAllocation',
  SelectorSpreadPriority: SPREAD,
  ServiceSpreadingPriority: SPREAD,
  InterPodAffinityPriority: 'InterPodAffinity',
  NodeAffinityPriority: 'NodeAffinity',
  TaintTolerationPriority: 'TaintToleration',
  ImageLocalityPriority: 'ImageLocality',
  NodePreferAvoidPodsPriority: 'NodePreferAvoidPods',
  [EVEN]: SPREAD,
};

const LARGEST_WEIGHT = Math.floor((2 ** 31 - 1) / 100);

/** The plugins collected from a policy's predicates and priorities. */
interface Collected {
  readonly predicates: Set<string>;
  readonly scores: Map<string, number>;
  /** Whether pods without constraints are spread by their services and owners. */
  spreadsOwners: boolean;
  readonly args: Map<string, Record<string, unknown>>;
}

/** Reads the file of `--policy-config-file`, as YAML or JSON. Throws ConfigurationError. */
export function readPolicy(text: string, schedulerName: string, files: Files = {}): Configuration {
  const file = new Fields(parse(text), '');
  checkKind(file);
  const collected: Collected = {
    predicates: new Set(MANDATORY),
    scores: new Map(),
    spreadsOwners: false,
    args: new Map(),
  };
  const [hasPredicates, hasPriorities] = [file.raw('predicates'), file.raw('priorities')].map((v) => v !== undefined);
  for (const name of hasPredicates ? [] : DEFAULT_PREDICATES) collected.predicates.add(name);
  for (const predicate of file.list('predicates')) addPredicate(predicate, collected);
  for (const priority of file.list('priorities')) addPriority(priority, collected);
  if (hasPriorities) argsOf(collected, SPREAD)['defaultingType'] = collected.spreadsOwners ? 'System' : 'List';
  const hardPodAffinityWeight = file.number('hardPodAffinitySymmetricWeight', 0, 100);
  if (hardPodAffinityWeight !== undefined && hardPodAffinityWeight !== 0)
    argsOf(collected, 'InterPodAffinity')['hardPodAffinityWeight'] = hardPodAffinityWeight;
  const asksAllFilters = file.raw('alwaysCheckAllPredicates') === true;
  const extenders = extendersFrom(file, files);
  file.end();
  const filters = filtersOf(collected).map((name) => ({ name, weight: 0 }));
  const scores = Array.from(collected.scores, ([name, weight]) => ({ name, weight }));
  const points = { filter: only(filters), ...(hasPriorities && { score: only(scores) }) };
  const args = new Map(Array.from(collected.args, ([name, each]) => [name, new Fields(each, name)]));
  const profile = { schedulerName: schedulerName || DEFAULT_SCHEDULER, points, args };
  return { ...defaultConfiguration(profile), extenders, asksAllFilters };
}

const only = (enabled: readonly PluginChoice[]) => ({ enabled, disabled: ['*'] });

function filtersOf({ predicates }: Collected): readonly string[] {
  const inOrder = Object.entries(PREDICATES).filter(([name]) => predicates.has(name));
  return [...new Set(inOrder.flatMap(([, plugins]) => plugins))];
}

function checkKind(file: Fields): void {
  const [kind = '', version = ''] = [file.text('kind'), file.text('apiVersion')];
  if (kind !== 'Policy' || version !== 'v1')
    throw new ConfigurationError(`no kind "${kind}" is registered for version "${version}": use Policy of v1`);
}

function argsOf({ args }: Collected, plugin: string): Record<string, unknown> {
  const found = args.get(plugin) ?? {};
  args.set(plugin, found);
  return found;
}

/** Appends arguments of the same name from several predicates or priorities. */
function append(collected: Collected, plugin: string, name: string, values: readonly string[]): void {
  const args = argsOf(collected, plugin);
  setOwn(args, name, [...((getOwn(args, name) as string[] | undefined) ?? []), ...values]);
}

function addPredicate(predicate: Fields, collected: Collected): void {
  const name = predicate.text('name') ?? '';
  const argument = predicate.fields('argument');
  predicate.end();
  if (Object.hasOwn(PREDICATES, name)) collected.predicates.add(name);
  else if (argument) addPredicateWith(argument, collected);
  else throw new ConfigurationError(`${predicate.path}: invalid predicate "${name}"`);
}

function addPredicateWith(argument: Fields, collected: Collected): void {
  const affinity = argument.fields('serviceAffinity');
  const presence = argument.fields('labelsPresence');
  argument.end();
  if (!affinity === !presence)
    throw new ConfigurationError(`${argument.path}: exactly one predicate argument is required`);
  if (affinity) {
    collected.predicates.add('CheckServiceAffinity');
    append(collected, 'ServiceAffinity', 'affinityLabels', affinity.texts('labels'));
  }
  if (presence) {
    collected.predicates.add('CheckNodeLabelPresence');
    const isPresent = presence.raw('presence') === true;
    append(collected, 'NodeLabel', isPresent ? 'presentLabels' : 'absentLabels', presence.texts('labels'));
  }
}

function addPriority(priority: Fields, collected: Collected): void {
  const name = priority.text('name') ?? '';
  const weight = priority.number('weight', 1, LARGEST_WEIGHT);
  const argument = priority.fields('argument');
  priority.end();
  if (weight === undefined)
    throw new ConfigurationError(`${priority.path}: priority "${name}" should have a positive weight applied to it`);
  if (name === EQUAL) return;
  const known = Object.hasOwn(PRIORITIES, name) ? PRIORITIES[name] : undefined;
  if (name === 'SelectorSpreadPriority' || name === 'ServiceSpreadingPriority') collected.spreadsOwners = true;
  const plugin = known ?? (argument && priorityWith(argument, collected));
  if (!plugin) throw new ConfigurationError(`${priority.path}: invalid priority "${name}"`);
  // Several priorities with arguments share a plugin, so their weights add up. Otherwise the last weight applies,
  // except that even spreading precedes owner spreading.
  const before = collected.scores.get(plugin) ?? 0;
  if (!known) collected.scores.set(plugin, before + weight);
  else if (plugin !== SPREAD || name === EVEN || !collected.scores.has(plugin)) collected.scores.set(plugin, weight);
}

/** The plugin of a priority with an argument; the argument is added to the plugin's arguments. */
function priorityWith(argument: Fields, collected: Collected): string {
  const spread = argument.fields('serviceAntiAffinity');
  const label = argument.fields('labelPreference');
  const ratio = argument.fields('requestedToCapacityRatioArguments');
  argument.end();
  if ([spread, label, ratio].filter(Boolean).length !== 1)
    throw new ConfigurationError(`${argument.path}: exactly one priority argument is required`);
  if (spread) {
    append(collected, 'ServiceAffinity', 'antiAffinityLabelsPreference', [spread.text('label') ?? '']);
    return 'ServiceAffinity';
  }
  if (label) {
    const wanted = label.raw('presence') === true ? 'presentLabelsPreference' : 'absentLabelsPreference';
    append(collected, 'NodeLabel', wanted, [label.text('label') ?? '']);
    return 'NodeLabel';
  }
  const args = argsOf(collected, 'RequestedToCapacityRatio');
  args['shape'] = ratio?.raw('shape');
  args['resources'] = ratio?.raw('resources');
  return 'RequestedToCapacityRatio';
}
