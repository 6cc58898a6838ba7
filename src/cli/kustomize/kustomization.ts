/** The kustomization file: which fields there are, and of what type. */
import { getOwn, isObject, setOwn } from '../../std/index.ts';

export interface GeneratorArgs {
  readonly name?: string;
  readonly namespace?: string;
  readonly behavior?: string;
  readonly literals?: readonly string[];
  readonly files?: readonly string[];
  readonly env?: string;
  /** Of secrets alone. */
  readonly type?: string;
}

export interface ImageChange {
  readonly name?: string;
  readonly newName?: string;
  readonly newTag?: string;
  readonly digest?: string;
}

export interface JsonPatchArgs {
  readonly target?: {
    readonly group?: string;
    readonly version?: string;
    readonly kind?: string;
    readonly name?: string;
  };
  readonly path?: string;
}

export interface GeneratorOptions {
  readonly labels?: Texts;
  readonly annotations?: Texts;
  readonly disableNameSuffixHash?: boolean;
}

type Texts = Readonly<Record<string, string>>;

export interface Kustomization {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly resources?: readonly string[];
  readonly bases?: readonly string[];
  readonly patchesStrategicMerge?: readonly string[];
  readonly patchesJson6902?: readonly JsonPatchArgs[];
  readonly namePrefix?: string;
  readonly nameSuffix?: string;
  readonly namespace?: string;
  readonly commonLabels?: Texts;
  readonly commonAnnotations?: Texts;
  readonly images?: readonly ImageChange[];
  readonly configMapGenerator?: readonly GeneratorArgs[];
  readonly secretGenerator?: readonly GeneratorArgs[];
  readonly generatorOptions?: GeneratorOptions;
  readonly crds?: readonly string[];
  readonly vars?: readonly unknown[];
  readonly configurations?: readonly string[];
}

/** What a field holds. A type's name is the reference's, which its errors say. */
type Type =
  | {
      readonly name: 'string' | 'bool' | 'patch.StrategicMerge';
      readonly fields?: undefined;
      readonly of?: undefined;
      readonly values?: undefined;
    }
  | { readonly name: string; readonly of: Type }
  | { readonly name: string; readonly values: true }
  | { readonly name: string; readonly short: string; readonly fields: Readonly<Record<string, Type>> }
  | { readonly name: string; readonly anything: true };

const text: Type = { name: 'string' };
const texts: Type = { name: '[]string', of: text };
const map: Type = { name: 'map[string]string', values: true };
const list = (of: Type): Type => ({ name: `[]${of.name}`, of });
const struct = (name: string, fields: Readonly<Record<string, Type>>): Type => ({
  ...{ name, fields, short: name.split('.').at(-1) ?? name },
});

const generator = { name: text, namespace: text, behavior: text, literals: texts, files: texts, env: text };
const patchFiles = list({ name: 'patch.StrategicMerge' });
const whole = struct('types.Kustomization', {
  ...{ apiVersion: text, kind: text, resources: texts, bases: texts, crds: texts, configurations: texts },
  ...{ namePrefix: text, nameSuffix: text, namespace: text, commonLabels: map, commonAnnotations: map },
  patchesStrategicMerge: patchFiles,
  patchesJson6902: list(
    struct('patch.Json6902', {
      target: struct('patch.Target', { group: text, version: text, kind: text, name: text, namespace: text }),
      path: text,
    }),
  ),
  images: list(struct('image.Image', { name: text, newName: text, newTag: text, digest: text })),
  configMapGenerator: list(struct('types.ConfigMapArgs', generator)),
  secretGenerator: list(struct('types.SecretArgs', { ...generator, type: text })),
  generatorOptions: struct('types.GeneratorOptions', {
    ...{ labels: map, annotations: map },
    disableNameSuffixHash: { name: 'bool' },
  }),
  vars: { name: '[]types.Var', of: { name: 'types.Var', anything: true } },
});

/** Names that fields had before. */
const RENAMED: readonly (readonly [before: string, now: string])[] = [
  ['imageTags', 'images'],
  ['patches', 'patchesStrategicMerge'],
];

/** Reads the parsed file. Throws an Error for unknown fields and values of another type. */
export function readKustomization(parsed: unknown, path: string): Kustomization {
  if (parsed === null || parsed === undefined) return {};
  const value = valueOf(isObject(parsed) ? renamed(parsed) : parsed, whole, 'Kustomization', '') as Kustomization;
  const problems = identityProblems(value);
  if (problems.length > 0) throw new Error(`Failed to read kustomization file under ${path}:\n${problems.join('\n')}`);
  return value;
}

function renamed(fields: Record<string, unknown>): Record<string, unknown> {
  const now: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields))
    setOwn(now, RENAMED.find(([before]) => before === name)?.[1] ?? name, value);
  return now;
}

function identityProblems({ apiVersion = '', kind = '' }: Kustomization): readonly string[] {
  return [
    ...(apiVersion === '' || /^kustomize\.config\.[\w.]+\/v1beta1$/.test(apiVersion)
      ? []
      : ['apiVersion should be kustomize.config.k8s.io/v1beta1']),
    ...(kind === '' || kind === 'Kustomization' ? [] : ['kind should be Kustomization']),
  ];
}

/**
 * The value as its type reads it: a field without a value is left out, anything else without one is what the type holds
 * before anything is set. `owner` is the type that holds the value, `path` where it stands in the file.
 */
function valueOf(value: unknown, type: Type, owner: string, path: string): unknown {
  if ('anything' in type) return value;
  if ('of' in type && type.of !== undefined) {
    const { of } = type;
    if (!Array.isArray(value)) throw wrongType(value, type, owner, path);
    return (value as readonly unknown[]).map((item) => valueOf(item ?? zeroOf(of), of, owner, path));
  }
  if ('fields' in type && type.fields !== undefined) {
    if (!isObject(value)) throw wrongType(value, type, owner, path);
    return fieldsOf(value, type, path);
  }
  if ('values' in type && type.values) {
    if (!isObject(value)) throw wrongType(value, type, owner, path);
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, valueOf(each ?? '', text, owner, path)]),
    );
  }
  if (typeof value !== (type.name === 'bool' ? 'boolean' : 'string')) throw wrongType(value, type, owner, path);
  return value;
}

/** What an item of a list is where nothing is said. */
const zeroOf = (type: Type): unknown => ('fields' in type && type.fields !== undefined ? {} : '');

type Struct = Extract<Type, { readonly short: string }>;

function fieldsOf(value: Readonly<Record<string, unknown>>, { fields, short }: Struct, path: string): unknown {
  const read: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(value)) {
    const type = getOwn(fields, name);
    if (!type) throw new Error(`json: unknown field ${JSON.stringify(name)}`);
    if (field === null || field === undefined) continue;
    setOwn(read, name, valueOf(field, type, short, path === '' ? name : `${path}.${name}`));
  }
  return read;
}

function wrongType(value: unknown, { name }: Type, owner: string, path: string): Error {
  const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
  const field = path === '' ? 'value' : `struct field ${owner}.${path}`;
  return new Error(`json: cannot unmarshal ${found} into Go ${field} of type ${name}`);
}
