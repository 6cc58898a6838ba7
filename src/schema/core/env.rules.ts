/** The rules for environment variables of containers, and for references to a pod's own fields. */
import * as field from '../define/fieldErrors.ts';
import type { Path } from '../define/fieldErrors.ts';
import { complaints, each, present, type Errors } from '../meta/checks.ts';
import { quantityOf } from '../values/quantity.ts';
import { checkConfigKey, checkEnvName, checkQualifiedName, checkSubdomain } from '../values/names.ts';
import type { EnvFromSource, EnvVar, EnvVarSource, ObjectFieldSelector, ResourceFieldSelector } from './container.ts';

/** Fields that an environment variable can show. */
export const ENV_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.podIP',
  'status.podIPs',
];
/** Fields that a file in a volume can show. */
export const VOLUME_FIELDS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];
/** Fields that the API knows by a label at all. */
const KNOWN_FIELDS = new Set([
  ...ENV_FIELDS,
  ...VOLUME_FIELDS,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
  'spec.host',
]);

const RESOURCES = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

export function* validateEnv(variables: readonly EnvVar[] | undefined, path: Path): Errors {
  yield* each(variables, path, function* (variable, at) {
    if (variable.name === '') yield field.required(at.child('name'));
    else yield* complaints(at.child('name'), variable.name, checkEnvName(variable.name));
    if (variable.valueFrom) yield* validateValueFrom(variable.valueFrom, variable.value ?? '', at.child('valueFrom'));
  });
}

function* validateValueFrom(source: EnvVarSource, value: string, path: Path): Errors {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = source;
  if (fieldRef) yield* validateFieldRef(fieldRef, ENV_FIELDS, path.child('fieldRef'));
  if (resourceFieldRef) yield* validateResourceFieldRef(resourceFieldRef, path.child('resourceFieldRef'), false);
  if (configMapKeyRef) yield* validateKeyRef(configMapKeyRef, path.child('configMapKeyRef'));
  if (secretKeyRef) yield* validateKeyRef(secretKeyRef, path.child('secretKeyRef'));
  const count = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef].filter(Boolean).length;
  if (count === 0)
    yield field.invalid(
      path,
      '',
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`',
    );
  else if (value !== '') yield field.invalid(path, '', 'may not be specified when `value` is not empty');
  else if (count > 1) yield field.invalid(path, '', 'may not have more than one field specified at a time');
}

/** Splits `metadata.labels['key']` into the path before the brackets and the key; undefined where there are none. */
export function splitSubscript(fieldPath: string): readonly [string, string] | undefined {
  const open = fieldPath.indexOf("['");
  return open > 0 && fieldPath.endsWith("']") && fieldPath.length >= open + 4
    ? [fieldPath.slice(0, open), fieldPath.slice(open + 2, -2)]
    : undefined;
}

export function* validateFieldRef(reference: ObjectFieldSelector, supported: readonly string[], path: Path): Errors {
  const { apiVersion = '', fieldPath } = reference;
  if (apiVersion === '') return yield field.required(path.child('apiVersion'));
  if (fieldPath === '') return yield field.required(path.child('fieldPath'));
  const subscript = splitSubscript(fieldPath);
  const unknown = unknownField(apiVersion, fieldPath, subscript);
  if (unknown !== undefined)
    return yield field.invalid(path.child('fieldPath'), fieldPath, `error converting fieldPath: ${unknown}`);
  if (!subscript) {
    const name = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
    if (!supported.includes(name)) yield field.notSupported(path.child('fieldPath'), name, supported);
    return;
  }
  const [base, key] = subscript;
  yield* complaints(path, key, checkQualifiedName(base === 'metadata.annotations' ? key.toLowerCase() : key));
}

function unknownField(
  apiVersion: string,
  fieldPath: string,
  subscript: readonly [string, string] | undefined,
): string | undefined {
  if (apiVersion !== 'v1') return `unsupported pod version: ${apiVersion}`;
  if (!subscript) return KNOWN_FIELDS.has(fieldPath) ? undefined : `field label not supported: ${fieldPath}`;
  const subscriptable = subscript[0] === 'metadata.annotations' || subscript[0] === 'metadata.labels';
  return subscriptable ? undefined : `field label does not support subscript: ${fieldPath}`;
}

/** `named`: the container has to be named, as it must where the reference is not inside one. */
export function* validateResourceFieldRef(
  { containerName = '', resource, divisor }: ResourceFieldSelector,
  path: Path,
  named: boolean,
): Errors {
  if (named && containerName === '') yield field.required(path.child('containerName'));
  else if (resource === '') yield field.required(path.child('resource'));
  else if (!RESOURCES.includes(resource)) yield field.notSupported(path.child('resource'), resource, RESOURCES);
  yield* validateDivisor(resource, divisor, path.child('divisor'));
}

const CPU_DIVISORS = ['1m', '1'];
const BYTE_DIVISORS = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

function* validateDivisor(resource: string, divisor: string | undefined, path: Path): Errors {
  if (quantityOf(divisor).isZero || !RESOURCES.includes(resource)) return;
  const kind = resource.slice(resource.indexOf('.') + 1);
  const divisors = kind === 'cpu' ? CPU_DIVISORS : BYTE_DIVISORS;
  if (divisors.includes(quantityOf(divisor).toString())) return;
  const name = kind === 'ephemeral-storage' ? 'local ephemeral storage' : kind;
  yield field.invalid(
    path,
    resource,
    `only divisor's values ${divisors.join(', ')} are supported with the ${name} resource`,
  );
}

function* validateKeyRef({ name = '', key }: { readonly name?: string; readonly key: string }, path: Path): Errors {
  yield* complaints(path.child('name'), name, checkSubdomain(name));
  if (key === '') yield field.required(path.child('key'));
  else yield* complaints(path.child('key'), key, checkConfigKey(key));
}

export function* validateEnvFrom(sources: readonly EnvFromSource[] | undefined, path: Path): Errors {
  for (const [i, { prefix = '', configMapRef, secretRef }] of (sources ?? []).entries()) {
    const at = path.index(i);
    if (prefix !== '') yield* complaints(at.child('prefix'), prefix, checkEnvName(prefix));
    if (configMapRef) yield* validateSourceName(configMapRef.name, at.child('configMapRef', 'name'));
    if (secretRef) yield* validateSourceName(secretRef.name, at.child('secretRef', 'name'));
    if (!configMapRef && !secretRef)
      yield field.invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`');
    if (configMapRef && secretRef)
      yield field.invalid(path, '', 'may not have more than one field specified at a time');
  }
}

function* validateSourceName(name: string | undefined, path: Path): Errors {
  yield* present(name, path);
  if (name) yield* complaints(path, name, checkSubdomain(name.endsWith('-') ? `${name.slice(0, -2)}a` : name));
}
