/** JSONPath templates of the reference's client: text with `{expressions}`, `{range}` … `{end}`, filters, slices, unions. */
import { complaint } from '../../command/errors.ts';
import { goSyntax } from '../goSyntax.ts';
import { compactJson } from '../json.ts';
import { find, type Finding } from './find.ts';
import { JsonPathError, parse, type Path } from './parse.ts';

export interface Template {
  /** The template's text for a value. Throws CommandError where it can't be applied to the value. */
  print(value: unknown): string;
  /** What the template finds. */
  find(value: unknown): readonly unknown[];
  /** What each part of the template finds. */
  findEach(value: unknown): readonly (readonly unknown[])[];
}

/** Throws CommandError for a text that is no template. `missing`: a field that nothing has is no failure. */
export function parseTemplate(text: string, how: Finding = { missing: true }): Template {
  const paths = parsed(text);
  const results = (value: unknown): readonly (readonly unknown[])[] => {
    try {
      return new Run(paths, how).from(value);
    } catch (error) {
      throw error instanceof JsonPathError ? failed(text, value, error) : error;
    }
  };
  return {
    print: (value) =>
      results(value)
        .map((found) => found.map(printValue).join(' '))
        .join(''),
    find: (value) => results(value).flat(),
    findEach: results,
  };
}

function parsed(text: string): readonly Path[] {
  try {
    return parse(text);
  } catch (error) {
    throw error instanceof JsonPathError ? complaint(`error parsing jsonpath ${text}, ${error.message}`) : error;
  }
}

const failed = (text: string, value: unknown, { message }: Error): Error =>
  complaint(
    `error executing jsonpath ${JSON.stringify(text)}: Error executing template: ${message}. Printing more information for debugging the template:\n` +
      `\ttemplate was:\n\t\t${text}\n\tobject given to jsonpath engine was:\n\t\t${goSyntax(value)}\n\n`,
  );

/** A path as people write it for columns and sorting: `.a.b`, `a.b` and `{.a.b}` are the same. */
export const parseRelaxedPath = (text: string): Template => parseTemplate(relaxedPath(text));

/** What a path as people write it finds. Throws CommandError, with nothing but the problem, where it can't be applied. */
export function findRelaxed(text: string): (value: unknown) => readonly unknown[] {
  const paths = parsed(relaxedPath(text));
  return (value) => {
    try {
      return new Run(paths, { missing: true }).from(value).flat();
    } catch (error) {
      throw error instanceof JsonPathError ? complaint(error.message) : error;
    }
  };
}

/** The template of such a path. Throws CommandError for a text that is none. */
export function relaxedPath(text: string): string {
  if (text === '') return '';
  const match = /^(?:\{\.?([^{}]+)\}|\.?([^{}]+))$/s.exec(text);
  if (match) return `{.${match[1] ?? match[2] ?? ''}}`;
  throw complaint(
    `unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'`,
  );
}

/** Applies a template once. */
class Run {
  readonly #paths: readonly Path[];
  readonly #how: Finding;
  #at = 0;
  #ranges = 0;

  constructor(paths: readonly Path[], how: Finding) {
    this.#paths = paths;
    this.#how = how;
  }

  /** What each part finds, until the end of the template or of the range that it is in. */
  from(value: unknown): readonly (readonly unknown[])[] {
    const found: (readonly unknown[])[] = [];
    for (let path = this.#paths[this.#at]; path; path = this.#paths[this.#at]) {
      this.#at++;
      const [first] = path;
      if (first?.is === 'word' && first.word === 'end' && this.#ranges > 0) break;
      const results = find(path, [value], this.#how);
      if (first?.is === 'word') found.push(...this.#range(results));
      else found.push(results);
    }
    return found;
  }

  /** The parts up to the range's end, for each item; without an item they are passed over. */
  #range(items: readonly unknown[]): readonly (readonly unknown[])[] {
    const begin = this.#at;
    this.#ranges++;
    const found = items.flatMap((item) => {
      this.#at = begin;
      return this.from(item);
    });
    if (items.length === 0) this.from(undefined);
    this.#ranges--;
    return found;
  }
}

function printValue(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === null || value === undefined) return '<nil>';
  return typeof value === 'object' ? compactJson(value) : JSON.stringify(value);
}
