/**
 * Builds of folders as `kustomize` and `-k` make them: objects from files, with the changes that a kustomization file asks
 * for. The order of the changes and the errors are those of the reference's client of v1.20, which knows version 2.0 of the format.
 */
import type { Names } from '../../names/index.ts';
import { StatusError } from '../../schema/index.ts';
import { clone, getOwn, goText, isObject, Part, setOwn } from '../../std/index.ts';
import { mergePatch, strategicMerge } from '../../merge/index.ts';
import type { Files } from '../command/session.ts';
import { loadYaml, readYaml } from '../server/yaml.ts';
import { Folder, TooManyFolders } from './folder.ts';
import { configMap, mapIn, secret, withHash, type Generated } from './generators.ts';
import { readKustomization, type GeneratorArgs, type Kustomization } from './kustomization.ts';
import {
  byKind,
  identityText,
  kindText,
  metadataOf,
  nameOf,
  resourceOf,
  sameKind,
  textAt,
  type Fields,
  type Resource,
} from './resource.ts';
import { inNamespace, marked, patched, withAffixes, withImages, withReferences, type JsonPatch } from './transform.ts';
import type { TypeOf } from './types.ts';

/** The types of kinds come when something is patched. */
const typesPart = new Part(() => import('./types.ts'));

/** The objects that a folder makes, in the order in which they can be created. Throws an Error. */
export async function build(files: Files, path: string, names: Names): Promise<readonly Fields[]> {
  await loadYaml();
  const resources = await resourcesOf(await Folder.open(files, path), names);
  for (const resource of resources) if (resource.hashed) await withHash(resource);
  withReferences(resources);
  return [...resources].sort(byKind).map(({ object }) => object);
}

/** The resources of a folder as it wants them, but for hashes and references. */
async function resourcesOf(folder: Folder, names: Names): Promise<readonly Resource[]> {
  const instructions = readKustomization(parse(await folder.instructions()), folder.path);
  refuseUnknown(instructions);
  const problems: string[] = [];
  const read = await gathered(folder, names, instructions, problems);
  if (problems.length > 0) throw severalProblems(problems);
  const resources = merged(read, await generatedOf(folder, instructions, problems));
  const patches = await strategicPatches(folder, instructions, problems);
  if (problems.length > 0) throw severalProblems(problems);
  const { namespace, namePrefix, nameSuffix, images, patchesJson6902 = [] } = instructions;
  const current = await withPatches(resources, patches, names);
  const named = withAffixes(inNamespace(current, namespace), namePrefix, nameSuffix);
  marked(named, instructions);
  const jsonPatches: JsonPatch[] = [];
  for (const each of patchesJson6902) jsonPatches.push(await jsonPatchOf(folder, each));
  const after = patched(named, jsonPatches);
  withImages(after, images);
  return after;
}

/** Fields of the format that nothing here follows: better to say so than to leave something out. */
function refuseUnknown({ vars = [], crds = [], configurations = [] }: Kustomization): void {
  const given = { vars, crds, configurations };
  const field = Object.entries(given).find(([, values]) => values.length > 0)?.[0];
  if (field !== undefined) throw new Error(`${field} are not supported here`);
}

/** As the reference ends its list of problems. */
const severalProblems = (problems: readonly string[]): Error =>
  new Error(`${problems.map((each) => `${each}\n`).join('')}`);

async function gathered(
  folder: Folder,
  names: Names,
  { bases = [], resources = [] }: Kustomization,
  problems: string[],
): Promise<readonly Resource[]> {
  const found: Resource[] = [];
  for (const path of bases)
    await noting(problems, '', async () => {
      const base = await resourcesOfBase(folder, path, names);
      const double = doubleIn([...found, ...base]);
      if (double) throw new Error(`${path}: id '${JSON.stringify(identityText(double))}' already used`);
      found.push(...base);
    });
  await noting(problems, 'rawResources failed to read Resources: ', async () => {
    const read: Resource[] = [];
    for (const path of resources) read.push(...(await resourcesIn(folder, path)));
    const double = doubleIn(read);
    if (double) throw new Error(`id '${JSON.stringify(identityText(double))}' already used`);
    found.push(...read);
  });
  const double = doubleIn(found);
  if (problems.length === 0 && double)
    problems.push(`MergeResourcesWithErrorOnIdCollision: id '${JSON.stringify(identityText(double))}' already used`);
  return found;
}

