/** `. as [$a] ?// $a | body`: the body runs with the first pattern with which nothing fails. */
import type { Node, Pattern } from './syntax.ts';

/** Names that no filter can write. */
const INPUT = ' input';
const VALUE = ' value';

const NULL: Node = { type: 'literal', value: null };
const IDENTITY: Node = { type: 'identity' };

const bind = (source: Node, pattern: Pattern, body: Node): Node => ({ type: 'bind', source, pattern, body });
const variable = (name: string) => ({ type: 'variable', name }) as const;

/** The variables of a pattern. */
export function variablesOf(pattern: Pattern): readonly string[] {
  if (pattern.type === 'variable') return [pattern.name];
  if (pattern.type === 'array') return pattern.items.flatMap(variablesOf);
  if (pattern.type === 'any') return pattern.patterns.flatMap(variablesOf);
  return pattern.entries.flatMap((entry) => [
    ...(entry.variable === undefined ? [] : [entry.variable]),
    ...(entry.pattern ? variablesOf(entry.pattern) : []),
  ]);
}

/** A filter that binds a pattern; alternatives become tries. */
export function binding(source: Node, pattern: Pattern, body: Node): Node {
  if (pattern.type !== 'any') return bind(source, pattern, body);
  const [first, ...rest] = pattern.patterns.map((each) => bind(variable(VALUE), each, body));
  // What is caught is the error: the next try begins with the input again.
  const again = (node: Node): Node => ({ type: 'pipe', left: variable(INPUT), right: node });
  const last = [first, ...rest.map(again)].reduceRight<Node | undefined>(
    (handler, node) => (node && handler ? { type: 'try', body: node, handler } : (node ?? handler)),
    undefined,
  );
  const withNulls = variablesOf(pattern).reduceRight<Node>(
    (inner, name) => bind(NULL, variable(name), inner),
    last ?? IDENTITY,
  );
  return bind(IDENTITY, variable(INPUT), bind(source, variable(VALUE), withNulls));
}
