/** Finds out before a filter runs whether all of its names mean something. */
import { UnknownName } from './scope.ts';
import type { Definition, Node, Pattern } from './syntax.ts';

/** Names as a scope has them: `name/2`, `$x`, `*label`. */
type Names = ReadonlySet<string>;

const and = (names: Names, ...more: readonly string[]): Names => new Set([...names, ...more]);

/** Throws UnknownName for the first name that means nothing at its place. */
export function checkNames(node: Node, names: Names): void {
  switch (node.type) {
    case 'call':
      know(names, `${node.name}/${node.args.length}`);
      for (const each of node.args) checkNames(each, names);
      return;
    case 'variable':
      return know(names, `$${node.name}`);
    case 'break':
      return know(names, `*${node.name}`);
    case 'label':
      return checkNames(node.body, and(names, `*${node.name}`));
    case 'define':
      checkDefinition(node.definition, names);
      return checkNames(node.rest, and(names, keyOf(node.definition)));
    case 'bind':
      checkNames(node.source, names);
      return checkNames(node.body, withPattern(node.pattern, names));
    case 'reduce':
    case 'foreach': {
      const inside = withPattern(node.pattern, names);
      for (const each of [node.source, node.start]) checkNames(each, names);
      checkNames(node.update, inside);
      if (node.type === 'foreach' && node.extract) checkNames(node.extract, inside);
      return;
    }
    default:
      for (const each of childrenOf(node)) checkNames(each, names);
  }
}

const keyOf = ({ name, parameters }: Definition): string => `${name}/${parameters.length}`;

function checkDefinition(definition: Definition, names: Names): void {
  // A parameter `$x` is a variable, and a filter of that name.
  const own = definition.parameters.flatMap((each) =>
    each.startsWith('$') ? [each, `${each.slice(1)}/0`] : `${each}/0`,
  );
  checkNames(definition.body, and(names, keyOf(definition), ...own));
}

function withPattern(pattern: Pattern, names: Names): Names {
  if (pattern.type === 'variable') return and(names, `$${pattern.name}`);
  if (pattern.type === 'any') return pattern.patterns.reduce((inside, each) => withPattern(each, inside), names);
  if (pattern.type === 'array') return pattern.items.reduce((inside, item) => withPattern(item, inside), names);
  return pattern.entries.reduce((inside, { key, variable, pattern: below }) => {
    checkNames(key, inside);
    const bound = variable === undefined ? inside : and(inside, `$${variable}`);
    return below ? withPattern(below, bound) : bound;
  }, names);
}

function know(names: Names, name: string): void {
  if (!names.has(name)) throw new UnknownName(name);
}

/** The filters right below one that binds nothing. */
function childrenOf(node: Node): readonly Node[] {
  switch (node.type) {
    case 'text':
      return node.parts.filter((part) => typeof part !== 'string');
    case 'index':
      return [node.of, node.key];
    case 'slice':
      return [node.of, node.from, node.to].filter((each) => each !== undefined);
    case 'iterate':
    case 'negate':
      return [node.of];
    case 'try':
      return [node.body, ...(node.handler ? [node.handler] : [])];
    case 'array':
      return node.body ? [node.body] : [];
    case 'object':
      return node.entries.flat();
    case 'pipe':
    case 'comma':
    case 'operation':
      return [node.left, node.right];
    case 'if':
      return [node.condition, node.then, node.otherwise];
    default:
      return [];
  }
}
