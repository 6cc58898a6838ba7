/** Plugins that are loaded with the first request that they apply to. */
import type { PartOf } from '../std/index.ts';
import type { AdmissionAttributes, AdmissionPlugin, Operation, Phase, PluginDeclaration, PluginDeps } from './types.ts';

/** An entry of the plugin list: a loaded plugin, or one in a part. */
export type PluginEntry = PluginDeclaration | PluginPart;

/** The facts about a plugin that are needed before it is loaded, equal to those in the plugin. */
export interface PluginPart {
  readonly name: string;
  readonly on: boolean;
  readonly part: PartOf<PluginDeclaration>;
  /** The operations and phases that it handles. */
  readonly operations?: readonly Operation[];
  readonly phases?: readonly Phase[];
  /** Whether it may apply to a request; then it is loaded. A plugin without this is loaded at the start. */
  readonly until?: (attributes: AdmissionAttributes, deps: PluginDeps) => boolean;
  /** It changes objects only after having waited, for the answers of others. */
  readonly waits?: boolean;
}

/**
 * Whether a plugin is created at the start: it is loaded, applies to every request, or has a configuration to validate.
 */
export function isNeededAtStart({ part, until }: PluginPart, { config }: PluginDeps): boolean {
  return part.part.loaded || until === undefined || config !== undefined;
}

/** A placeholder that loads the plugin with the first request that it applies to. That request waits for it. */
export function loadedOnDemand(entry: PluginPart, deps: PluginDeps): AdmissionPlugin {
  const { name, part, operations = [], phases = [], until } = entry;
  let plugin: AdmissionPlugin | undefined;
  const loadedPlugin = (): AdmissionPlugin => (plugin ??= part.get().create(deps));
  type Step = (plugin: AdmissionPlugin) => Promise<void> | void;
  const once = (attributes: AdmissionAttributes, step: Step): Promise<void> | void => {
    if (plugin) return step(plugin);
    if (!until?.(attributes, deps)) return undefined;
    return part.part.loaded ? step(loadedPlugin()) : part.part.load().then(() => step(loadedPlugin()));
  };
  return {
    name,
    handles: (operation) => operations.includes(operation),
    ...(phases.includes('mutating') && {
      admit: (attributes, context) => once(attributes, (it) => it.admit?.(attributes, context)),
    }),
    ...(phases.includes('validating') && {
      validate: (attributes) => once(attributes, (it) => it.validate?.(attributes)),
    }),
  };
}

/**
 * Whether a plugin may change an object at once. Those with a condition change only objects to which it applies, and
 * never by a subresource.
 */
export const changesAtOnce =
  ({ until, waits }: PluginPart, deps: PluginDeps) =>
  (attributes: AdmissionAttributes): boolean =>
    waits !== true && (!until || (attributes.subresource === '' && until(attributes, deps)));

/** Matches requests for one of these resources in any group. */
export const about =
  (...resources: readonly string[]): NonNullable<PluginPart['until']> =>
  ({ resource }) =>
    resources.includes(resource.resource);

/** Matches any request once there is a webhook configuration. */
export const anyOf =
  (configurations: string): NonNullable<PluginPart['until']> =>
  (_, { list, names }) =>
    list({ group: names.fill('admissionregistration.{domain}'), resource: configurations }, '').length > 0;
