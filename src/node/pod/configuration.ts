import type { ConfigMap, Secret } from '../../client/index.ts';
import type { objects } from '../../schema/index.ts';
import { decodeText, fromBase64, getOwn } from '../../std/index.ts';
import { fieldValue, resourceValue, type Whereabouts } from './references.ts';
import { expand } from './variables.ts';

/** A container can't be created from its pod's spec: CreateContainerConfigError. */
export class ConfigurationProblem extends Error {
  override name = 'ConfigurationProblem';
}

/** The source of config maps and secrets; undefined for missing ones. */
export interface Configurations {
  configMap(name: string): Promise<ConfigMap | undefined>;
  secret(name: string): Promise<Secret | undefined>;
}

/**
 * The variables of a container, in the order in which later ones may refer to earlier ones. Rejects with
 * ConfigurationProblem.
 */
export async function variablesOf(
  container: objects.Container,
  services: ReadonlyMap<string, string>,
  where: Whereabouts,
  sources: Configurations,
): Promise<Map<string, string>> {
  const variables = new Map<string, string>();
  for (const source of container.envFrom ?? []) await addAll(variables, source, sources);
  const known = (name: string): string | undefined => variables.get(name) ?? services.get(name);
  for (const variable of container.env ?? []) {
    const value = variable.valueFrom
      ? await referenced(variable.valueFrom, container, where, sources)
      : expand(variable.value ?? '', known);
    if (value !== undefined) variables.set(variable.name, value);
  }
  for (const [name, value] of services) if (!variables.has(name)) variables.set(name, value);
  return variables;
}

async function addAll(
  variables: Map<string, string>,
  { prefix = '', configMapRef, secretRef }: objects.EnvFromSource,
  sources: Configurations,
): Promise<void> {
  const reference = configMapRef ?? secretRef;
  if (!reference) return;
  const values = configMapRef
    ? (await sources.configMap(reference.name ?? ''))?.data
    : await secretTexts(reference.name ?? '', sources);
  if (!values && !reference.optional)
    throw new ConfigurationProblem(
      `${configMapRef ? 'configmap' : 'secret'} ${JSON.stringify(reference.name)} not found`,
    );
  for (const [key, value] of Object.entries(values ?? {}))
    if (/^[-._a-zA-Z][-._a-zA-Z0-9]*$/.test(prefix + key)) variables.set(prefix + key, value);
}

async function secretTexts(name: string, sources: Configurations): Promise<Record<string, string> | undefined> {
  const secret = await sources.secret(name);
  return (
    secret &&
    Object.fromEntries(
      Object.entries(secret.data ?? {}).map(([key, value]) => [
        key,
        decodeText(fromBase64(value) ?? new Uint8Array(0)),
      ]),
    )
  );
}

async function referenced(
  source: objects.EnvVarSource,
  container: objects.Container,
  where: Whereabouts,
  sources: Configurations,
): Promise<string | undefined> {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = source;
  if (fieldRef) return fieldValue(fieldRef.fieldPath, where) ?? '';
  if (resourceFieldRef)
    return resourceValue(
      resourceFieldRef,
      [...(where.pod.spec.containers ?? []), ...(where.pod.spec.initContainers ?? [])],
      where,
      container.name,
    );
  const reference = configMapKeyRef ?? secretKeyRef;
  if (!reference) return undefined;
  const name = reference.name ?? '';
  const values = configMapKeyRef ? (await sources.configMap(name))?.data : await secretTexts(name, sources);
  const value = values && getOwn(values, reference.key);
  if (value !== undefined || reference.optional) return value;
  if (!values)
    throw new ConfigurationProblem(`${configMapKeyRef ? 'configmap' : 'secret'} ${JSON.stringify(name)} not found`);
  const kind = configMapKeyRef ? 'ConfigMap' : 'Secret';
  throw new ConfigurationProblem(
    `couldn't find key ${reference.key} in ${kind} ${where.pod.metadata.namespace}/${name}`,
  );
}

/** The path below a volume that is mounted; empty for the whole volume. Throws ConfigurationProblem. */
export function subPathOf(
  { subPath = '', subPathExpr = '' }: objects.VolumeMount,
  variables: ReadonlyMap<string, string>,
): string {
  let problem: string | undefined;
  const expanded = expand(subPathExpr, (name) => {
    const value = variables.get(name) ?? '';
    if (value === '') problem = `missing value for ${JSON.stringify(name)}`;
    return value;
  });
  if (problem !== undefined) throw new ConfigurationProblem(problem);
  const path = subPathExpr === '' ? subPath : expanded;
  if (path.startsWith('/')) throw new ConfigurationProblem(`error SubPath \`${path}\` must not be an absolute path`);
  if (path.split('/').includes('..'))
    throw new ConfigurationProblem(`unable to provision SubPath \`${path}\`: must not contain '..'`);
  return path;
}
