/**
 * Numbers in a JSON text that JavaScript would change. `30.0` parses as 30, but the reference accepts no fraction or
 * exponent in an integer field; and beyond 2^53 not every integer is exact.
 */
import { DecodeError, type Node } from '../../schema/index.ts';
import { isObject, getOwn, shapeOfJson } from '../../std/index.ts';
import { tokens } from '../../merge/index.ts';
import { NumberText, parseWithNumberTexts } from './json.ts';

/** Whether `checkNumbers` might find anything in a JSON text. */
export const mayHaveSpecialNumbers = (text: string): boolean => shapeOfJson(text).special;

const OPEN: Node = { type: 'open' };
const INTEGERS = new Set<string>(['int32', 'int64', 'intOrString']);
const [INT64_MIN, INT64_MAX] = [-(2n ** 63n), 2n ** 63n - 1n];

/**
 * Throws DecodeError for numbers in integer fields of `node` that have a fraction or an exponent or exceed 64 bits.
 * Adds a warning for every integer that is not stored exactly.
 */
export function checkNumbers(node: Node, text: string, warnings: Set<string>): void {
  checkValue(node, parseWithNumberTexts(text), warnings);
}

/** The same for a JSON patch, whose values have paths. */
export function checkPatchNumbers(node: Node, text: string, warnings: Set<string>): void {
  const operations = parseWithNumberTexts(text);
  if (!Array.isArray(operations)) return;
  for (const operation of operations) {
    if (!isObject(operation) || typeof operation['path'] !== 'string') continue;
    const at = tokens(operation['path']).reduce(childOf, node);
    checkValue(at, operation['value'], warnings);
  }
}

function checkValue(node: Node, value: unknown, warnings: Set<string>): void {
  if (value instanceof NumberText) checkNumber(node, value.text, warnings);
  else if (Array.isArray(value))
    value.forEach((item, i) => within(i, () => checkValue(childOf(node, String(i)), item, warnings)));
  else if (isObject(value))
    for (const key of Object.keys(value))
      within(key, () => checkValue(childOf(node, key), getOwn(value, key), warnings));
}

function checkNumber(node: Node, text: string, warnings: Set<string>): void {
  const integer = /^-?\d+$/.test(text) ? BigInt(text) : undefined;
  const fits = integer !== undefined && integer >= INT64_MIN && integer <= INT64_MAX;
  if (node.type === 'scalar' && INTEGERS.has(node.scalar)) {
    if (integer === undefined) throw new DecodeError(`${text} is not an integer: can not decode float as int`);
    if (!fits) throw new DecodeError(`${text} overflows int64`);
  }
  // Larger ones are not integers in the reference either.
  if (fits && integer !== BigInt(Number(text)))
    warnings.add(`${text} can't be kept exactly: integers beyond 2^53 keep their 53 highest bits here`);
}

/** The type of the child at a key or index; open if it is unknown. */
function childOf(node: Node, key: string): Node {
  switch (node.type) {
    case 'struct':
      return node.byName.get(key)?.of ?? OPEN;
    case 'map':
    case 'list':
      return node.of;
    case 'either':
      return childOf(/^(\d+|-)$/.test(key) ? node.other.of : node.struct.of, key);
    default:
      return OPEN;
  }
}

function within(step: string | number, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw error instanceof DecodeError ? error.within(step) : error;
  }
}
