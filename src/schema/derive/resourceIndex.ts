/** The served resources by resource, kind and group; updated when definitions change. */
import { getOwn } from '../../std/index.ts';
import type { Group } from '../define/kind.ts';
import type { GroupVersion, GroupVersionKind, GroupVersionResource, Resource, ServedGroup } from './scheme.ts';

/** Where groups of custom resources stand among the others. */
const CUSTOM_PRIORITY = 1000;

const gvKey = ({ group, version }: GroupVersion): string => `${group}/${version}`;
const gvrKey = (gvr: GroupVersionResource): string => `${gvKey(gvr)}/${gvr.resource}`;
const gvkKey = (gvk: GroupVersionKind): string => `${gvKey(gvk)}/${gvk.kind}`;

export class ResourceIndex {
  readonly #byResource = new Map<string, Resource>();
  readonly #byKind = new Map<string, Resource>();
  readonly #declaredGroups = new Map<string, Group>();
  #generation = 0;
  /** What is derived from the maps, until they change. */
  #view: View | undefined;

  get generation(): number {
    return this.#generation;
  }

  get groups(): readonly ServedGroup[] {
    return this.#current.groups;
  }

  resources(gv: GroupVersion): readonly Resource[] {
    return this.#current.byVersion.get(gvKey(gv)) ?? [];
  }

  all(): readonly Resource[] {
    return this.#current.all;
  }

  byResource(gvr: GroupVersionResource): Resource | undefined {
    return this.#byResource.get(gvrKey(gvr));
  }

  byKind(gvk: GroupVersionKind): Resource | undefined {
    return this.#byKind.get(gvkKey(gvk));
  }

  /** Adds a declared resource under its group. */
  add(resource: Resource, group: Group): void {
    this.#declaredGroups.set(resource.gvr.group, group);
    // What has no verbs is only the body of subresources: known by its kind, but served under no path of its own.
    if (resource.verbs.length === 0) this.#byKind.set(gvkKey(resource.gvk), resource);
    else this.#put(resource);
  }

  addCustom(resources: readonly Resource[]): void {
    for (const [group, name] of new Set(resources.map((r) => [r.gvr.group, r.gvr.resource] as const)))
      this.#drop(group, name);
    resources.forEach((resource) => this.#put(resource));
  }

  removeCustom(group: string, resource: string): void {
    this.#drop(group, resource);
    this.#changed();
  }

  #put(resource: Resource): void {
    this.#byResource.set(gvrKey(resource.gvr), resource);
    this.#byKind.set(gvkKey(resource.gvk), resource);
    this.#changed();
  }

  #drop(group: string, name: string): void {
    for (const [key, resource] of this.#byResource) {
      if (resource.gvr.group !== group || resource.gvr.resource !== name) continue;
      this.#byResource.delete(key);
      this.#byKind.delete(gvkKey(resource.gvk));
    }
  }

  #changed(): void {
    this.#generation++;
    this.#view = undefined;
  }

  get #current(): View {
    this.#view ??= viewOf([...this.#byResource.values()], this.#declaredGroups);
    return this.#view;
  }
}

interface View {
  readonly all: readonly Resource[];
  readonly groups: readonly ServedGroup[];
  readonly byVersion: ReadonlyMap<string, readonly Resource[]>;
}

function viewOf(all: readonly Resource[], declared: ReadonlyMap<string, Group>): View {
  const sorted = [...all].sort((a, b) => (a.gvr.resource < b.gvr.resource ? -1 : 1));
  const byVersion = groupBy(sorted, (resource) => gvKey(resource.gvr));
  const byGroup = groupBy(sorted, (resource) => resource.gvr.group);
  const groups = [...byGroup].map(([name, resources]) => servedGroup(name, resources, declared.get(name)));
  groups.sort((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1));
  return { all: sorted, groups, byVersion };
}

function servedGroup(name: string, resources: readonly Resource[], declared: Group | undefined): ServedGroup {
  const versions = [...new Set(resources.map((resource) => resource.gvr.version))];
  const priority = (version: string): number => getOwn(declared?.versionPriorities, version) ?? 0;
  versions.sort((a, b) => priority(b) - priority(a) || compareVersions(a, b));
  return { name, versions, priority: declared?.priority ?? CUSTOM_PRIORITY };
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

const STAGE = { alpha: 1, beta: 2, '': 3 } as const;

/** Stable before beta before alpha, higher numbers first; other versions come last, in alphabetical order. */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [rank(a), rank(b)];
  for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return (y[i] ?? 0) - (x[i] ?? 0);
  return a < b ? -1 : a > b ? 1 : 0;
}

function rank(version: string): readonly number[] {
  const parts = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/.exec(version);
  if (!parts) return [0, 0, 0];
  return [STAGE[(parts[2] ?? '') as keyof typeof STAGE], Number(parts[1]), Number(parts[3] ?? 0)];
}