async function resourcesOfBase(folder: Folder, path: string, names: Names): Promise<readonly Resource[]> {
  const other = await prefixing(`couldn't make loader for ${path}: `, () => folder.other(path));
  await prefixing(`couldn't make target for ${path}: `, () => other.instructions());
  return prefixing('accumulateTarget: ', () => resourcesOf(other, names));
}

/** A resource whose identity another one has before it. */
function doubleIn(resources: readonly Resource[]): Resource | undefined {
  const seen = new Set<string>();
  return resources.find((each) => {
    const id = identityText(each);
    return seen.has(id) || !seen.add(id);
  });
}

const messageOf = (error: unknown): string => {
  if (error instanceof StatusError) return error.status.message ?? '';
  return error instanceof Error ? error.message : String(error);
};

async function prefixing<T>(prefix: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooManyFolders) throw error;
    throw new Error(prefix + messageOf(error));
  }
}

async function noting(problems: string[], prefix: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof TooManyFolders) throw error;
    problems.push(prefix + messageOf(error));
  }
}

async function resourcesIn(folder: Folder, path: string): Promise<readonly Resource[]> {
  const bytes = await prefixing(`Load from path ${path} failed: `, () => folder.read(path));
  return objectsIn(new TextDecoder().decode(bytes), path).map((object) => resourceOf(object));
}

/** The objects of a text; lists are taken apart. */
function objectsIn(text: string, path: string): readonly Fields[] {
  let values: readonly unknown[];
  try {
    values = readYaml(text);
  } catch (error) {
    throw new Error(`YAML file [${path}] encounters a format error.\n${messageOf(error)}\n`);
  }
  return values.flatMap((value) => {
    if (value === null || value === undefined) return [];
    const object = isObject(value) ? value : {};
    if (typeof object['kind'] !== 'string' || object['kind'] === '')
      throw new Error(
        `YAML file [${path}] encounters a format error.\nerror unmarshaling JSON: while decoding JSON: Object 'Kind' is missing in '${JSON.stringify(value)}'\n`,
      );
    const items = object['kind'].endsWith('List') ? object['items'] : undefined;
    const objects = Array.isArray(items) ? (items as readonly unknown[]).filter(isObject) : [object];
    const nameless = objects.find((each) => !hasName(each));
    if (nameless) throw new Error(`missing metadata.name in object {${goText(nameless)}}`);
    return objects;
  });
}

const hasName = ({ metadata }: Fields): boolean => isObject(metadata) && textAt(metadata, 'name') !== '';

/** The first document of a text. */
function parse(text: string): unknown {
  try {
    return readYaml(text)[0];
  } catch (error) {
    throw new Error(`${messageOf(error).replace('error converting YAML to JSON: ', '')}`);
  }
}

const emptyOptions = {};

async function generatedOf(
  folder: Folder,
  { configMapGenerator = [], secretGenerator = [], generatorOptions }: Kustomization,
  problems: string[],
): Promise<readonly Generated[]> {
  const options = generatorOptions ?? emptyOptions;
  const made: Generated[] = [];
  const makeAll = (from: string, list: readonly GeneratorArgs[], make: typeof configMap): Promise<void> =>
    noting(problems, `${from}: ${from}: `, async () => {
      for (const args of list) made.push(await make(folder, args, options));
    });
  await makeAll('NewResMapFromConfigMapArgs', configMapGenerator, configMap);
  await makeAll('NewResMapFromSecretArgs', secretGenerator, secret);
  return made;
}

