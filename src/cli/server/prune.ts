/** What an apply with `--prune` deletes: objects that were applied before and are no longer in the files. */
import type { Client, DiscoveredResource } from '../../client/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import type { Call } from '../command/command.ts';
import { wasApplied } from './apply.ts';
import { resourceOfKind } from './served.ts';

export type PrunedKind = readonly [apiVersion: string, kind: string];

/** The kinds that are searched, in this order, if none are named. */
const NAMESPACED: readonly PrunedKind[] = [
  ...['ConfigMap', 'Endpoints', 'PersistentVolumeClaim', 'Pod', 'ReplicationController', 'Secret', 'Service'].map(
    (kind) => ['v1', kind] as const,
  ),
  ['batch/v1', 'Job'],
  ['batch/v1beta1', 'CronJob'],
  ['extensions/v1beta1', 'Ingress'],
  ...['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'].map((kind) => ['apps/v1', kind] as const),
];
const OTHERS: readonly PrunedKind[] = [
  ['v1', 'Namespace'],
  ['v1', 'PersistentVolume'],
];

export interface Superfluous {
  readonly resource: DiscoveredResource;
  readonly object: ApiObject;
}

interface Search {
  /** The namespaces of the applied objects. */
  readonly namespaces: Iterable<string>;
  /** Empty for those that are searched by default. */
  readonly kinds: readonly PrunedKind[];
  readonly labelSelector: string;
  /** The uids of the applied objects. */
  readonly kept: ReadonlySet<string>;
}

export async function superfluous(
  call: Call,
  { namespaces, kinds, labelSelector, kept }: Search,
): Promise<readonly Superfluous[]> {
  const found: Superfluous[] = [];
  for (const { namespace, resource } of await placesOf(call, namespaces, kinds)) {
    const objects = await listed(call.client, resource, namespace, labelSelector);
    const gone = objects.filter(({ metadata }) => !kept.has(metadata.uid ?? ''));
    found.push(...gone.filter((object) => wasApplied(object, call.client)).map((object) => ({ resource, object })));
  }
  return found;
}

interface Place {
  readonly namespace: string;
  readonly resource: DiscoveredResource;
}

/** What is searched where: kinds with namespaces in each of them, then the others. Kinds that are not served are left out. */
async function placesOf(
  { session, client }: Call,
  namespaces: Iterable<string>,
  kinds: readonly PrunedKind[],
): Promise<readonly Place[]> {
  const searched = kinds.length > 0 ? kinds : [...NAMESPACED, ...OTHERS];
  const served = await Promise.all(searched.map((kind) => resourceOfKind(session, client, ...kind)));
  const resources = served.filter((each) => each !== undefined);
  return [
    ...[...namespaces].flatMap((namespace) =>
      resources.filter(({ namespaced }) => namespaced).map((resource) => ({ namespace, resource })),
    ),
    ...resources.filter(({ namespaced }) => !namespaced).map((resource) => ({ namespace: '', resource })),
  ];
}

async function listed(
  client: Client,
  resource: DiscoveredResource,
  namespace: string,
  labelSelector: string,
): Promise<readonly ApiObject[]> {
  const { items } = await client.of(resource).list({ namespace, labelSelector });
  return items;
}
