/** The text form of field selectors: `status.phase!=Running,spec.nodeName=n1`. Backslashes escape `\`, `,` and `=`. */
import { getOwn } from '../../std/index.ts';
import { SelectorError } from './labelSelectorText.ts';

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  readonly matchesEverything: boolean;
  /** `fields` are the object's selectable fields as texts; a missing one counts as empty. */
  matches(fields: Readonly<Record<string, string>>): boolean;
  /** The value that a field must have, where the selector fixes one. */
  exactValue(field: string): string | undefined;
  toString(): string;
}

class Conjunction implements FieldSelector {
  readonly requirements: readonly FieldRequirement[];

  constructor(requirements: readonly FieldRequirement[]) {
    this.requirements = requirements;
  }

  get matchesEverything(): boolean {
    return this.requirements.length === 0;
  }

  matches(fields: Readonly<Record<string, string>>): boolean {
    return this.requirements.every(
      ({ field, operator, value }) => ((getOwn(fields, field) ?? '') === value) === (operator === '='),
    );
  }

  exactValue(field: string): string | undefined {
    return this.requirements.find((one) => one.field === field && one.operator === '=')?.value;
  }

  toString(): string {
    return this.requirements
      .map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`)
      .join(',');
  }
}

/** Puts a backslash before what would otherwise separate. */
export const escapeFieldValue = (value: string): string => value.replace(/[\\,=]/g, '\\$&');

export function fieldSelectorOf(requirements: readonly FieldRequirement[]): FieldSelector {
  return new Conjunction(requirements);
}

/** The selector that a text says; the empty text selects everything, as does a term without field and value. Throws SelectorError. */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = splitTerms(text).filter((term) => term !== '');
  const requirements = terms.sort().map((term) => parseTerm(term, text));
  return fieldSelectorOf(requirements.filter(({ field, value }) => field !== '' || value !== ''));
}

/** Splits at the commas that no backslash escapes. */
function splitTerms(text: string): string[] {
  return text.match(/(?:\\[^]|[^\\,]|\\$)+/g) ?? [];
}

const TERM = /^([^]*?)(!=|==|=)([^]*)$/;

function parseTerm(term: string, whole: string): FieldRequirement {
  const parts = TERM.exec(term);
  if (!parts) throw new SelectorError(`invalid selector: '${whole}'; can't understand '${term}'`);
  const [, field = '', operator, value = ''] = parts;
  return { field, operator: operator === '!=' ? '!=' : '=', value: unescape(value) };
}

function unescape(value: string): string {
  const invalid = /\\(?![\\,=])[^]?/.exec(value.replace(/\\[\\,=]/g, ''));
  if (invalid) throw new SelectorError(`invalid field selector: invalid escape sequence: ${invalid[0]}`);
  const bare = /[,=]/.exec(value.replace(/\\[\\,=]/g, ''));
  if (bare) throw new SelectorError(`invalid field selector: unescaped character in value: ${bare[0]}`);
  return value.replace(/\\([\\,=])/g, '$1');
}
