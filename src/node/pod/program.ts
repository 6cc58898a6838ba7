import { imageOf } from '../../programs/index.ts';
import type { objects } from '../../schema/index.ts';
import { expand } from './variables.ts';

/** Ephemeral containers are added to a pod that already runs; they run once. */
export type ContainerKind = 'init' | 'main' | 'ephemeral';

/**
 * The command line of a container: its own command and arguments, or its image's. A command overrides the image's
 * arguments.
 */
export function wordsOf(
  { image = '', command = [], args = [] }: objects.Container,
  variables: ReadonlyMap<string, string>,
): string[] {
  const { entrypoint, command: own } = imageOf(image);
  const given = command.length > 0 ? [...command, ...args] : [...entrypoint, ...(args.length > 0 ? args : own)];
  return given.map((word) => expand(word, (name) => variables.get(name)));
}
