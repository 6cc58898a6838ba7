import { always, bool, fieldsV1, int64, list, map, named, opt, ptr, string, struct, time } from '../define/index.ts';
import { getOwn, isObject, setOwn } from '../../std/index.ts';
import type { Infer } from '../define/index.ts';
import type { AnyType } from '../define/types.ts';

const UID = named('types.UID', string);

export const OwnerReference = struct(
  'apimachinery.pkg.apis.meta.v1.OwnerReference',
  {
    apiVersion: always(5, string, { doc: 'Group and version of the owner.' }),
    kind: always(1, string, { doc: 'Kind of the owner.' }),
    name: always(3, string, { doc: 'Name of the owner.' }),
    uid: always(4, UID, { doc: 'Identity of the owner.' }),
    controller: ptr(6, bool, { doc: 'Whether the owner manages the object; at most one owner does.' }),
    blockOwnerDeletion: ptr(7, bool, {
      doc: 'Whether the owner, deleted in the foreground, waits for this object to go.',
    }),
  },
  { doc: 'An object to which another one belongs.' },
);
export type OwnerReference = Infer<typeof OwnerReference>;

export const ManagedFieldsEntry = struct(
  'apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry',
  {
    manager: opt(1, string, { doc: 'Who set the fields.' }),
    operation: opt(2, named('v1.ManagedFieldsOperationType', string), { doc: '`Apply` or `Update`.' }),
    apiVersion: opt(3, string, { doc: 'Version of the object in which the fields are named.' }),
    time: ptr(4, time, { doc: 'When the fields were last set.' }),
    fieldsType: opt(6, string, { doc: 'Form in which the fields are listed: `FieldsV1`.' }),
    fieldsV1: ptr(7, fieldsV1, { doc: 'The fields, as a tree of their names.' }),
  },
  { doc: 'The fields that one manager has set in one way.' },
);
export type ManagedFieldsEntry = Infer<typeof ManagedFieldsEntry>;

export const ObjectMeta = struct(
  'apimachinery.pkg.apis.meta.v1.ObjectMeta',
  {
    name: opt(1, string, { doc: 'Name of the object, unique for its kind in its namespace. It cannot be changed.' }),
    generateName: opt(2, string, {
      doc: 'Beginning of a name that the server completes, for objects that are created without a name.',
    }),
    namespace: opt(3, string, { doc: 'Namespace of the object; empty for kinds that have none.' }),
    selfLink: opt(4, string, { doc: 'Path of the object. It is no longer filled in.' }),
    uid: opt(5, UID, {
      doc: 'Identity of the object, different from that of any other object that ever had its name.',
    }),
    resourceVersion: opt(6, string, {
      doc: 'Version of the object. Clients may compare it for equality and pass it back, nothing else.',
    }),
    generation: opt(7, int64, { doc: 'Counts the changes of what is wanted of the object.' }),
    creationTimestamp: opt(8, time, { doc: 'CreationTimestamp is a timestamp: when the object was created.' }),
    deletionTimestamp: ptr(9, time, {
      doc: 'When the object is to go. The server sets it when the object is deleted but may not go yet.',
    }),
    deletionGracePeriodSeconds: ptr(10, int64, { doc: 'Seconds that the object was given to end in order.' }),
    labels: opt(11, map(string), { doc: 'Keys and values by which objects are selected.' }),
    annotations: opt(12, map(string), {
      doc: 'Keys and values that tools keep with the object; objects are not selected by them.',
    }),
    ownerReferences: opt(13, list(OwnerReference), {
      mergeKey: 'uid',
      strategy: 'merge',
      doc: 'Objects to which this one belongs; it goes when they are gone.',
    }),
    finalizers: opt(14, list(string), {
      strategy: 'merge',
      doc: 'What has to be done before the object may go. Who has done its part removes its entry; their order means nothing.',
    }),
    clusterName: opt(15, string, { doc: 'Not used.' }),
    managedFields: opt(17, list(ManagedFieldsEntry), { doc: 'Who last set which fields.' }),
  },
  { doc: 'Metadata that all objects have.' },
);
export type ObjectMeta = Infer<typeof ObjectMeta>;

/** Metadata with its fields in the order in which they are declared, as metadata alone is written; those of custom objects are sorted. */
export const inDeclaredOrder = (metadata: ObjectMeta): ObjectMeta => ordered(ObjectMeta, metadata) as ObjectMeta;

function ordered(type: AnyType, value: unknown): unknown {
  if (type.type === 'list') return Array.isArray(value) ? value.map((item) => ordered(type.of, item)) : value;
  if (type.type !== 'struct' || !isObject(value)) return value;
  const found: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(type.fields)) {
    const held = getOwn(value, name);
    if (held !== undefined) setOwn(found, name, ordered(field.of, held));
  }
  return found;
}
