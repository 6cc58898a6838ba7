/** All objects of the cluster, kept live for as long as somebody asks what belongs to what. Most are known by their metadata alone. */
import { useEffect, useState } from 'react';
import { Informer, type Client } from '../../client/index.ts';
import { World, type KnownObject, type ScopeOf } from '../../explain/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import { useAdministrator } from './clients.ts';
import { pageClock } from './liveObjects.ts';
import { useResources, versionOf, type Resource } from './resources.ts';
import { theCluster } from './session.ts';

/** Changes that come within so many milliseconds are taken in together. */
const GATHER_MS = 120;

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
  const show = (): void => {
    gathering = undefined;
    const objects = sources.flatMap((source) => [...source.objects.values()]);
    changed(new World(objects, names, scopeOf));
  };
  const soon = (): void => {
    if (waiting === 0) gathering ??= setTimeout(show, GATHER_MS);
  };
  const arrived = (): void => {
    waiting -= 1;
    soon();
  };
  const sources = resources.map((resource) => follow(client, resource, soon, arrived));
  return () => {
    clearTimeout(gathering);
    for (const { stop } of sources) stop();
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

interface Source {
  readonly objects: ReadonlyMap<string, KnownObject>;
  readonly stop: () => void;
}

/** One kind's objects, each typed once, when it arrives. */
function follow(client: Client, resource: Resource, soon: () => void, arrived: () => void): Source {
  const objects = new Map<string, KnownObject>();
  const type = { apiVersion: versionOf(resource), kind: resource.kind };
  const source = WHOLE.has(resource.resource) ? client.of(resource) : client.metadataOf(resource);
  const informer = new Informer({ resource: source, clock: pageClock });
  const set = (object: ApiObject): void => {
    objects.set(object.metadata.uid ?? '', { ...object, ...type });
    soon();
  };
  informer.on({
    added: set,
    changed: set,
    deleted: ({ metadata }) => {
      objects.delete(metadata.uid ?? '');
      soon();
    },
  });
  informer.start();
  void informer.synced.then(arrived);
  return { objects, stop: () => informer.stop() };
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
