/**
 * JSON patch (RFC 6902) with the reference's leniency: `replace` sets a missing key, `copy` of a missing key gives
 * null, a missing `value` is null, negative indexes count from the end, and the root can only be tested.
 */
import { isObject, clone, deepEqual, setOwn } from '../std/index.ts';
import { status } from '../schema/index.ts';
import { unprocessable } from './failures.ts';
import { locate, position } from './jsonPointer.ts';
import type { Container, Place } from './jsonPointer.ts';

const MAX_OPERATIONS = 10_000;
/** The maximum number of bytes that all copies of one patch may add. */
const MAX_COPIED_BYTES = 3 * 1024 * 1024;

/** The document of a patch, and its remaining copy allowance. */
interface Target {
  readonly document: Container;
  copied: number;
}

type Operation = Readonly<Record<string, unknown>>;

const operations: Readonly<Record<string, (target: Target, operation: Operation) => void>> = {
  add: (target, operation) => add(placeOf(target, operation, 'path'), valueOf(operation)),
  remove: (target, operation) => remove(placeOf(target, operation, 'path')),
  replace: (target, operation) => replace(placeOf(target, operation, 'path'), valueOf(operation)),
  move,
  copy,
  test,
};

/**
 * Applies a parsed patch; neither argument is modified. Throws StatusError: 400 if the patch is not a list of objects,
 * 413 for more than 10,000 operations, 422 if an operation does not apply.
 */
export function jsonPatch(document: unknown, patch: unknown): unknown {
  const list = parseOperations(patch);
  if (list.length === 0) return document;
  const root = clone(document);
  if (!isObject(root) && !Array.isArray(root)) throw unprocessable('only objects and lists can be patched');
  const target: Target = { document: root, copied: 0 };
  for (const operation of list) apply(target, operation);
  return root;
}

function parseOperations(patch: unknown): readonly Operation[] {
  if (patch === null) return [];
  if (!Array.isArray(patch)) throw status.badRequest('a JSON patch is a list of operations');
  if (patch.length > MAX_OPERATIONS) {
    throw status.tooLarge(`The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`);
  }
  return patch.map((operation) => {
    if (operation === null) return {};
    if (!isObject(operation)) throw status.badRequest('an operation of a JSON patch is an object');
    return operation;
  });
}

function apply(target: Target, operation: Operation): void {
  const op = operation['op'];
  const run = typeof op === 'string' && Object.hasOwn(operations, op) ? operations[op] : undefined;
  if (!run) throw unprocessable(`Unexpected kind: ${typeof op === 'string' ? op : 'unknown'}`);
  run(target, operation);
}

function pointerOf(operation: Operation, member: 'path' | 'from'): string {
  const pointer = operation[member];
  if (typeof pointer !== 'string') throw unprocessable(`operation is missing ${member} field`);
  return pointer;
}

function placeOf(target: Target, operation: Operation, member: 'path' | 'from'): Place {
  const pointer = pointerOf(operation, member);
  const place = locate(target.document, pointer);
  if (!place)
    throw unprocessable(
      `${String(operation['op'])} operation does not apply: doc is missing ${member}: ${JSON.stringify(pointer)}`,
    );
  return place;
}

/** A copy, so that a later operation does not modify the patch. */
function valueOf(operation: Operation): unknown {
  return clone(operation['value'] ?? null);
}

function read({ container, key }: Place): unknown {
  if (Array.isArray(container)) return container[position(key, container.length)];
  return Object.hasOwn(container, key) ? container[key] : undefined;
}

function add({ container, key }: Place, value: unknown): void {
  if (!Array.isArray(container)) setOwn(container, key, value);
  else if (key === '-') container.push(value);
  else container.splice(position(key, container.length + 1), 0, value);
}

function remove({ container, key }: Place): void {
  if (Array.isArray(container)) container.splice(position(key, container.length), 1);
  else if (!Object.hasOwn(container, key)) throw unprocessable(`Unable to remove nonexistent key: ${key}`);
  else delete container[key];
}

function replace({ container, key }: Place, value: unknown): void {
  if (Array.isArray(container)) container[position(key, container.length)] = value;
  else setOwn(container, key, value);
}

function move(target: Target, operation: Operation): void {
  const from = placeOf(target, operation, 'from');
  const value = read(from);
  remove(from);
  add(placeOf(target, operation, 'path'), value ?? null);
}

function copy(target: Target, operation: Operation): void {
  const value = read(placeOf(target, operation, 'from')) ?? null;
  const place = placeOf(target, operation, 'path');
  target.copied += JSON.stringify(value).length;
  if (target.copied > MAX_COPIED_BYTES) {
    throw unprocessable(`copies of a JSON patch may add ${MAX_COPIED_BYTES} bytes, these add more`);
  }
  add(place, clone(value));
}

function test(target: Target, operation: Operation): void {
  const pointer = pointerOf(operation, 'path');
  const actual = pointer === '' ? target.document : read(placeOf(target, operation, 'path'));
  const same = 'value' in operation && deepEqual(actual ?? null, operation['value']);
  if (!same) throw unprocessable(`testing value ${pointer} failed`);
}
