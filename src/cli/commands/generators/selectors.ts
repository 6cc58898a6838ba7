/** Labels and selectors as they are typed. */
import { complaint } from '../../command/errors.ts';

/** `a=b,c=d`. Throws CommandError. */
export function labelsOfText(typed: string): Readonly<Record<string, string>> {
  const pairs = typed.split(',').map((part) => part.split(/==?/));
  if (pairs.some(({ length }) => length !== 2)) throw complaint(`unexpected label format: ${typed}`);
  return Object.fromEntries(pairs.map(([key = '', value = '']) => [key.trim(), value.trim()]));
}

export const selectorOfText = (typed: string): unknown => ({ matchLabels: labelsOfText(typed) });
