/** What the buttons of a roll-out write. */
import type { ObjectRef } from '../../../stores/resources.ts';
import type { Write } from '../../../stores/writes.ts';
import { metadataOf } from '../../object/actions/changes.ts';
import { commandLine, commandName, placeOf } from '../../object/actions/commands.ts';

const command = (target: ObjectRef, ...words: readonly string[]) => [
  commandLine(placeOf(target), 'rollout', words[0] ?? '', commandName(target), ...words.slice(1)),
];

/** Pauses a roll-out, or goes on with it where it is paused. */
export const pausing = (target: ObjectRef, paused: boolean): Write => ({
  label: paused ? 'Resume roll-out' : 'Pause roll-out',
  failed: `${target.name} was not ${paused ? 'resumed' : 'paused'}.`,
  send: (client) =>
    client.of(target.resource).patch(metadataOf(target), 'merge', { spec: { paused: paused ? null : true } }),
  commands: () => command(target, paused ? 'resume' : 'pause'),
});

/** Gives a Deployment the pod template that it had at a revision. */
export const goingBack = (target: ObjectRef, revision: number, template: unknown): Write => ({
  label: 'Go back',
  done: `${target.name} goes back to revision ${revision}.`,
  failed: `${target.name} was not changed.`,
  send: (client) =>
    client
      .of(target.resource)
      .patch(metadataOf(target), 'json', [{ op: 'replace', path: '/spec/template', value: template }]),
  commands: () => command(target, 'undo', `--to-revision=${revision}`),
});
