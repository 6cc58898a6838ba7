/** Random objects of any declared type, for properties that hold for all of them. */
import fc from 'fast-check';
import type { FieldNode, Node, Scheme, StructNode } from '../../../src/schema/index.ts';
import { formatMicroTime, formatTime, type ScalarKind } from '../../../src/schema/index.ts';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });
const moment = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2100, 0) });

const SCALARS: Readonly<Record<ScalarKind, fc.Arbitrary<unknown>>> = {
  string: text,
  bytes: fc.base64String({ minLength: 4, maxLength: 12 }),
  bool: fc.boolean(),
  int32: fc.integer(),
  int64: fc.maxSafeInteger(),
  double: fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
  quantity: fc
    .tuple(fc.integer({ min: 1, max: 999 }), fc.constantFrom('', 'm', 'k', 'Ki', 'Mi', 'G'))
    .map((parts) => parts.join('')),
  intOrString: fc.oneof(fc.integer(), text),
  time: moment.map(formatTime),
  microTime: moment.map(formatMicroTime),
  rawExtension: fc.dictionary(fc.string({ minLength: 1 }), fc.integer(), { maxKeys: 3 }),
  json: fc.oneof(fc.integer(), text, fc.boolean()),
  fieldsV1: fc.constant({ 'f:spec': { 'f:a': {} } }),
};

const DEEPEST = 7;

/** Random values of a type, as a client might send them. */
export function arbitrary(node: Node, depth = 0): fc.Arbitrary<unknown> {
  switch (node.type) {
    case 'scalar':
      return SCALARS[node.scalar];
    case 'list':
      return fc.array(arbitrary(node.of, depth + 1), { maxLength: 2, minLength: 1 });
    case 'map':
      return fc.dictionary(text, arbitrary(node.of, depth + 1), { maxKeys: 2 });
    case 'struct':
      return struct(node, depth);
    case 'either':
      return arbitrary(node.other.of, depth + 1);
    case 'open':
      return fc.anything();
  }
}

function struct(node: StructNode, depth: number): fc.Arbitrary<unknown> {
  const fields = node.fields.filter((field) => depth < DEEPEST || field.of.type === 'scalar');
  return fc.record(Object.fromEntries(fields.map((field) => [field.name, fieldOf(field, depth)])), {
    requiredKeys: [],
  });
}

/** Most fields are absent, so that objects stay small. */
function fieldOf(field: FieldNode, depth: number): fc.Arbitrary<unknown> {
  let made: fc.Arbitrary<unknown> | undefined;
  const value = fc.constant(undefined).chain(() => (made ??= arbitrary(field.of, depth + 1)));
  return fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value });
}

/** Random normalized objects of a kind. */
export function objectOf(scheme: Scheme, node: StructNode): fc.Arbitrary<Record<string, unknown>> {
  return arbitrary(node).map((raw) => scheme.decode(node, raw) as Record<string, unknown>);
}
