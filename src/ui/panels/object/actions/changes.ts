/** Changes that one press makes, each one request besides what it reads. */
import type { Client } from '../../../../client/index.ts';
import { faultPatch, type Fault } from '../../../../faults/index.ts';
import { attempt } from '../../../stores/actions.ts';
import { theClient } from '../../../stores/clients.ts';
import { clusterNow } from '../../../stores/clock.ts';
import { at } from '../../../stores/jsonValues.ts';
import { resourceOfKind, useResources, versionOf, type ObjectRef } from '../../../stores/resources.ts';
import { theCluster } from '../../../stores/session.ts';
import { selectorText } from '../../logs/sources.ts';
import { badgeOf } from './badge.ts';
import { previousTemplate } from './revisions.ts';

export const metadataOf = ({ namespace, name }: ObjectRef): { metadata: { name: string; namespace?: string } } => ({
  metadata: { name, ...(namespace ? { namespace } : {}) },
});

const titleOf = ({ resource, name }: ObjectRef): string => `${resource.kind} ${name}`;

/** Changes an object by a merge patch; says how that went. */
export function patchObject(target: ObjectRef, patch: unknown, done: string | undefined): Promise<boolean> {
  return attempt(done, `${titleOf(target)} was not changed.`, () =>
    theClient().of(target.resource).patch(metadataOf(target), 'merge', patch),
  );
}

/** Replaces all pods by and by: the template gets an annotation that says when. */
export function restartRollout(target: ObjectRef): Promise<boolean> {
  const restartedAt = theCluster().names.fill('{ctl}.{label}/restartedAt');
  const now = new Date(clusterNow()).toISOString().replace(/\.\d+Z$/, 'Z');
  const patch = { spec: { template: { metadata: { annotations: { [restartedAt]: now } } } } };
  return patchObject(target, patch, `The pods of ${target.name} are being replaced.`);
}

export function pauseRollout(target: ObjectRef, paused: boolean): Promise<boolean> {
  const done = paused
    ? `Changes of ${target.name} wait until it is resumed.`
    : `The roll-out of ${target.name} goes on.`;
  return patchObject(target, { spec: { paused: paused || null } }, done);
}

/** Gives a deployment the pod template of the revision before. */
export function undoRollout(target: ObjectRef): Promise<boolean> {
  return attempt(`${target.name} goes back to the revision before.`, `${titleOf(target)} was not rolled back.`, () =>
    backToPrevious(theClient(), target),
  );
}

/** As `undoRollout`, with a client; rejects where there is no revision before. */
export async function backToPrevious(client: Client, target: ObjectRef): Promise<void> {
  const sets = resourceOfKind(useResources.getState().resources, versionOf(target.resource), 'ReplicaSet');
  if (!sets) throw new Error('The server serves no replica sets.');
  const object = await client.of(target.resource).get(target.name, target.namespace);
  const labelSelector = selectorText(at(object, 'spec', 'selector'));
  const { items } = await client.of(sets).list({ namespace: target.namespace, labelSelector });
  const template = previousTemplate(object, items, theCluster().names);
  if (!template) throw new Error('There is no revision before this one.');
  const patch = [{ op: 'replace', path: '/spec/template', value: template }];
  await client.of(target.resource).patch(metadataOf(target), 'json', patch);
}

export function cordon(target: ObjectRef, unschedulable: boolean): Promise<boolean> {
  const done = unschedulable ? `No new pods go to ${target.name}.` : `New pods may go to ${target.name} again.`;
  return patchObject(target, { spec: { unschedulable: unschedulable || null } }, done);
}

/** Sets a fault, or mends it where there is no value. */
export function setFault(target: ObjectRef, fault: Fault, value: string | undefined): Promise<boolean> {
  const badge = badgeOf(fault, value ?? '').replace(/: $/, '');
  const done = `${target.name}: “${badge}” is ${value === undefined ? 'mended' : 'in force'}.`;
  return patchObject(target, faultPatch(fault, value), done);
}
