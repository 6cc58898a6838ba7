/** What all objects begin with: their kind, the version of the API that shows them, and their metadata. */
import { opt, string, struct } from '../define/index.ts';
import type { Fields, StructOptions, StructType, ValueOf } from '../define/index.ts';
import { ObjectMeta } from './objectMeta.ts';

/** Kind and version stand in the envelope on the wire, so they have no number. */
const typeMeta = {
  kind: opt(0, string, {
    doc: 'Kind of the object in CamelCase. It follows from the path of the request and cannot be changed.',
  }),
  apiVersion: opt(0, string, {
    doc: 'APIVersion defines the group and the version of the schema that shows the object; `v1` alone for the core group.',
  }),
};

const objectMeta = { metadata: opt(1, ObjectMeta, { doc: "Standard object's metadata." }) };

type OfObject<F extends Fields> = typeof typeMeta & Omit<typeof objectMeta, keyof F> & F;
type OfDocument<F extends Fields> = typeof typeMeta & F;

/** Declares the struct of a kind: `fields` and what every object has. */
export function object<const F extends Fields>(
  name: string,
  fields: F,
  options: StructOptions<ValueOf<OfObject<F>>> = {},
): StructType<ValueOf<OfObject<F>>> & { readonly fields: OfObject<F> } {
  // The compiler can't see that spreading gives the intersection of the parts.
  return struct(name, { ...typeMeta, ...objectMeta, ...fields } as OfObject<F>, options);
}

/** Declares the struct of a kind that is not an object of its own: an answer, a list, options. */
export function document<const F extends Fields>(
  name: string,
  fields: F,
): StructType<ValueOf<OfDocument<F>>> & { readonly fields: OfDocument<F> } {
  return struct(name, { ...typeMeta, ...fields } as OfDocument<F>);
}

/** The same object inside another one, where its kind and version are always written and never read. */
export function embedded<S extends StructType>(type: S, apiVersion: string, kind: string): S {
  const fields = {
    ...type.fields,
    kind: opt(0, string, { fixed: kind }),
    apiVersion: opt(0, string, { fixed: apiVersion }),
  };
  // Only options change, so the result describes the same values.
  return { ...type, fields } as S;
}
