/** The scheduler's older configuration file, a Policy: predicates and priorities, which name what plugins do now. */
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

/** The plugins that implement a predicate. */
const PREDICATES: Readonly<Record<string, readonly string[]>> = {
  GeneralPredicates: ['NodeName', 'NodeAffinity', 'NodePorts', 'NodeResourcesFit'],
  PodFitsResources: ['NodeResourcesFit'],
  HostName: ['NodeName'],
  PodFitsHostPorts: ['NodePorts'],
  PodFitsPorts: ['NodePorts'],
  MatchNodeSelector: ['NodeAffinity'],
  PodToleratesNodeTaints: ['TaintToleration'],
  CheckNodeUnschedulable: ['NodeUnschedulable'],
  CheckVolumeBinding: ['VolumeBinding'],
  NoDiskConflict: ['VolumeRestrictions'],
  NoVolumeZoneConflict: ['VolumeZone'],
  MaxCSIVolumeCountPred: ['NodeVolumeLimits'],
  MaxEBSVolumeCount: ['EBSLimits'],
  MaxGCEPDVolumeCount: ['GCEPDLimits'],
  MaxAzureDiskVolumeCount: ['AzureDiskLimits'],
  MaxCinderVolumeCount: ['CinderLimits'],
  MatchInterPodAffinity: ['InterPodAffinity'],
  EvenPodsSpread: ['PodTopologySpread'],
};

/** Predicates that hold whether a policy names them or not. */
const MANDATORY = ['PodToleratesNodeTaints', 'CheckNodeUnschedulable'];

/** The plugin that implements a priority. */
const PRIORITIES: Readonly<Record<string, string>> = {
  LeastRequestedPriority: 'NodeResourcesLeastAllocated',
  MostRequestedPriority: 'NodeResourcesMostAllocated',
  BalancedResourceAllocation: 'NodeResourcesBalancedAllocation',
  SelectorSpreadPriority: 'SelectorSpread',
  ServiceSpreadingPriority: 'SelectorSpread',
  InterPodAffinityPriority: 'InterPodAffinity',
  NodeAffinityPriority: 'NodeAffinity',
  TaintTolerationPriority: 'TaintToleration',
  ImageLocalityPriority: 'ImageLocality',
  NodePreferAvoidPodsPriority: 'NodePreferAvoidPods',
  EvenPodsSpreadPriority: 'PodTopologySpread',
};

const LARGEST_WEIGHT = Math.floor((2 ** 31 - 1) / 100);

/** What a policy's predicates and priorities come to, plugin by plugin. */
interface Collected {
  readonly filters: Set<string>;
  readonly scores: Map<string, number>;
  readonly args: Map<string, Record<string, unknown>>;
}

/** Reads the file of `--policy-config-file`, as YAML or JSON. Throws ConfigurationError. */
export function readPolicy(text: string, schedulerName: string, files: Files = {}): Configuration {
  const file = new Fields(parse(text), '');
  checkKind(file);
  const collected: Collected = { filters: new Set(), scores: new Map(), args: new Map() };
  const [hasPredicates, hasPriorities] = [file.raw('predicates'), file.raw('priorities')].map((v) => v !== undefined);
  for (const predicate of [...MANDATORY.map(named), ...file.list('predicates')]) addPredicate(predicate, collected);
  for (const priority of file.list('priorities')) addPriority(priority, collected);
  const hardPodAffinityWeight = file.number('hardPodAffinitySymmetricWeight', 0, 100);
  if (hardPodAffinityWeight !== undefined)
    argsOf(collected, 'InterPodAffinity')['hardPodAffinityWeight'] = hardPodAffinityWeight;
  file.raw('alwaysCheckAllPredicates');
  const extenders = extendersFrom(file, files);
  file.end();
  const filters = [...collected.filters].map((name) => ({ name, weight: 0 }));
  const scores = Array.from(collected.scores, ([name, weight]) => ({ name, weight }));
  const points = { ...(hasPredicates && { filter: only(filters) }), ...(hasPriorities && { score: only(scores) }) };
  const args = new Map(Array.from(collected.args, ([name, each]) => [name, new Fields(each, name)]));
  return { ...defaultConfiguration({ schedulerName: schedulerName || DEFAULT_SCHEDULER, points, args }), extenders };
}

const only = (enabled: readonly PluginChoice[]) => ({ enabled, disabled: ['*'] });

const named = (name: string): Fields => new Fields({ name }, name);

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

/** Arguments of the same name in several predicates or priorities come together. */
function append(collected: Collected, plugin: string, name: string, values: readonly string[]): void {
  const args = argsOf(collected, plugin);
  setOwn(args, name, [...((getOwn(args, name) as string[] | undefined) ?? []), ...values]);
}

function addPredicate(predicate: Fields, collected: Collected): void {
  const name = predicate.text('name') ?? '';
  const argument = predicate.fields('argument');
  predicate.end();
  if (argument) return addPredicateWith(argument, collected);
  const plugins = Object.hasOwn(PREDICATES, name) ? PREDICATES[name] : undefined;
  if (!plugins) throw new ConfigurationError(`${predicate.path}: invalid predicate "${name}"`);
  for (const plugin of plugins) collected.filters.add(plugin);
}

function addPredicateWith(argument: Fields, collected: Collected): void {
  const affinity = argument.fields('serviceAffinity');
  const presence = argument.fields('labelsPresence');
  argument.end();
  if (!affinity === !presence)
    throw new ConfigurationError(`${argument.path}: exactly one predicate argument is required`);
  if (affinity) {
    collected.filters.add('ServiceAffinity');
    append(collected, 'ServiceAffinity', 'affinityLabels', affinity.texts('labels'));
  }
  if (presence) {
    collected.filters.add('NodeLabel');
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
  const plugin = argument ? priorityWith(argument, collected) : Object.hasOwn(PRIORITIES, name) && PRIORITIES[name];
  if (!plugin) throw new ConfigurationError(`${priority.path}: invalid priority "${name}"`);
  // Several priorities of one plugin share its score, so it counts as often.
  collected.scores.set(plugin, (argument ? (collected.scores.get(plugin) ?? 0) : 0) + weight);
}

/** The plugin that implements a priority with an argument; the argument is added to the plugin's. */
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
