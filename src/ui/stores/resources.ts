/** What the server serves: its resource types, from discovery, kept up to date as definitions come and go. */
import { create } from '../store.ts';
import { apiVersionOf, discover, pathOf, type Client, type DiscoveredResource } from '../../client/index.ts';
import { groupOf } from '../../schema/index.ts';
import { theCluster } from './session.ts';

export type Resource = DiscoveredResource;

interface State {
  /** Each resource type once, at its preferred version. */
  readonly resources: readonly Resource[];
  /** The same at every version that is served. */
  readonly versions: readonly Resource[];
  readonly loaded: boolean;
  readonly problem: string | undefined;
}

export const useResources = create<State>()(() => ({ resources: [], versions: [], loaded: false, problem: undefined }));

/** Asks the server anew. */
export async function loadResources(client: Client): Promise<void> {
  try {
    const { resources: versions, preferred: resources, failed } = await discover(client);
    const problem =
      failed.length > 0 ? `No resource list for ${failed.map((each) => each.groupVersion).join(', ')}.` : undefined;
    useResources.setState({ resources, versions, loaded: true, problem });
  } catch (error) {
    useResources.setState({ loaded: true, problem: error instanceof Error ? error.message : String(error) });
  }
}

/** What the server serves, for those who write objects of kinds that may be new. */
export const servedBy = (client: Client) => ({
  versions: (): readonly Resource[] => useResources.getState().versions,
  reload: (): Promise<void> => loadResources(client),
});

/** The resource of an address: `core` stands for the group without a name. */
export function findResource(resources: readonly Resource[], group: string, resource: string): Resource | undefined {
  const wanted = group === 'core' ? '' : group;
  return resources.find((each) => each.group === wanted && each.resource === resource);
}

/** The resource that holds objects of this kind. */
export function resourceOfKind(resources: readonly Resource[], apiVersion: string, kind: string): Resource | undefined {
  const group = groupOf(apiVersion);
  return resources.find((each) => each.group === group && each.kind === kind);
}

/** The resource that a person means: by plural, singular, short name or kind, `name.group` where one name is not enough. */
export function resourceByWord(resources: readonly Resource[], word: string): Resource | undefined {
  const text = word.toLowerCase();
  const dot = text.indexOf('.');
  const [name, group] = dot < 0 ? [text, undefined] : [text.slice(0, dot), text.slice(dot + 1)];
  const fits = (each: Resource): boolean =>
    [each.resource, each.singularName, each.kind.toLowerCase(), ...each.shortNames].includes(name) &&
    (group === undefined || each.group === group);
  return resources.find(fits);
}

/** What names one object. */
export interface ObjectRef {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

/** Path of a collection, of an object or of its subresource. */
export function pathTo(resource: Resource, namespace = '', name = '', subresource = ''): string {
  return pathOf(resource, theCluster().names, namespace, name, subresource);
}

/** `apps/v1`, as it stands in an object. */
export function versionOf(resource: Resource): string {
  return apiVersionOf(resource, theCluster().names);
}

/** An object within an address: `apps/deployments/default/web`; a dash stands where there is no namespace. */
export function formatRef({ resource, namespace, name }: ObjectRef): string {
  return [resource.group || 'core', resource.resource, namespace || '-', name].join('/');
}

/** Reads what `formatRef` wrote. */
export function parseRef(resources: readonly Resource[], text: string): ObjectRef | undefined {
  const [group = '', plural = '', namespace = '', ...rest] = text.split('/');
  const resource = findResource(resources, group, plural);
  return resource && { resource, namespace: namespace === '-' ? '' : namespace, name: rest.join('/') };
}
