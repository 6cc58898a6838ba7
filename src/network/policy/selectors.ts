import { selectorOfObject, type objects } from '../../schema/index.ts';

type Compiled = ReturnType<typeof selectorOfObject>;

const compiled = new WeakMap<object, Compiled>();
const everything = selectorOfObject({});

/** A policy's selector, compiled once: objects are immutable, a new version is a new object. */
export function compiledSelector(selector: objects.LabelSelector | undefined): Compiled {
  if (!selector) return everything;
  const known = compiled.get(selector);
  if (known) return known;
  const made = selectorOfObject(selector);
  compiled.set(selector, made);
  return made;
}
