// ESLint rule `own-keys`: a key that somebody typed must not find what every object inherits. `labels['constructor']` is a function,
// and writing `map['__proto__']` changes what the map is. `getOwn` and `setOwn` of std read and write such keys.
import { ESLintUtils } from '@typescript-eslint/utils';
import ts from 'typescript';

/** Whether every key of this type is harmless: known literals, symbols, numbers, and names with a slash, which no object inherits. */
function isSafeKey(type) {
  if (type.isUnionOrIntersection()) return type.types.every(isSafeKey);
  if (type.flags & ts.TypeFlags.TemplateLiteral) return type.texts.some((text) => text.includes('/'));
  return (type.flags & (ts.TypeFlags.StringLiteral | ts.TypeFlags.ESSymbolLike | ts.TypeFlags.NumberLike)) !== 0;
}

/** Whether values of this type are maps from any string. */
function isMap(checker, type) {
  const parts = type.isUnionOrIntersection() ? type.types : [type];
  return parts.some((part) => checker.getIndexInfoOfType(checker.getApparentType(part), ts.IndexKind.String));
}

/** Whether `key` is the variable of a loop over the map's own keys. */
function isOwnKey(scope, key, map, source) {
  if (key.type !== 'Identifier') return false;
  const definition = findVariable(scope, key.name)?.defs[0]?.node;
  const loop = definition?.parent?.parent;
  if (loop?.type === 'ForInStatement') return source.getText(loop.right) === source.getText(map);
  return loop?.type === 'ForOfStatement' && source.getText(loop.right) === `Object.keys(${source.getText(map)})`;
}

function findVariable(scope, name) {
  for (let here = scope; here; here = here.upper) if (here.set.has(name)) return here.set.get(name);
  return undefined;
}

/** Whether a condition around `node` has asked for this key by `Object.hasOwn`. */
function isGuarded(node, source) {
  const question = `Object.hasOwn(${source.getText(node.object)}, ${source.getText(node.property)})`;
  for (let here = node; here.parent; here = here.parent) {
    const condition = here.parent.test ?? here.parent.left;
    if (condition && condition !== here && source.getText(condition).includes(question)) return true;
  }
  return false;
}

function isWritten(node) {
  return node.parent.type === 'AssignmentExpression' && node.parent.left === node;
}

function isDeleted(node) {
  return node.parent.type === 'UnaryExpression' && node.parent.operator === 'delete';
}

export const ownKeys = {
  meta: {
    type: 'problem',
    docs: { description: 'Keys from outside are read and written as own keys of a map.' },
    messages: {
      read: 'A key from outside may find what every object inherits (`constructor`): use getOwn(map, key).',
      write: 'The key `__proto__` changes the map instead of being set: use setOwn(map, key, value).',
      has: '`in` also finds what every object inherits (`constructor`): use Object.hasOwn(map, key).',
    },
    schema: [],
  },
  create(context) {
    const services = ESLintUtils.getParserServices(context);
    const checker = services.program.getTypeChecker();
    const source = context.sourceCode;
    const isSafe = (key) => isSafeKey(services.getTypeAtLocation(key));
    return {
      MemberExpression(node) {
        if (!node.computed || isDeleted(node) || isSafe(node.property)) return;
        if (!isMap(checker, checker.getNonNullableType(services.getTypeAtLocation(node.object)))) return;
        if (isOwnKey(source.getScope(node), node.property, node.object, source) || isGuarded(node, source)) return;
        context.report({ node, messageId: isWritten(node) ? 'write' : 'read' });
      },
      BinaryExpression(node) {
        if (node.operator !== 'in' || node.left.type === 'PrivateIdentifier' || isSafe(node.left)) return;
        context.report({ node, messageId: 'has' });
      },
    };
  },
};
