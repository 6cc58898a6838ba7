/** Labels and selectors as they are typed. */
import {
  parseLabelSelector,
  SelectorError,
  type LabelSelector,
  type LabelSelectorRequirement,
  type Selector,
} from '../../../schema/index.ts';
import { getOwn, setOwn } from '../../../std/index.ts';
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
  parsed(typed);
}

function parsed(typed: string): Selector {
  try {
    return parseLabelSelector(typed);
  } catch (error) {
    if (!(error instanceof SelectorError)) throw error;
    throw complaint(`couldn't parse the selector string ${JSON.stringify(typed)}: ${error.message}`);
  }
}

/** The operators of texts that specs have, too, by their names there. */
const EXPRESSIONS: Readonly<Record<string, string>> = {
  in: 'In',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

/** The selector as specs have it. Throws CommandError for an operator that they lack. */
export function selectorOfText(typed: string): LabelSelector {
  const matchLabels: Record<string, string> = {};
  const matchExpressions: LabelSelectorRequirement[] = [];
  for (const { key, operator, values } of parsed(typed).requirements) {
    const named = getOwn(EXPRESSIONS, operator);
    if (operator === '=' || operator === '==') setOwn(matchLabels, key, values[0] ?? '');
    else if (named === undefined) throw complaint(`${JSON.stringify(operator)} is not a valid label selector operator`);
    else matchExpressions.push({ key, operator: named, ...(values.length > 0 && { values: [...values] }) });
  }
  return {
    ...(Object.keys(matchLabels).length > 0 && { matchLabels }),
    ...(matchExpressions.length > 0 && { matchExpressions }),
  };
}
