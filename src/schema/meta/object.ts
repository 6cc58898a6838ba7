/** What all objects begin with: their kind, the version of the API that shows them, and their metadata. */
import { opt, string, struct } from '../define/index.ts';
import type { Fields, StructOptions } from '../define/index.ts';
import { ObjectMeta } from './objectMeta.ts';

/** Kind and version stand in the envelope on the wire, so they have no number. */
const typeMeta = {
  kind: opt(0, string, {
    doc: 'Kind of the object in CamelCase. It follows from the path of the request and cannot be changed.',
  }),
  apiVersion: opt(0, string, {
    doc: 'Group and version of the schema that shows the object; `v1` alone for the core group.',
  }),
};

const objectMeta = { metadata: opt(1, ObjectMeta, { doc: 'Metadata that all objects have.' }) };

/** Declares the struct of a kind: `fields` and what every object has. */
export function object<const F extends Fields>(name: string, fields: F, options: StructOptions<never> = {}) {
  return struct(name, { ...typeMeta, ...objectMeta, ...fields }, options as StructOptions);
}

/** Declares the struct of a kind that is not an object of its own: an answer, a list, options. */
export function document<const F extends Fields>(name: string, fields: F, options: StructOptions<never> = {}) {
  return struct(name, { ...typeMeta, ...fields }, options as StructOptions);
}
