/** Takes values apart by patterns: `. as {name: $n, $kind}`. */
import { variablesOf } from './alternatives.ts';
import type { Filter, Scope } from './scope.ts';
import type { Pattern } from './syntax.ts';
import { JqError, lookUp, typeOf } from './values.ts';

/** A place in a filter: what names mean there, and its input. */
export interface Place {
  readonly scope: Scope;
  readonly input: unknown;
  readonly values: (filter: Filter, input: unknown) => Iterable<unknown>;
}

/** The scopes in which the variables of a pattern have the parts of a value. Throws JqError. */
export function* bound(pattern: Pattern, value: unknown, place: Place): Generator<Scope> {
  if (pattern.type === 'variable') return yield { outer: place.scope, name: `$${pattern.name}`, value };
  if (pattern.type === 'any') return yield* boundFirst(pattern.patterns, value, place);
  if (pattern.type === 'object') return yield* boundEntries(pattern.entries, value, place);
  if (value !== null && !Array.isArray(value)) throw new JqError(`Cannot index ${typeOf(value)} with number`);
  yield* boundAll(
    pattern.items.map((item, i) => ({ item, part: lookUp(value, i) })),
    place,
  );
}

/** By the first pattern that fits; the variables of the others are null. */
function* boundFirst(patterns: readonly Pattern[], value: unknown, place: Place): Generator<Scope> {
  const scope = patterns
    .flatMap(variablesOf)
    .reduce<Scope>((outer, name) => ({ outer, name: `$${name}`, value: null }), place.scope);
  for (const [i, pattern] of patterns.entries()) {
    try {
      return yield* [...bound(pattern, value, { ...place, scope })];
    } catch (problem) {
      if (!(problem instanceof JqError) || i === patterns.length - 1) throw problem;
    }
  }
}

function* boundAll(parts: readonly { item: Pattern; part: unknown }[], place: Place): Generator<Scope> {
  const [first, ...rest] = parts;
  if (!first) return yield place.scope;
  for (const scope of bound(first.item, first.part, place)) yield* boundAll(rest, { ...place, scope });
}

function* boundEntries(
  [first, ...rest]: Extract<Pattern, { type: 'object' }>['entries'],
  value: unknown,
  place: Place,
): Generator<Scope> {
  const { scope, input, values } = place;
  if (!first) return yield scope;
  for (const key of values({ node: first.key, scope }, input)) {
    if (typeof key !== 'string') throw new JqError(`Cannot index ${typeOf(value)} with ${typeOf(key)}`);
    const part = lookUp(value, key);
    const own = first.variable === undefined ? scope : { outer: scope, name: `$${first.variable}`, value: part };
    const inners = first.pattern ? bound(first.pattern, part, { ...place, scope: own }) : [own];
    for (const inner of inners) yield* boundEntries(rest, value, { ...place, scope: inner });
  }
}
