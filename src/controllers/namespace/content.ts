import { getOwn, setOwn } from '../../std/index.ts';
import { pods, type Pod, type Client, type DiscoveredResource, type Discovery } from '../../client/index.ts';
import { StatusError, timeOf, type ApiObject } from '../../schema/index.ts';
import { messageOf } from '../runtime/index.ts';
import type { Emptying, Remaining } from './conditions.ts';

/** Seconds until objects with finalizers are checked again. */
const FINALIZING = 15;

/** Deletes everything in a namespace; returns what remains. */
export async function deleteContent(
  client: Client,
  namespace: string,
  served: Discovery,
  leavingSince: number,
  now: number,
): Promise<Emptying> {
  const remaining: Remaining[] = [];
  const problems: string[] = [];
  let estimate = 0;
  for (const resource of served.preferred.filter((r) => r.namespaced && r.verbs.includes('delete'))) {
    try {
      const left = await deleteAll(client, resource, namespace, leavingSince, now);
      estimate = Math.max(estimate, left.estimate);
      if (left.count > 0) remaining.push({ resource, count: left.count, finalizers: left.finalizers });
    } catch (problem) {
      problems.push(messageOf(problem));
    }
  }
  return { undiscovered: served.failed.map((f) => f.groupVersion), problems, remaining, estimate };
}

interface Left {
  readonly count: number;
  readonly finalizers: Record<string, number>;
  readonly estimate: number;
}

async function deleteAll(
  client: Client,
  resource: DiscoveredResource,
  namespace: string,
  leavingSince: number,
  now: number,
): Promise<Left> {
  const grace = isPods(resource) ? await longestGrace(client, namespace, leavingSince, now) : 0;
  await deleteEach(client, resource, namespace);
  const items = resource.verbs.includes('list') ? (await client.metadataOf(resource).list({ namespace })).items : [];
  const finalizers = countFinalizers(items);
  if (items.length === 0) return { count: 0, finalizers, estimate: grace };
  const estimate = grace > 0 ? grace : FINALIZING;
  if (grace === 0 && Object.keys(finalizers).length === 0) {
    throw new Error(
      `unexpected items still remain in namespace: ${namespace} for gvr: ${resource.group}/${resource.version}, Resource=${resource.resource}`,
    );
  }
  return { count: items.length, finalizers, estimate };
}

async function deleteEach(client: Client, resource: DiscoveredResource, namespace: string): Promise<void> {
  const options = { propagationPolicy: 'Background' } as const;
  if (resource.verbs.includes('deletecollection')) {
    await client.of(resource).deleteCollection({ namespace }, options);
    return;
  }
  const { items } = await client.metadataOf(resource).list({ namespace });
  for (const item of items) {
    try {
      await client.of(resource).delete(item, options);
    } catch (problem) {
      if (!(problem instanceof StatusError && [404, 405].includes(problem.status.code))) throw problem;
    }
  }
}

const isPods = (resource: DiscoveredResource): boolean => resource.group === '' && resource.resource === 'pods';

/** Seconds until the last pod is expected to have ended; 0 after its grace period. */
async function longestGrace(client: Client, namespace: string, leavingSince: number, now: number): Promise<number> {
  const { items } = await client.of(pods).list({ namespace });
  const estimate = longestGraceOf(items);
  return now - leavingSince > estimate * 1000 ? 0 : estimate;
}

/** The longest grace period of pods that have not ended, in seconds. They may be more than a function takes arguments. */
export function longestGraceOf(all: readonly Pod[]): number {
  let longest = 0;
  for (const { spec, status } of all)
    if (status.phase !== 'Succeeded' && status.phase !== 'Failed')
      longest = Math.max(longest, spec.terminationGracePeriodSeconds ?? 0);
  return longest;
}

function countFinalizers(items: readonly ApiObject[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items)
    for (const finalizer of item.metadata.finalizers ?? [])
      setOwn(counts, finalizer, (getOwn(counts, finalizer) ?? 0) + 1);
  return counts;
}

/** When the deletion of an object was requested. */
export function leavingSince(object: ApiObject): number | undefined {
  return timeOf(object.metadata.deletionTimestamp);
}
