/** Objects as the page prints them. */
import { stringify } from 'yaml';
import { isObject, getOwn } from '../../../std/index.ts';
import type { ApiObject } from '../../../schema/index.ts';

/** Strings that command-line clients would read as something else, such as `y` and `0644`, are quoted. */
export const toYaml = (value: unknown): string =>
  stringify(value, { lineWidth: 0, indentSeq: false, aliasDuplicateObjects: false, compat: 'yaml-1.1' });

const LEADING = ['apiVersion', 'kind', 'metadata', 'spec', 'data', 'status'];
const MASK = '<hidden>';

/** The fields in the order in which people write them. */
function ordered(object: ApiObject): Record<string, unknown> {
  const known = LEADING.filter((key) => getOwn(object, key) !== undefined && key !== 'status');
  const others = Object.keys(object).filter((key) => !LEADING.includes(key));
  const last = object['status'] === undefined ? [] : ['status'];
  return Object.fromEntries([...known, ...others, ...last].map((key) => [key, getOwn(object, key)]));
}

const maskAll = (values: unknown): unknown =>
  isObject(values) ? Object.fromEntries(Object.keys(values).map((key) => [key, MASK])) : values;

function withoutManagedFields(object: ApiObject): ApiObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** A secret with its values hidden; any other object as it is. */
export function withoutSecrets(object: ApiObject): ApiObject {
  if (object.kind !== 'Secret') return object;
  const hidden: ApiObject = { ...object };
  if (object['data'] !== undefined) hidden['data'] = maskAll(object['data']);
  if (object['stringData'] !== undefined) hidden['stringData'] = maskAll(object['stringData']);
  return hidden;
}

interface Shown {
  readonly managedFields: boolean;
  readonly secrets: boolean;
}

/** The YAML of an object as the inspector shows it. */
export function printObject(object: ApiObject, { managedFields, secrets }: Shown): string {
  const visible = secrets ? object : withoutSecrets(object);
  return toYaml(ordered(managedFields ? visible : withoutManagedFields(visible)));
}

/** The YAML with which an edit begins: what a person may change, without the ledger of who owns what. */
export function printForEdit(object: ApiObject): string {
  return toYaml(ordered(withoutManagedFields(object)));
}
