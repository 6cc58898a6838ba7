/** Changes of fields by their path. */
import { getOwn, isObject, setOwn } from '../../std/index.ts';
import { fits, type Fields, type KindPattern, type Resource } from './resource.ts';

/** Where a change is made in objects of some kinds. */
export interface Place extends KindPattern {
  /** `spec/template/metadata/labels`; lists on the way are gone through. `\/` is a slash in a name. */
  readonly path: string;
  /** Makes what is missing on the way. */
  readonly create?: boolean;
}

/** Changes every value at the places that are for the resource. Throws an Error where a path leads through a text or number. */
export function changeAt(
  { kind, object }: Resource,
  places: readonly Place[],
  change: (value: unknown) => unknown,
): void {
  for (const place of places)
    if (fits(kind, place)) changeIn(object, stepsOf(place.path), place.create ?? false, change);
}

const stepsOf = (path: string): readonly string[] => path.split(/(?<!\\)\//).map((each) => each.replaceAll('\\/', '/'));

function changeIn(
  fields: Fields,
  [step, ...rest]: readonly string[],
  create: boolean,
  change: (value: unknown) => unknown,
): void {
  if (step === undefined) return;
  if (!Object.hasOwn(fields, step)) {
    if (!create) return;
    setOwn(fields, step, {});
  }
  const value = getOwn(fields, step);
  if (rest.length === 0) return setOwn(fields, step, change(value));
  if (isObject(value)) return changeIn(value, rest, create, change);
  if (value === null || value === undefined) return;
  if (!Array.isArray(value)) throw new Error(`${JSON.stringify(value)} is not expected to be a primitive type`);
  for (const item of value as readonly unknown[]) {
    if (!isObject(item)) throw new Error(`${JSON.stringify(item)} is expected to be map[string]interface {}`);
    changeIn(item, rest, create, change);
  }
}
