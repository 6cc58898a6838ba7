/** What a kustomization file does to all resources that its folder has. */
import { jsonPatch } from '../../merge/index.ts';
import { getOwn, isObject, setOwn } from '../../std/index.ts';
import { changeAt, type Place } from './change.ts';
import type { ImageChange, JsonPatchArgs, Kustomization } from './kustomization.ts';
import { annotationPlaces, labelPlaces, references } from './places.ts';
import {
  fits,
  identityText,
  isClusterKind,
  metadataOf,
  nameOf,
  sameKind,
  type Fields,
  type Resource,
} from './resource.ts';

const isDefinition = ({ kind }: Resource): boolean => kind.kind === 'CustomResourceDefinition';

/** Puts everything that can be in a namespace into one. */
export function inNamespace(resources: readonly Resource[], namespace = ''): readonly Resource[] {
  if (namespace === '') return resources;
  const moved = resources.map((resource) => {
    if (isClusterKind(resource.kind)) return resource;
    setOwn(metadataOf(resource.object), 'namespace', namespace);
    return { ...resource, namespace };
  });
  const accounts = new Set(moved.filter(({ kind }) => kind.kind === 'ServiceAccount').map(({ name }) => name));
  for (const { kind, object } of moved)
    if (kind.kind === 'RoleBinding' || kind.kind === 'ClusterRoleBinding') moveSubjects(object, accounts, namespace);
  return moved;
}

/** Those that a binding names go along: accounts of the build, and the one that every namespace has. */
function moveSubjects(binding: Fields, accounts: ReadonlySet<string>, namespace: string): void {
  const subjects = getOwn(binding, 'subjects');
  for (const subject of Array.isArray(subjects) ? (subjects as readonly unknown[]) : []) {
    if (!isObject(subject) || subject['kind'] !== 'ServiceAccount') continue;
    const name = subject['name'];
    if (typeof name === 'string' && (name === 'default' || accounts.has(name))) setOwn(subject, 'namespace', namespace);
  }
}

export function withAffixes(resources: readonly Resource[], prefix = '', suffix = ''): readonly Resource[] {
  if (prefix === '' && suffix === '') return resources;
  return resources.map((resource) => {
    if (isDefinition(resource)) return resource;
    const metadata = metadataOf(resource.object);
    setOwn(metadata, 'name', `${prefix}${nameOf(resource.object)}${suffix}`);
    return {
      ...resource,
      prefixes: [...(prefix === '' ? [] : [prefix]), ...resource.prefixes],
      suffixes: [...resource.suffixes, ...(suffix === '' ? [] : [suffix])],
    };
  });
}

/** Adds labels and annotations wherever the kind has some. */
export function marked(resources: readonly Resource[], { commonLabels, commonAnnotations }: Kustomization): void {
  for (const resource of resources) {
    add(resource, labelPlaces, commonLabels);
    add(resource, annotationPlaces, commonAnnotations);
  }
}

function add(resource: Resource, places: readonly Place[], texts: Readonly<Record<string, string>> = {}): void {
  if (Object.keys(texts).length === 0) return;
  changeAt(resource, places, (value) => {
    if (value !== null && value !== undefined && !isObject(value))
      throw new Error(`${JSON.stringify(value)} is expected to be map[string]interface {}`);
    return { ...(value ?? {}), ...texts };
  });
}

/** A JSON patch with what it is for. */
export interface JsonPatch {
  readonly target: NonNullable<JsonPatchArgs['target']>;
  readonly operations: unknown;
}

/** Throws an Error unless a patch has exactly one target, and where it can't be applied. */
export function patched(resources: readonly Resource[], patches: readonly JsonPatch[]): readonly Resource[] {
  let now = resources;
  for (const { target, operations } of patches) {
    const { group = '', version = '', kind = '', name = '' } = target;
    const wanted = { kind: { group, version, kind }, name };
    const found = now.filter((each) => sameKind(each.kind, wanted.kind) && each.name === name);
    const [only] = found;
    if (!only) throw new Error(`couldn't find target ${identityText(wanted)} for json patch`);
    if (found.length > 1)
      throw new Error(
        `found multiple targets ${found.map(identityText).join(' ')} matching ${identityText(wanted)} for json patch`,
      );
    const object = applyJsonPatch(only.object, operations);
    now = now.map((each) => (each === only ? { ...each, object } : each));
  }
  return now;
}

function applyJsonPatch(object: Fields, operations: unknown): Fields {
  try {
    const after = jsonPatch(object, operations);
    if (isObject(after)) return after;
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}`);
  }
  throw new Error('a json patch has to leave an object');
}

/** Gives containers other images, wherever an object has containers. */
export function withImages(resources: readonly Resource[], images: readonly ImageChange[] = []): void {
  if (images.length > 0) for (const { object } of resources) changeImages(object, images);
}

const CONTAINERS = ['containers', 'initContainers'];

function changeImages(fields: Fields, images: readonly ImageChange[]): void {
  for (const list of CONTAINERS) {
    const containers = getOwn(fields, list);
    for (const container of Array.isArray(containers) ? (containers as readonly unknown[]) : [])
      if (isObject(container)) changeImage(container, images);
  }
  // As the reference does: what stands beside init containers is not searched.
  if (Object.hasOwn(fields, 'initContainers')) return;
  for (const value of Object.values(fields))
    for (const below of Array.isArray(value) ? (value as readonly unknown[]) : [value])
      if (isObject(below)) changeImages(below, images);
}

function changeImage(container: Fields, images: readonly ImageChange[]): void {
  const image = container['image'];
  if (typeof image !== 'string') return;
  const change = images.find(({ name = '' }) => isOf(image, name));
  if (!change) return;
  const at = image.includes(':') ? image.lastIndexOf(':') : image.lastIndexOf('@');
  const [name, tag] = at < 0 ? [image, ''] : [image.slice(0, at), image.slice(at)];
  const { newName, newTag, digest } = change;
  container['image'] = `${newName || name}${digest ? `@${digest}` : newTag ? `:${newTag}` : tag}`;
}

const isOf = (image: string, name: string): boolean =>
  image.startsWith(name) && /^(:[a-zA-Z0-9_.-]*)?$/.test(image.slice(name.length));

/** Lets every reference say the name that its object has by now. */
export function withReferences(resources: readonly Resource[]): void {
  for (const resource of resources)
    for (const { to, at } of references) {
      const named = resources.filter((each) => fits(each.kind, to) && isNear(resource, each));
      const current = (name: unknown): unknown => {
        const found = named.find((each) => each.name === name);
        return found ? nameOf(found.object) : name;
      };
      changeAt(resource, at, (value) => {
        if (!Array.isArray(value)) return current(value);
        // Of several names, those of the first object that fits are changed.
        const list = value as readonly unknown[];
        const first = named.find(({ name }) => list.includes(name));
        return list.map((name) => (first?.name === name ? current(name) : name));
      });
    }
}

/** Whether one resource can mean the other by its name: both come from the same folder, or one is in no namespace. */
function isNear(from: Resource, to: Resource): boolean {
  if (isClusterKind(from.kind) || isClusterKind(to.kind)) return true;
  return (
    from.namespace === to.namespace &&
    from.prefixes[0] === to.prefixes[0] &&
    from.suffixes.at(-1) === to.suffixes.at(-1)
  );
}
