/** What a filter finds around itself: its input, the way to it, and what names mean. */
import type { Definition, Node } from './syntax.ts';
import { JqError, jsonOf, lookUp } from './values.ts';

/** A value, with the way to it where the filter asks for ways; `unreachable` says that no way leads to it. */
export interface Item {
  readonly value: unknown;
  readonly path?: readonly unknown[] | 'unreachable' | undefined;
}

/** A filter where it stands: what its names mean is known. */
export interface Filter {
  readonly node: Node;
  readonly scope: Scope;
}

/** What names mean at some place of a filter: the innermost first. */
export interface Scope {
  readonly outer: Scope | undefined;
  /** `$x`, `name/2`, or `*label`. */
  readonly name: string;
  readonly value?: unknown;
  /** A filter that was defined, or handed in. */
  readonly filter?: { readonly definition: Definition; readonly scope: Scope | 'own' };
}

/** Ends what stands in `label`. */
export class Break extends Error {
  readonly label: Scope;

  constructor(label: Scope) {
    super('break');
    this.label = label;
  }
}

/** A function (`name/2`), a variable (`$x`) or a label (`*x`) that is not known. */
export class UnknownName extends Error {
  constructor(name: string) {
    super(`${name.replace(/^\*/, '$*label-')} is not defined`);
  }
}

export const ROOT: Scope = { outer: undefined, name: '' };

export const withDefinition = (definition: Definition, outer: Scope, scope: Scope | 'own'): Scope => ({
  ...{ outer, name: `${definition.name}/${definition.parameters.length}` },
  filter: { definition, scope },
});

export function lookIn(scope: Scope, name: string): Scope | undefined {
  for (let at: Scope | undefined = scope; at; at = at.outer) if (at.name === name) return at;
  return undefined;
}

/** A value that a filter made: nothing leads to it. */
export const made = ({ path }: Item, value: unknown): Item =>
  path === undefined ? { value } : { value, path: value === null ? path : 'unreachable' };

export const reachable = ({ path, value }: Item): readonly unknown[] => {
  if (path === undefined || path === 'unreachable')
    throw new JqError(`Invalid path expression with result ${cut(value)}`);
  return path;
};

const cut = (value: unknown): string => {
  const text = jsonOf(value);
  return text.length > 14 ? `${text.slice(0, 11)}...` : text;
};

/** What a key leads to, and the way there. */
export function found(item: Item, key: unknown): Item {
  if (item.path === undefined) return { value: lookUp(item.value, key) };
  const path = reachable(item);
  return { value: lookUp(item.value, key), path: [...path, key] };
}
