/** Derives the profiles from the configuration: the plugins of each, in order. */
import type { Plugin } from '../framework/plugin.ts';
import { named, registry, type PluginEntry } from '../plugins/index.ts';
import { POINTS, type Configuration, type PointChoice, type ProfileChoice } from './configuration.ts';
import { DEFAULT_PREEMPTION_ARGS, type PreemptionArgs } from '../preemption.ts';
import { ConfigurationError, Fields } from './fields.ts';

/** A profile; pods select it by its name. */
export interface Profile {
  readonly name: string;
  readonly plugins: readonly Plugin[];
  /** Whether all filters check a node that one of them has rejected, so that all reasons are reported. */
  readonly asksAll: boolean;
  /** The arguments of preemption; undefined if it is disabled. */
  readonly preemption: PreemptionArgs | undefined;
}

/** Throws ConfigurationError for unknown plugins and invalid arguments. */
export function profilesOf({ profiles, extenders, asksAllFilters }: Configuration): readonly Profile[] {
  const ignored = extenders.flatMap(({ ignoredResources }) => ignoredResources);
  return profiles.map((choice) => ({ ...profileOf(withIgnored(choice, ignored)), asksAll: asksAllFilters }));
}

/** Excludes resources that extenders manage from the scheduler's own accounting. */
function withIgnored(choice: ProfileChoice, resources: readonly string[]): ProfileChoice {
  if (resources.length === 0) return choice;
  const args = choice.args.get(FIT) ?? new Fields({}, FIT);
  const ignoredResources = [...args.texts('ignoredResources'), ...resources];
  return { ...choice, args: new Map(choice.args).set(FIT, args.with({ ignoredResources })) };
}

const FIT = 'NodeResourcesFit';

function profileOf(choice: ProfileChoice): Omit<Profile, 'asksAll'> {
  checkNames(choice);
  const { schedulerName, points } = choice;
  const filters = chosen('filter', points.filter);
  const scores = chosen('score', points.score);
  const inOrder = [...new Set([...filters.keys(), ...scores.keys()])];
  const isUsed = (name: string): boolean => inOrder.includes(name) || choice.args.has(name);
  const used = registry.filter(({ plugin }) => isUsed(plugin.name));
  const made = new Map(used.map((entry) => [entry.plugin.name, makePlugin(entry, choice)]));
  return {
    name: schedulerName,
    preemption: isOn(points.postFilter, PREEMPTION) ? preemptionFrom(choice.args.get(PREEMPTION)) : undefined,
    plugins: inOrder.flatMap((name) => {
      const plugin = made.get(name);
      return plugin ? [part(plugin, filters.has(name), scores.get(name))] : [];
    }),
  };
}

const PREEMPTION = 'DefaultPreemption';

/** Reads the number of candidates for preemption. */
function preemptionFrom(args: Fields | undefined): PreemptionArgs {
  if (!args) return DEFAULT_PREEMPTION_ARGS;
  const { minCandidateNodesPercentage, minCandidateNodesAbsolute } = DEFAULT_PREEMPTION_ARGS;
  for (const name of ['apiVersion', 'kind']) args.text(name);
  const read = {
    minCandidateNodesPercentage: args.number('minCandidateNodesPercentage', 0, 100) ?? minCandidateNodesPercentage,
    minCandidateNodesAbsolute: args.number('minCandidateNodesAbsolute', 0, 2 ** 31 - 1) ?? minCandidateNodesAbsolute,
  };
  args.end();
  if (read.minCandidateNodesPercentage === 0 && read.minCandidateNodesAbsolute === 0)
    throw new ConfigurationError(
      `${args.path}: cannot have both minCandidateNodesPercentage and minCandidateNodesAbsolute as zero`,
    );
  return read;
}

/** The plugin with its profile's arguments. */
function makePlugin({ plugin, make, needsArgs }: PluginEntry, { args }: ProfileChoice): Plugin {
  const given = args.get(plugin.name) ?? (needsArgs ? new Fields({}, plugin.name) : undefined);
  if (!given) return plugin;
  for (const name of ['apiVersion', 'kind']) given.text(name);
  const made = make?.(given) ?? plugin;
  given.end();
  return made;
}

/** The plugins of an extension point with their weights: the enabled defaults, then those that are added. */
function chosen(point: 'filter' | 'score', choice: PointChoice | undefined): ReadonlyMap<string, number> {
  const able = registry.filter(({ plugin }) => plugin[point] !== undefined);
  const stays = ({ plugin, optional }: PluginEntry): boolean => !optional && !isDisabled(choice, plugin.name);
  const all = new Map(able.filter(stays).map(({ plugin }) => [plugin.name, 0]));
  for (const { name, weight } of choice?.enabled ?? []) {
    if (all.has(name)) throw new ConfigurationError(`plugin "${name}" already registered as "${point}"`);
    if (!able.some(({ plugin }) => plugin.name === name))
      throw new ConfigurationError(`plugin "${name}" does not extend ${point} plugin`);
    all.set(name, weight);
  }
  return all;
}

const isDisabled = (choice: PointChoice | undefined, name: string): boolean =>
  choice !== undefined && (choice.disabled.includes(name) || choice.disabled.includes('*'));

const isOn = (choice: PointChoice | undefined, name: string): boolean =>
  !isDisabled(choice, name) || choice?.enabled.some((plugin) => plugin.name === name) === true;

/** The parts of a plugin that a profile uses: filter, score or both. */
function part(plugin: Plugin, filters: boolean, weight: number | undefined): Plugin {
  const { filter, prepareFilter, concerns, copyState, movePod, facts, score, prepareScore, normalize, ...rest } =
    plugin;
  return {
    ...rest,
    ...(filters && filter && { filter }),
    ...(filters && prepareFilter && { prepareFilter }),
    ...(filters && { ...(concerns && { concerns }), ...(copyState && { copyState }) }),
    ...(filters && { ...(movePod && { movePod }), ...(facts && { facts }) }),
    ...(weight !== undefined && score && { score }),
    ...(weight !== undefined && prepareScore && { prepareScore }),
    ...(weight !== undefined && normalize && { normalize }),
    ...(weight !== undefined && weight > 0 && { weight }),
  };
}

function checkNames({ schedulerName, points, args }: ProfileChoice): void {
  const enabled = POINTS.flatMap((point) => points[point]?.enabled ?? []).map(({ name }) => name);
  for (const name of [...enabled, ...args.keys()])
    if (!registry.some(({ plugin }) => plugin.name === name) && !named.includes(name))
      throw new ConfigurationError(`profile "${schedulerName}": plugin "${name}" does not exist`);
  if (!isOn(points.queueSort, 'PrioritySort'))
    throw new ConfigurationError(`profile "${schedulerName}": no queue sort plugin is enabled`);
  if (!isOn(points.bind, 'DefaultBinder'))
    throw new ConfigurationError(`profile "${schedulerName}": at least one bind plugin is needed`);
}