/** Adds generated objects to those that were read. Throws an Error where a name is taken and no `behavior` says what to do. */
function merged(resources: readonly Resource[], generated: readonly Generated[]): readonly Resource[] {
  const now = [...resources];
  for (const { resource, behavior } of generated) {
    const at = now.findIndex((each) => sameKind(each.kind, resource.kind) && each.name === resource.name);
    const before = now[at];
    const changes = behavior === 'merge' || behavior === 'replace';
    if (!before) {
      if (changes) throw new Error(`id ${goIdentity(resource)} does not exist; cannot merge or replace`);
      now.push(resource);
    } else if (changes) now[at] = onto(before, resource, behavior === 'merge');
    else throw new Error(`id ${goIdentity(resource)} exists; must merge or replace`);
  }
  return now;
}

const goIdentity = ({ kind: { group, version, kind }, name }: Resource): string =>
  `resid.ResId{gvKind:gvk.Gvk{Group:"${group}", Version:"${version}", Kind:"${kind}"}, name:"${name}", prefix:"", suffix:"", namespace:""}`;

/** What was made, with the name, labels and annotations of what was there; its content too where it merges. */
function onto(before: Resource, made: Resource, merges: boolean): Resource {
  const object = clone(made.object);
  const [old, metadata] = [metadataOf(clone(before.object)), metadataOf(object)];
  setOwn(metadata, 'name', getOwn(old, 'name'));
  for (const field of ['labels', 'annotations']) {
    const before = getOwn(old, field);
    if (isObject(before)) setOwn(metadata, field, { ...before, ...mapIn(metadata, field) });
  }
  for (const field of merges ? ['data', 'binaryData'] : []) {
    const content = getOwn(before.object, field);
    if (isObject(content)) setOwn(object, field, { ...content, ...mapIn(object, field) });
  }
  return { ...before, object, hashed: made.hashed };
}

async function strategicPatches(
  folder: Folder,
  { patchesStrategicMerge = [] }: Kustomization,
  problems: string[],
): Promise<readonly Resource[]> {
  const patches: Resource[] = [];
  await noting(problems, 'SliceFromPatches: ', async () => {
    for (const path of patchesStrategicMerge)
      for (const object of objectsIn(new TextDecoder().decode(await folder.read(path)), path))
        patches.push(resourceOf(object));
  });
  return patches;
}

async function withPatches(
  resources: readonly Resource[],
  patches: readonly Resource[],
  names: Names,
): Promise<readonly Resource[]> {
  if (patches.length === 0) return resources;
  const typeOf = (await typesPart.load()).typesOf(names);
  let now = resources;
  for (const patch of patches) {
    const found = now.filter((each) => sameKind(each.kind, patch.kind) && each.name === patch.name);
    const [only] = found;
    const wanted = `${kindText(patch.kind)}|${patch.name}`;
    if (!only) throw new Error(`failed to find an object with ${wanted} to apply the patch`);
    if (found.length > 1) throw new Error(`found multiple objects with ${wanted} targeted by one patch`);
    now = now.map((each) => (each === only ? { ...each, object: withPatch(only, patch.object, typeOf) } : each));
  }
  return now;
}

/** Patches of known kinds merge lists and follow directives; those of others are plain merge patches. */
function withPatch({ kind, object }: Resource, patch: Fields, typeOf: TypeOf): Fields {
  const name = nameOf(object);
  const node = typeOf(kind);
  const after = node ? strategicMerge(object, patch, node) : mergePatch(object, patch);
  const fields = isObject(after) ? clone(after) : {};
  if (Object.keys(fields).length > 0) setOwn(metadataOf(fields), 'name', name);
  return fields;
}

async function jsonPatchOf(folder: Folder, { target, path = '' }: { target?: JsonPatch['target']; path?: string }) {
  if (!target) throw new Error('must specify the target field in patchesJson6902');
  if (path === '') throw new Error('must specify the path for a json patch file');
  const bytes = await folder.read(path).catch((error: unknown) => {
    throw new Error(`${messageOf(error)}`);
  });
  const text = new TextDecoder().decode(bytes);
  const operations: unknown = text.startsWith('[') ? JSON.parse(text) : parse(text);
  if (!Array.isArray(operations))
    throw new Error('json: cannot unmarshal object into Go value of type jsonpatch.Patch');
  return { target, operations };
}
