/** What custom objects have to obey: their schema, and what holds for objects of any kind. */
import { deepEqual, isObject, getOwn } from '../../std/index.ts';
import type { Names } from '../../names/index.ts';
import type { CustomResourceSubresourceScale } from '../apiextensions/customResourceDefinition.ts';
import * as field from '../define/fieldErrors.ts';
import { Path, type FieldErrors } from '../define/fieldErrors.ts';
import type { ApiObject, Rules } from '../define/kind.ts';
import { keepAllButStatus } from '../meta/checked.ts';
import { validateEmbedded } from './embedded.ts';
import { validateListTypes } from './listTypes.ts';
import type { Structural } from './structural.ts';
import type { ValueValidator } from './values/validator.ts';

export interface Checks {
  readonly names: Names;
  readonly structure: Structural | undefined;
  /** Undefined without a schema. */
  readonly values: ValueValidator | undefined;
  readonly scale: CustomResourceSubresourceScale | undefined;
  readonly hasStatus: boolean;
}

export function customRules({ names, structure, values, scale, hasStatus }: Checks): Rules<ApiObject> {
  const byItself = (object: ApiObject): FieldErrors => [
    ...(values?.(object) ?? []),
    ...checkSpecReplicas(object, scale),
    ...checkStatusReplicas(object, scale),
    ...validateEmbedded(names, object, structure, Path.root),
  ];
  const lists = (object: ApiObject): FieldErrors => validateListTypes(object, structure, Path.root);
  return {
    anyFinalizer: true,
    unconditionalUpdate: false,
    generation: (object, old) => !sameContent(object, old, hasStatus),
    validate: (object) => [...byItself(object), ...lists(object)],
    updateChecks: ['metadata', 'change'],
    // Lists that were wrong before, for an older schema allowed them, don't keep the rest from being changed.
    validateUpdate: (object, old) => [...byItself(object), ...(lists(old).length === 0 ? lists(object) : [])],
    prepareStatusUpdate: keepAllButStatus,
    validateStatusUpdate: (object) => [...(values?.(object) ?? []), ...checkStatusReplicas(object, scale)],
  };
}

/** Whether only metadata differs, or the status if it has a subresource. */
function sameContent(object: ApiObject, old: ApiObject, hasStatus: boolean): boolean {
  const names = [...new Set([...Object.keys(object), ...Object.keys(old)])];
  return names.every(
    (name) =>
      name === 'metadata' || (hasStatus && name === 'status') || deepEqual(getOwn(object, name), getOwn(old, name)),
  );
}

type Scale = CustomResourceSubresourceScale | undefined;

const MAX_REPLICAS = 2 ** 31 - 1;

const checkSpecReplicas = (object: ApiObject, scale: Scale): FieldErrors =>
  scale ? checkReplicas(object, scale.specReplicasPath) : [];

function checkStatusReplicas(object: ApiObject, scale: Scale): FieldErrors {
  if (!scale) return [];
  const path = scale.labelSelectorPath;
  const selector = path === undefined ? undefined : at(object, path);
  const isText = selector === undefined || typeof selector === 'string';
  return [
    ...checkReplicas(object, scale.statusReplicasPath),
    ...(isText || path === undefined ? [] : [field.invalid(path, '', 'must be a string')]),
  ];
}

function checkReplicas(object: ApiObject, path: string): FieldErrors {
  const replicas = at(object, path);
  if (replicas === undefined) return [];
  if (typeof replicas !== 'number' || !Number.isInteger(replicas))
    return [field.invalid(path, 0, 'must be an integer')];
  if (replicas < 0) return [field.invalid(path, replicas, 'should be a non-negative integer')];
  if (replicas > MAX_REPLICAS)
    return [field.invalid(path, replicas, `should be less than or equal to ${MAX_REPLICAS}`)];
  return [];
}

/** The value at a dotted path; NOWHERE if the path leads through a value that is not an object. */
function at(object: unknown, path: string): unknown {
  const names = path.replace(/^\./, '').split('.');
  return names.reduce<unknown>((value, name) => {
    if (value === undefined || value === null) return undefined;
    return isObject(value) ? getOwn(value, name) : NOWHERE;
  }, object);
}

const NOWHERE = Symbol('nowhere');
