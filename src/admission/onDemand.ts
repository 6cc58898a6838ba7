/** Plugins whose code is fetched with the first request that they apply to. */
import type { PartOf } from '../std/index.ts';
import type { AdmissionAttributes, AdmissionPlugin, Operation, Phase, PluginDeclaration, PluginDeps } from './types.ts';

/** An entry of the list of plugins: one that is here, or one that a part of the program brings. */
export type PluginEntry = PluginDeclaration | PluginPart;

/** What is known of a plugin without its code: as the plugin itself says it. */
export interface PluginPart {
  readonly name: string;
  readonly on: boolean;
  readonly part: PartOf<PluginDeclaration>;
  /** What it handles, and in which phases. */
  readonly operations?: readonly Operation[];
  readonly phases?: readonly Phase[];
  /** Whether it may have something to say of a request. Until then it is not fetched; one without this is fetched at the start. */
  readonly until?: (attributes: AdmissionAttributes, deps: PluginDeps) => boolean;
}

/** Whether a plugin is to be made at once: its code is here, it applies to every request, or it has a configuration to read. */
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

/** Requests for one of these resources, in whatever group. */
export const about =
  (...resources: readonly string[]): NonNullable<PluginPart['until']> =>
  ({ resource }) =>
    resources.includes(resource.resource);

/** Any request, once there is a configuration of webhooks. */
export const anyOf =
  (configurations: string): NonNullable<PluginPart['until']> =>
  (_, { list, names }) =>
    list({ group: names.fill('admissionregistration.{domain}'), resource: configurations }, '').length > 0;
