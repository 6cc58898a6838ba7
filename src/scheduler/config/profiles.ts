/** From the configuration to what a pod is placed by: the plugins of each profile, in order. */
import type { Plugin } from '../framework/plugin.ts';
import { named, registry, type PluginEntry } from '../plugins/index.ts';
import { POINTS, type Configuration, type PointChoice, type ProfileChoice } from './configuration.ts';
import { ConfigurationError } from './fields.ts';

/** A way of scheduling; pods choose it by its name. */
export interface Profile {
  readonly name: string;
  readonly plugins: readonly Plugin[];
  /** Whether pods of lower priority make room. */
  readonly preempts: boolean;
}

/** Throws ConfigurationError for plugins that there are not, or that can't be told what they are. */
export function profilesOf(configuration: Configuration): readonly Profile[] {
  return configuration.profiles.map(profileOf);
}

function profileOf(choice: ProfileChoice): Profile {
  checkNames(choice);
  const { schedulerName, points } = choice;
  const filters = chosen('filter', points.filter);
  const scores = chosen('score', points.score);
  const inOrder = [...new Set([...filters.keys(), ...scores.keys()])];
  const made = new Map(registry.map((entry) => [entry.plugin.name, tell(entry, choice)]));
  return {
    name: schedulerName,
    preempts: isOn(points.postFilter, 'DefaultPreemption'),
    plugins: inOrder.flatMap((name) => {
      const plugin = made.get(name);
      return plugin ? [part(plugin, filters.has(name), scores.get(name))] : [];
    }),
  };
}

/** The plugin as its profile wants it. */
function tell({ plugin, make }: PluginEntry, { args }: ProfileChoice): Plugin {
  const told = args.get(plugin.name);
  if (!told) return plugin;
  for (const name of ['apiVersion', 'kind']) told.text(name);
  const made = make?.(told) ?? plugin;
  told.end();
  return made;
}

/** The plugins of a point with their weights: the default ones that are not disabled, then those that are enabled. */
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

/** What of a plugin a profile uses; one plugin may filter, score or both. */
function part(plugin: Plugin, filters: boolean, weight: number | undefined): Plugin {
  const { filter, prepareFilter, score, prepareScore, normalize, ...rest } = plugin;
  return {
    ...rest,
    ...(filters && filter && { filter }),
    ...(filters && prepareFilter && { prepareFilter }),
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
