/** Specifications of objects that were created lately: objects that are made from one template share theirs. */
import { rulesOf, type ApiObject, type Resource } from '../../schema/index.ts';
import { deepEqual, deepFreeze, isObject, Recent } from '../../std/index.ts';

/** A specification as it was before it was validated, and as it was stored. */
interface Known {
  readonly spec: object;
  readonly stored: object;
}

/** The number of templates that are known at a time. */
const MOST_TEMPLATES = 128;

/** The specifications that one server shares among new objects. */
export class SharedSpecs {
  /** The last specification for each sort of objects. */
  readonly #recent = new Recent<string, Known>(MOST_TEMPLATES);
  /** The stored forms of shared ones. */
  readonly #stored = new WeakMap<object, object>();

  /** Gives a new object the specification of an earlier one if that is equal. It is frozen from then on. */
  share({ declaration }: Resource, object: ApiObject): void {
    const alike = rulesOf(declaration)?.alike;
    const known = alike && this.#recent.get(alike(object));
    if (!known || !deepEqual(object['spec'], known.spec)) return;
    if (!this.#stored.has(known.spec)) this.#stored.set(deepFreeze(known.spec), known.stored);
    object['spec'] = known.spec;
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
    this.#recent.set(alike(object), { spec, stored });
  }
}
