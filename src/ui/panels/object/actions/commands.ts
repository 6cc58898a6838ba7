/** What somebody would type who does the same with the command line. */

import type { DeleteOptions } from '../../../../client/index.ts';
import type { Fault } from '../../../../faults/index.ts';
import type { ObjectRef } from '../../../stores/resources.ts';
import { theCluster } from '../../../stores/session.ts';

/** A word as a shell reads it. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/**
 * An object as commands name it: `pod/web-0`, or `services.serving.example.com/hello`. Kinds of groups with a dot may have the
 * name of another group's, so they are named with it.
 */
export const commandName = ({ resource, name }: ObjectRef): string =>
  resource.group.includes('.')
    ? `${resource.resource}.${resource.group}/${name}`
    : `${resource.kind.toLowerCase()}/${name}`;

/** Where commands about an object go, in the open cluster. */
export const placeOf = ({ namespace }: ObjectRef): CommandPlace => ({ ctl: theCluster().names.ctl, namespace });

export interface CommandPlace {
  /** The name of the command-line client. */
  readonly ctl: string;
  readonly namespace: string;
}

/** A command line: the client, its words, and the namespace where there is one. */
export function commandLine({ ctl, namespace }: CommandPlace, ...words: readonly string[]): string {
  const split = words.indexOf('--');
  const [own, rest] = split < 0 ? [words, []] : [words.slice(0, split), words.slice(split)];
  const where = namespace === '' ? [] : ['-n', namespace];
  return [ctl, ...own, ...where, ...rest].map(shellWord).join(' ');
}

export const scaleCommand = (target: ObjectRef, replicas: number, place = placeOf(target)): string =>
  commandLine(place, 'scale', commandName(target), `--replicas=${replicas}`);

/** Deletes in the same way; what the command does by itself is left out. */
export function deleteCommand(target: ObjectRef, options: DeleteOptions, place = placeOf(target)): string {
  const { propagationPolicy = 'Background', gracePeriodSeconds: grace } = options;
  const how = propagationPolicy === 'Background' ? [] : [`--cascade=${propagationPolicy.toLowerCase()}`];
  // Only force deletes at once.
  const when = grace === undefined ? [] : [`--grace-period=${grace}`, ...(grace === 0 ? ['--force'] : [])];
  return commandLine(place, 'delete', commandName(target), ...how, ...when);
}

/** Adds a taint, such as `key=value:NoSchedule`, or takes away `key:NoSchedule-`. */
export const taintCommand = (node: ObjectRef, taint: string, place = placeOf(node)): string =>
  commandLine(place, 'taint', 'nodes', node.name, taint, ...(taint.endsWith('-') ? [] : ['--overwrite']));

/** Sets a fault, or mends it where there is no value. */
export function faultCommand(
  target: ObjectRef,
  { annotation }: Fault,
  value: string | undefined,
  place = placeOf(target),
): string {
  const change = value === undefined ? [`${annotation}-`] : [`${annotation}=${value}`, '--overwrite'];
  return commandLine(place, 'annotate', commandName(target), ...change);
}

/** Drains a node as the page does: with every pod that doesn't stay by itself. */
export const drainCommand = (node: Pick<ObjectRef, 'name'>, place: CommandPlace): string =>
  commandLine(place, 'drain', node.name, '--ignore-daemonsets', '--delete-emptydir-data', '--force');
