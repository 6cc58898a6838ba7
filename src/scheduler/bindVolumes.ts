import {
  keyOf,
  persistentVolumeClaims,
  persistentVolumes,
  type Client,
  type Informers,
  type PersistentVolume,
  type PersistentVolumeClaim,
} from '../client/index.ts';
import type { Clock } from '../std/index.ts';
import type { Listers } from './framework/plugin.ts';
import type { Bindings } from './assumedVolumes.ts';
import { isBound } from './plugins/volumes.ts';

const PATIENCE = 600_000;

interface Environment {
  readonly client: Client;
  readonly clock: Clock;
  readonly informers: Informers;
  readonly listers: Listers;
}

/** Binds a pod's delayed claims to their volumes on its node, and waits until they are bound. */
export async function bindVolumes(environment: Environment, bindings: Bindings, node: string): Promise<void> {
  for (const { claim, volume } of bindings)
    await (volume ? reserve(environment, volume, claim) : provision(environment, claim, node));
  const deadline = environment.clock.now() + PATIENCE;
  for (const { claim } of bindings) await untilBound(environment, claim, deadline);
}

/** Sets the volume's claim; the volume controller completes the binding. */
async function reserve({ client }: Environment, volume: PersistentVolume, claim: PersistentVolumeClaim): Promise<void> {
  const { name, namespace, uid, resourceVersion } = claim.metadata;
  const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', name, namespace, uid, resourceVersion };
  const annotations = { [client.names.fill('pv.{label}/bound-by-controller')]: 'yes' };
  const body = { metadata: { annotations, resourceVersion: volume.metadata.resourceVersion }, spec: { claimRef } };
  await client.of(persistentVolumes).patch(volume, 'merge', body);
}

/** Sets the claim's node; the provisioner of its class creates a volume there. */
async function provision({ client }: Environment, claim: PersistentVolumeClaim, node: string): Promise<void> {
  const annotations = { [client.names.fill('volume.{label}/selected-node')]: node };
  await client.of(persistentVolumeClaims).patch(claim, 'merge', { metadata: { annotations } });
}

async function untilBound(
  { informers, listers, clock }: Environment,
  claim: PersistentVolumeClaim,
  deadline: number,
): Promise<void> {
  const cache = informers.of(persistentVolumeClaims);
  const holds = (seen: PersistentVolumeClaim | undefined): boolean => seen === undefined || isBound(seen, listers);
  while (!holds(cache.get(keyOf(claim)))) {
    if (cache.stopped) throw new Error('the scheduler was stopped');
    if (clock.now() >= deadline) throw new Error(`binding volumes: timed out waiting for the condition`);
    await cache.until(keyOf(claim), holds);
  }
  if (!cache.get(keyOf(claim)))
    throw new Error(`persistentvolumeclaim ${JSON.stringify(claim.metadata.name)} not found`);
}
