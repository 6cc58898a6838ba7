/** Validates the types of an applied configuration. */
import { isObject } from '../../std/index.ts';
import { itemElement, itemsByElement, TypeMismatch } from './items.ts';
import { describeElement, fieldElement } from './pathElement.ts';
import { deduce } from './types.ts';
import type { Fields, List, Scalar, Type } from './types.ts';

/**
 * Validates a value, which may be partial: undeclared fields, wrong scalar types, items that can't be identified. Null
 * is valid for every type. Throws TypeMismatch with a message that begins with the path.
 */
export function validate(value: unknown, type: Type, path = ''): void {
  if (value === null || value === undefined) return;
  const form = type.form === 'open' ? deduce(value) : type;
  if (form.form === 'scalar') validateScalar(value, form, path);
  else if (form.form === 'list') validateList(value, form, path);
  else validateFields(value, form, path);
}

function validateScalar(value: unknown, { accepts }: Scalar, path: string): void {
  if (accepts !== 'any' && typeof value !== accepts)
    throw new TypeMismatch(`${path}: expected ${accepts}, got ${JSON.stringify(value)}`);
}

function validateList(value: unknown, type: List, path: string): void {
  if (!Array.isArray(value)) throw new TypeMismatch(`${path}: expected list, got ${JSON.stringify(value)}`);
  if (type.merges !== 'atomic') checkElements(type, value, path);
  value.forEach((item, i) =>
    validate(item, type.of, path + describeElement(type.merges === 'atomic' ? `i:${i}` : itemElement(type, item))),
  );
}

function checkElements(type: List, items: readonly unknown[], path: string): void {
  try {
    itemsByElement(type, items);
  } catch (error) {
    throw error instanceof TypeMismatch ? new TypeMismatch(`${path}: ${error.message}`) : error;
  }
}

function validateFields(value: unknown, type: Fields, path: string): void {
  if (!isObject(value)) throw new TypeMismatch(`${path}: expected map, got ${JSON.stringify(value)}`);
  for (const name of Object.keys(value)) {
    const of = type.member(name)?.type ?? type.rest;
    const at = path + describeElement(fieldElement(name));
    if (of === undefined) throw new TypeMismatch(`${at}: field not declared in schema`);
    validate(value[name], of, at);
  }
}
