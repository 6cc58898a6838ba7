/** Taints as text, and lists of them. */
import { asText, at } from '../../../stores/jsonValues.ts';

/** `key=value:Effect`, as commands name a taint. */
export function taintText(taint: unknown): string {
  const value = asText(at(taint, 'value'));
  return `${asText(at(taint, 'key'))}${value && `=${value}`}:${asText(at(taint, 'effect'))}`;
}

/** `key:Effect`, as a command names the taint that it removes. */
export const taintName = (taint: unknown): string => `${asText(at(taint, 'key'))}:${asText(at(taint, 'effect'))}`;

/** The list with one more taint: it comes first, and replaces the one of its key and effect. */
export const withTaint = (taints: readonly unknown[], added: unknown): readonly unknown[] => [
  added,
  ...taints.filter((taint) => at(taint, 'key') !== at(added, 'key') || at(taint, 'effect') !== at(added, 'effect')),
];
