/** What keeps an object that is being deleted, in a sentence. */
import type { NamespaceHold, Wait } from '../../../explain/index.ts';

export const objects = (count: number): string => (count === 1 ? '1 object' : `${count} objects`);

/** What an object waits for, in a sentence. */
export function heldText(waits: readonly Wait[]): string {
  if (waits.length === 0) return 'Nothing holds it any more.';
  const stuck = alone(waits);
  return stuck.length === 0
    ? 'It goes as soon as the work below is done.'
    : `It stays until somebody removes ${stuck.join(' and ')}: no controller here does.`;
}

const alone = (waits: readonly Wait[]): string[] =>
  waits.filter(({ state }) => state !== 'alive').map(({ finalizer }) => finalizer);

/** What keeps a namespace, in a sentence: what is in it, and what it waits for itself. */
export function stuckText(holds: readonly NamespaceHold[], waits: readonly Wait[] = []): string {
  const own = alone(waits);
  const text = contentText(holds);
  return own.length === 0
    ? text
    : `${text} Then it stays until somebody removes ${own.join(' and ')}: no controller here does.`;
}

function contentText(holds: readonly NamespaceHold[]): string {
  const left = new Map(holds.flatMap((hold) => hold.objects.map((each) => [each.name, each.waits] as const)));
  if (left.size === 0) return 'It goes once everything in it is gone.';
  const stuck = [...left].filter(([, waits]) => waits.some(({ state }) => state !== 'alive'));
  const which = stuck.length === 1 && stuck[0] ? stuck[0][0] : objects(stuck.length);
  const verb = stuck.length === 1 ? 'waits' : 'wait';
  const why =
    stuck.length === 0
      ? 'The cluster removes what is left by itself.'
      : `${which} ${verb} for a finalizer that no controller here removes.`;
  return `It goes once everything in it is gone. ${objects(left.size)} ${left.size === 1 ? 'is' : 'are'} left. ${why}`;
}
