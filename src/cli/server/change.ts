/** Changes an object that is there. */
import type { Client, DiscoveredResource } from '../../client/index.ts';
import { threeWayPatch, type MergeForm } from '../../merge/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import type { DryRun } from '../command/dryRun.ts';

/** Groups of the server's own have types by which lists merge; those of definitions have none. */
export const mergeFormOf = ({ group, resource }: DiscoveredResource): MergeForm =>
  (!group.includes('.') || /\.(k8s|kubernetes|cluster)\.io$/.test(group)) && resource !== 'endpointslices'
    ? 'strategic'
    : 'merge';

export interface Change {
  readonly resource: DiscoveredResource;
  /** The object before and after the change. */
  readonly object: ApiObject;
  readonly next: ApiObject;
}

export interface Changing {
  readonly dryRun: DryRun;
  readonly fieldManager: string;
}

/** The object as it is then; undefined where there is nothing to change. Throws StatusError. */
export async function changeObject(
  client: Client,
  { resource, object, next }: Change,
  { dryRun, fieldManager }: Changing,
): Promise<ApiObject | undefined> {
  const form = mergeFormOf(resource);
  const patch = threeWayPatch({ ...object }, { ...next }, { ...object }, form);
  if (Object.keys(patch).length === 0) return undefined;
  if (dryRun === 'client') return next;
  return client.of(resource).patch(object, form, patch, { fieldManager, dryRun: dryRun === 'server' });
}
