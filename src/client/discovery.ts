import type { Client } from './client.ts';
import type { ResourceRef } from './resources.ts';

/** A resource from discovery; `group` and `version` are those under which it is served. */
export interface DiscoveredResource extends ResourceRef {
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  readonly singularName: string;
  /** The categories of the resource, such as `all`. */
  readonly categories: readonly string[];
  /** Names of its subresources: `status`, `scale`, `log`. */
  readonly subresources: readonly string[];
}

export interface Discovery {
  /** Every resource in every version. */
  readonly resources: readonly DiscoveredResource[];
  /** Each resource once, in its group's preferred version. */
  readonly preferred: readonly DiscoveredResource[];
  /** Groups and versions whose resource list is unavailable, such as those of an API service that is down. */
  readonly failed: readonly { readonly groupVersion: string; readonly problem: unknown }[];
}

interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly singularName: string;
    readonly namespaced: boolean;
    readonly kind: string;
    readonly group?: string;
    readonly version?: string;
    readonly verbs: readonly string[];
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
  }[];
}

interface GroupList {
  readonly groups: readonly {
    readonly name: string;
    readonly versions: readonly { readonly groupVersion: string; readonly version: string }[];
    readonly preferredVersion: { readonly groupVersion: string };
  }[];
}

/** Runs discovery, without subresources. */
export async function discover(client: Client): Promise<Discovery> {
  const { groups } = (await client.json('/apis')) as GroupList;
  const named = groups.flatMap((group) => group.versions.map((v) => v.groupVersion));
  const failed: { groupVersion: string; problem: unknown }[] = [];
  const lists = await Promise.all(
    ['v1', ...named].map(async (groupVersion) => {
      try {
        return await resourcesOf(client, groupVersion);
      } catch (problem) {
        failed.push({ groupVersion, problem });
        return [];
      }
    }),
  );
  const resources = lists.flat();
  return { resources, preferred: preferredOf(resources, groups), failed };
}

async function resourcesOf(client: Client, groupVersion: string): Promise<DiscoveredResource[]> {
  const path = groupVersion === 'v1' ? '/api/v1' : `/apis/${groupVersion}`;
  const { resources } = (await client.json(path)) as ResourceList;
  const [group, version] = groupVersion.includes('/')
    ? (groupVersion.split('/') as [string, string])
    : ['', groupVersion];
  return resources
    .filter((r) => !r.name.includes('/'))
    .map((r) => ({
      group,
      version,
      resource: r.name,
      kind: r.kind,
      namespaced: r.namespaced,
      verbs: r.verbs,
      shortNames: r.shortNames ?? [],
      singularName: r.singularName,
      categories: r.categories ?? [],
      subresources: resources
        .filter((each) => each.name.startsWith(`${r.name}/`))
        .map((each) => each.name.slice(r.name.length + 1)),
    }));
}

/** For each resource of a group: the preferred version, or the first version that has it. */
function preferredOf(resources: readonly DiscoveredResource[], groups: GroupList['groups']): DiscoveredResource[] {
  const preferred = new Map(groups.map((g) => [g.name, g.preferredVersion.groupVersion]));
  const chosen = new Map<string, DiscoveredResource>();
  for (const resource of resources) {
    const key = `${resource.group}/${resource.resource}`;
    const isPreferred = preferred.get(resource.group) === `${resource.group}/${resource.version}`;
    if (!chosen.has(key) || isPreferred) chosen.set(key, resource);
  }
  return [...chosen.values()];
}
