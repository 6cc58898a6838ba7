/** All objects of the cluster, kept live for as long as somebody asks what belongs to what. Most are known by their metadata alone. */
import { useEffect, useState } from 'preact/compat';
import { Informer, type Client } from '../../client/index.ts';
import { World, type ScopeOf } from '../../explain/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import { useAdministrator } from './clients.ts';
import { pageClock } from './liveObjects.ts';
import { useResources, versionOf, type Resource } from './resources.ts';
import { theCluster } from './session.ts';
import { untilBeat } from './beat.ts';

/** Changes that come within so many milliseconds are taken in together. */

/** Kinds whose spec says what belongs to what. */
const WHOLE = new Set([
  'pods',
  'services',
  'networkpolicies',
  'poddisruptionbudgets',
  'horizontalpodautoscalers',
  'namespaces',
  'persistentvolumes',
  'persistentvolumeclaims',
  'customresourcedefinitions',
  'deployments',
  'replicasets',
  'statefulsets',
  'daemonsets',
  'jobs',
  'cronjobs',
]);

/** Objects that come and go all the time and belong to nothing. */
const LEFT_OUT = new Set(['events']);

const isFollowed = ({ resource, verbs }: Resource): boolean =>
  !LEFT_OUT.has(resource) && verbs.includes('list') && verbs.includes('watch');

/** Once every list has arrived, `changed` gets a world, and another when what changed together has been taken in. */
function feed(client: Client, all: readonly Resource[], changed: (world: World) => void): () => void {
  const { names } = theCluster();
  const scopeOf = scopesOf(all);
  const resources = all.filter(isFollowed);
  let gathering: ReturnType<typeof setTimeout> | undefined;
  let waiting = resources.length;
  let world = new World([], names, scopeOf);
  const show = (): void => {
    gathering = undefined;
    world = world.next();
    changed(world);
  };
  const soon = (): void => {
    if (waiting === 0) gathering ??= setTimeout(show, untilBeat(2));
  };
  const arrived = (): void => {
    waiting -= 1;
    soon();
  };
  const ends = resources.map((resource) => follow(client, resource, world, soon, arrived));
  return () => {
    clearTimeout(gathering);
    for (const end of ends) end();
  };
}

function scopesOf(resources: readonly Resource[]): ScopeOf {
  const scopes = new Map(
    resources.map(
      ({ group, kind, namespaced }) => [`${group}/${kind}`, namespaced ? 'Namespaced' : 'Cluster'] as const,
    ),
  );
  return (group, kind) => scopes.get(`${group}/${kind}`);
}

/** Keeps one kind's objects in the world, each typed once, when it arrives; returns what ends that. */
function follow(client: Client, resource: Resource, world: World, soon: () => void, arrived: () => void): () => void {
  const type = { apiVersion: versionOf(resource), kind: resource.kind };
  const source = WHOLE.has(resource.resource) ? client.of(resource) : client.metadataOf(resource);
  const informer = new Informer({ resource: source, clock: pageClock });
  const set = (object: ApiObject): void => {
    world.set({ ...object, ...type });
    soon();
  };
  informer.on({
    added: set,
    changed: set,
    deleted: ({ metadata }) => {
      world.remove(metadata.uid ?? '');
      soon();
    },
  });
  informer.start();
  void informer.synced.then(arrived);
  return () => informer.stop();
}

/** The world as the administrator sees it; undefined until every list has arrived. */
export function useWorld(): World | undefined {
  const client = useAdministrator();
  const resources = useResources((state) => state.resources);
  const [world, setWorld] = useState<World>();
  useEffect(() => {
    return resources.length === 0 ? undefined : feed(client, resources, setWorld);
  }, [client, resources]);
  return world;
}
