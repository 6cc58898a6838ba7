/** What an apply with `--prune` deletes: objects that were applied before and are no longer in the files. */
import type { Client, DiscoveredResource } from '../../client/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import type { Call } from '../command/command.ts';
import { wasApplied } from './apply.ts';
import { resourceOfKind } from './served.ts';

/** The kinds that are searched, in this order, if none are named. */
const NAMESPACED: readonly (readonly [apiVersion: string, kind: string])[] = [
  ...['ConfigMap', 'Endpoints', 'PersistentVolumeClaim', 'Pod', 'ReplicationController', 'Secret', 'Service'].map(
    (kind) => ['v1', kind] as const,
  ),
  ['batch/v1', 'Job'],
  ['batch/v1beta1', 'CronJob'],
  ['extensions/v1beta1', 'Ingress'],
  ...['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'].map((kind) => ['apps/v1', kind] as const),
];
const OTHERS: readonly (readonly [apiVersion: string, kind: string])[] = [
  ['v1', 'Namespace'],
  ['v1', 'PersistentVolume'],
];

export interface Superfluous {
  readonly resource: DiscoveredResource;
  readonly object: ApiObject;
}

/** `kept`: the uids of the applied objects; `namespaces`: their namespaces. */
export async function superfluous(
  call: Call,
  namespaces: Iterable<string>,
  labelSelector: string,
  kept: ReadonlySet<string>,
): Promise<readonly Superfluous[]> {
  const places = [
    ...[...namespaces].flatMap((namespace) => NAMESPACED.map((kind) => ({ namespace, kind }))),
    ...OTHERS.map((kind) => ({ namespace: '', kind })),
  ];
  const found: Superfluous[] = [];
  for (const { namespace, kind } of places) {
    const resource = await resourceOfKind(call.session, call.client, ...kind);
    if (!resource) continue;
    const objects = await listed(call.client, resource, namespace, labelSelector);
    const gone = objects.filter(({ metadata }) => !kept.has(metadata.uid ?? ''));
    found.push(...gone.filter((object) => wasApplied(object, call.client)).map((object) => ({ resource, object })));
  }
  return found;
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
