/** Helpers for plugin configurations (parts of the file of `--admission-control-config-file`). */
import { isObject, getOwn } from '../../std/index.ts';
import { PluginConfigError } from './configError.ts';

export { PluginConfigError };

/**
 * A configuration of this kind in one of these versions. Throws PluginConfigError otherwise; undefined without a
 * configuration.
 */
export function configOf(
  config: unknown,
  kind: string,
  apiVersions: readonly string[],
): Record<string, unknown> | undefined {
  if (config === undefined) return undefined;
  const found = section(config);
  if (found['kind'] !== kind || !apiVersions.includes(String(found['apiVersion'])))
    throw new PluginConfigError(
      `expected kind ${kind} of ${apiVersions.join(' or ')}, got kind ${JSON.stringify(found['kind'])} of ${JSON.stringify(found['apiVersion'])}`,
    );
  return found;
}

/** A value that has to be an object. */
export function section(value: unknown, path = 'configuration'): Record<string, unknown> {
  if (!isObject(value)) throw new PluginConfigError(`${path}: expected an object, got ${JSON.stringify(value)}`);
  return value;
}

/** A field with a list of objects; empty if missing. */
export function objectsIn(parent: Readonly<Record<string, unknown>>, name: string): Record<string, unknown>[] {
  const value = getOwn(parent, name) ?? [];
  if (!Array.isArray(value)) throw new PluginConfigError(`${name}: expected a list, got ${JSON.stringify(value)}`);
  return value.map((item, i) => section(item, `${name}[${i}]`));
}

/** An integer field; `fallback` if missing. */
export function integerIn(parent: Readonly<Record<string, unknown>>, name: string, path: string, fallback = 0): number {
  const value = getOwn(parent, name) ?? fallback;
  if (!Number.isInteger(value))
    throw new PluginConfigError(`${path}: expected a whole number, got ${JSON.stringify(value)}`);
  return value as number;
}

/** A field with a list of strings; empty if missing. */
export function textsIn(parent: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const value = getOwn(parent, name) ?? [];
  if (!Array.isArray(value) || value.some((text) => typeof text !== 'string'))
    throw new PluginConfigError(`${name}: expected a list of strings, got ${JSON.stringify(value)}`);
  return value as string[];
}
