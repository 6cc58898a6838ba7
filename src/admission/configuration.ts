/** The file that `--admission-control-config-file` names: which plugin is configured how. */
import type { Names } from '../names/index.ts';
import { isObject, yaml, getOwn } from '../std/index.ts';
import { objectsIn, PluginConfigError } from './plugins/config.ts';

type Files = Readonly<Record<string, string>>;

/** The configuration of each plugin that has one, from the file itself or from a file that it names. */
export type AdmissionConfiguration = ReadonlyMap<string, unknown>;

/** `{domain}` groups and versions in which the file may be written. */
const VERSIONS = ['apiserver.config.{domain}/v1', 'apiserver.{domain}/v1alpha1', 'apiserver.{domain}/v1beta1'];

/** Plugins that are older than the format: a file without a kind is theirs as a whole. */
const UNTYPED = ['ImagePolicyWebhook', 'PodNodeSelector'];

/** Reads the file at `path`; paths in it stand beside it. Throws PluginConfigError, which names the file at fault. */
export function readConfiguration(path: string, files: Files, names: Names): AdmissionConfiguration {
  const config = yamlIn(path, files);
  if (!isObject(config))
    throw new PluginConfigError(`${path}: expected an AdmissionConfiguration, got ${shown(config)}`);
  const { kind, apiVersion } = config;
  if (kind === undefined && apiVersion === undefined) return new Map(UNTYPED.map((name) => [name, config]));
  const versions = VERSIONS.map(names.fill);
  if (kind !== 'AdmissionConfiguration' || !versions.includes(String(apiVersion)))
    throw new PluginConfigError(
      `${path}: expected an AdmissionConfiguration of ${versions.join(', ')}, got kind ${shown(kind)} of ${shown(apiVersion)}`,
    );
  const found = new Map<string, unknown>();
  for (const entry of within(path, () => objectsIn(config, 'plugins'))) {
    const { name } = entry;
    if (typeof name !== 'string' || name === '')
      throw new PluginConfigError(`${path}: a plugin's name: expected a string, got ${shown(name)}`);
    // The first entry of a name counts.
    if (!found.has(name)) found.set(name, configurationOf(entry, path, files));
  }
  return found;
}

/** An entry's own configuration takes precedence over the file that it names. */
function configurationOf(entry: Readonly<Record<string, unknown>>, base: string, files: Files): unknown {
  const { configuration, path } = entry;
  if (configuration !== undefined && configuration !== null) return configuration;
  if (path === undefined || path === '') return undefined;
  if (typeof path !== 'string') throw new PluginConfigError(`${base}: path: expected a string, got ${shown(path)}`);
  return yamlIn(beside(base, path, files), files);
}

/** A path as it is written in a file: beside that file, unless it is one of its own. */
function beside(base: string, path: string, files: Files): string {
  const folder = base.includes('/') ? base.slice(0, base.lastIndexOf('/') + 1) : '';
  const relative = folder + path.replace(/^(\.\/)+/, '');
  return path.startsWith('/') || getOwn(files, relative) === undefined ? path : relative;
}

function yamlIn(path: string, files: Files): unknown {
  const text = getOwn(files, path);
  if (text === undefined) throw new PluginConfigError(`there is no file ${JSON.stringify(path)}`);
  return within(path, () => yaml().parse(text) as unknown);
}

/** Names the file in what is thrown. */
function within<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (problem) {
    throw new PluginConfigError(`${path}: ${problem instanceof Error ? problem.message : String(problem)}`);
  }
}

const shown = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
