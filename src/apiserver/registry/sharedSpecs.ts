/** Specifications of objects that were created lately: objects that are made from one template share theirs. */
import { rulesOf, type ApiObject, type Resource } from '../../schema/index.ts';
import { deepEqual, deepFreeze, isObject, Recent } from '../../std/index.ts';

/** The number of templates that are known at a time. */
const MOST_TEMPLATES = 128;

/** The specifications that one server shares among new objects. */
export class SharedSpecs {
  /** The last specification for each sort of objects, as it was before it was validated. */
  readonly #recent = new Recent<string, object>(MOST_TEMPLATES);
  /** How these were stored. */
  readonly #stored = new WeakMap<object, object>();

  /** Gives a new object the specification of an earlier one, which is frozen, if that is equal. */
  share({ declaration }: Resource, object: ApiObject): void {
    const alike = rulesOf(declaration)?.alike;
    const known = alike && this.#recent.get(alike(object));
    if (known && deepEqual(object['spec'], known)) object['spec'] = known;
  }

  /** The stored form of a shared specification. */
  storedAs(spec: unknown): object | undefined {
    return isObject(spec) ? this.#stored.get(spec) : undefined;
  }

  /** Remembers the specification of an object that was stored as `form`. */
  keep({ declaration }: Resource, object: ApiObject, form: ApiObject): void {
    const alike = rulesOf(declaration)?.alike;
    const [spec, stored] = [object['spec'], form['spec']];
    if (!alike || !isObject(spec) || !isObject(stored) || this.#stored.has(spec) || !Object.isFrozen(stored)) return;
    this.#recent.set(alike(object), deepFreeze(spec));
    this.#stored.set(spec, stored);
  }
}
