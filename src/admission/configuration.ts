/** The file of `--admission-control-config-file`: the configuration of each plugin. */
import type { Names } from '../names/index.ts';
import { isObject, yaml, getOwn } from '../std/index.ts';
import { objectsIn, PluginConfigError } from './plugins/config.ts';

type Files = Readonly<Record<string, string>>;

/** Plugin configurations, inline or from a file that the configuration names. */
export type AdmissionConfiguration = ReadonlyMap<string, unknown>;

/** The accepted groups and versions of the file, with `{domain}`. */
const VERSIONS = ['apiserver.config.{domain}/v1', 'apiserver.{domain}/v1alpha1', 'apiserver.{domain}/v1beta1'];

/** Plugins older than the format: for them a file without a kind is the whole configuration. */
const UNTYPED = ['ImagePolicyWebhook', 'PodNodeSelector'];

/** Reads the file at `path`; paths in it are relative to it. Throws PluginConfigError, which names the invalid file. */
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
    // The first entry for a plugin applies.
    if (!found.has(name)) found.set(name, configurationOf(entry, path, files));
  }
  return found;
}

/** An entry's inline configuration precedes the file that it names. */
function configurationOf(entry: Readonly<Record<string, unknown>>, base: string, files: Files): unknown {
  const { configuration, path } = entry;
  if (configuration !== undefined && configuration !== null) return configuration;
  if (path === undefined || path === '') return undefined;
  if (typeof path !== 'string') throw new PluginConfigError(`${base}: path: expected a string, got ${shown(path)}`);
  return yamlIn(beside(base, path, files), files);
}

/** A path in a file: relative to it, unless it is absolute. */
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

/** Adds the file's name to errors. */
function within<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (problem) {
    throw new PluginConfigError(`${path}: ${problem instanceof Error ? problem.message : String(problem)}`);
  }
}

const shown = (value: unknown): string => JSON.stringify(value) ?? 'nothing';
