/** Labels and selectors as they are typed. */
import { parseLabelSelector, SelectorError } from '../../../schema/index.ts';
import { complaint } from '../../command/errors.ts';

/** `a=b,c=d`. Throws CommandError. */
export function labelsOfText(typed: string): Readonly<Record<string, string>> {
  const pairs = typed.split(',').map((part) => part.split(/==?/));
  const wrong = pairs.find(({ length }) => length !== 2);
  if (wrong) throw complaint(`unexpected label spec: ${wrong.join('=')}`);
  return Object.fromEntries(pairs.map(([key = '', value = '']) => [key.trim(), value.trim()]));
}

/** Throws CommandError for a text that is no label selector. */
export function checkSelector(typed: string): void {
  try {
    parseLabelSelector(typed);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw complaint(`couldn't parse the selector string ${JSON.stringify(typed)}: ${error.message}`);
  }
}

export function selectorOfText(typed: string): unknown {
  checkSelector(typed);
  return { matchLabels: labelsOfText(typed) };
}
