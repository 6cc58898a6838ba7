/** Changes that one press makes, each one request besides what it reads. */
import type { Client } from '../../../../client/index.ts';
import { faultPatch, type Fault } from '../../../../faults/index.ts';
import { clusterNow } from '../../../stores/clock.ts';
import { at } from '../../../stores/jsonValues.ts';
import { resourceOfKind, useResources, versionOf, type ObjectRef } from '../../../stores/resources.ts';
import { theCluster } from '../../../stores/session.ts';
import { perform, type Write } from '../../../stores/writes.ts';
import { selectorText } from '../../logs/sources.ts';
import { badgeOf } from './badge.ts';
import { commandLine, commandName, placeOf } from './commands.ts';
import { previousTemplate } from './revisions.ts';

export const metadataOf = ({ namespace, name }: ObjectRef): { metadata: { name: string; namespace?: string } } => ({
  metadata: { name, ...(namespace ? { namespace } : {}) },
});

const titleOf = ({ resource, name }: ObjectRef): string => `${resource.kind} ${name}`;

interface Patching {
  readonly label: string;
  readonly done?: string | undefined;
  readonly commands?: () => readonly string[];
}

/** Changes an object by a merge patch. */
const patching = (target: ObjectRef, patch: unknown, { label, done, commands }: Patching): Write => ({
  ...{ label, done, ...(commands && { commands }) },
  failed: `${titleOf(target)} was not changed.`,
  send: (client) => client.of(target.resource).patch(metadataOf(target), 'merge', patch),
});

/** Changes an object by a merge patch; says how that went. */
export const patchObject = async (target: ObjectRef, patch: unknown, done: string | undefined): Promise<boolean> =>
  (await perform(patching(target, patch, { label: 'Change', done }))) !== undefined;

const rollout = (target: ObjectRef, ...words: readonly [string, ...string[]]) => [
  commandLine(placeOf(target), 'rollout', words[0], commandName(target), ...words.slice(1)),
];

/** Replaces all pods by and by: the template gets an annotation that says when. */
export function restarting(target: ObjectRef): Write {
  const restartedAt = theCluster().names.fill('{ctl}.{label}/restartedAt');
  const now = new Date(clusterNow()).toISOString().replace(/\.\d+Z$/, 'Z');
  const patch = { spec: { template: { metadata: { annotations: { [restartedAt]: now } } } } };
  return patching(target, patch, {
    label: 'Restart the roll-out',
    done: `The pods of ${target.name} are being replaced.`,
    commands: () => rollout(target, 'restart'),
  });
}

/** Pauses a roll-out, or goes on with it where it is paused. */
export const pausing = (target: ObjectRef, paused: boolean): Write =>
  patching(
    target,
    { spec: { paused: paused ? null : true } },
    {
      label: paused ? 'Resume roll-out' : 'Pause roll-out',
      done: paused ? `The roll-out of ${target.name} goes on.` : `Changes of ${target.name} wait until it is resumed.`,
      commands: () => rollout(target, paused ? 'resume' : 'pause'),
    },
  );

/** Gives a Deployment the pod template that it had at a revision. */
export const goingBack = (target: ObjectRef, revision: number, template: unknown): Write => ({
  label: 'Go back',
  done: `${target.name} goes back to revision ${revision}.`,
  failed: `${titleOf(target)} was not changed.`,
  send: (client) => putTemplate(client, target, template),
  commands: () => rollout(target, 'undo', `--to-revision=${revision}`),
});

/** Gives a Deployment the pod template of the revision before. */
export const undoing = (target: ObjectRef): Write => ({
  label: 'Undo the last roll-out',
  done: `${target.name} goes back to its previous revision.`,
  failed: `${titleOf(target)} was not rolled back.`,
  send: (client) => backToPrevious(client, target),
  commands: () => rollout(target, 'undo'),
});

const putTemplate = (client: Client, target: ObjectRef, template: unknown): Promise<unknown> =>
  client
    .of(target.resource)
    .patch(metadataOf(target), 'json', [{ op: 'replace', path: '/spec/template', value: template }]);

/** Rejects where there is no revision before. */
export async function backToPrevious(client: Client, target: ObjectRef): Promise<void> {
  const sets = resourceOfKind(useResources.getState().resources, versionOf(target.resource), 'ReplicaSet');
  if (!sets) throw new Error('The server serves no replica sets.');
  const object = await client.of(target.resource).get(target.name, target.namespace);
  const labelSelector = selectorText(at(object, 'spec', 'selector'));
  const { items } = await client.of(sets).list({ namespace: target.namespace, labelSelector });
  const template = previousTemplate(object, items, theCluster().names);
  if (!template) throw new Error('There is no revision before this one.');
  await putTemplate(client, target, template);
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
