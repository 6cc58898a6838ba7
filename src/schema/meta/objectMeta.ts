import { always, bool, fieldsV1, int64, list, map, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';

export const OwnerReference = struct('apimachinery.pkg.apis.meta.v1.OwnerReference', {
  kind: always(1, string),
  name: always(3, string),
  uid: always(4, string),
  apiVersion: always(5, string),
  controller: ptr(6, bool),
  blockOwnerDeletion: ptr(7, bool),
});
export type OwnerReference = Infer<typeof OwnerReference>;

export const ManagedFieldsEntry = struct('apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry', {
  manager: opt(1, string),
  operation: opt(2, string),
  apiVersion: opt(3, string),
  time: ptr(4, time),
  fieldsType: opt(6, string),
  fieldsV1: ptr(7, fieldsV1),
});
export type ManagedFieldsEntry = Infer<typeof ManagedFieldsEntry>;

export const ObjectMeta = struct('apimachinery.pkg.apis.meta.v1.ObjectMeta', {
  name: opt(1, string),
  generateName: opt(2, string),
  namespace: opt(3, string),
  selfLink: opt(4, string),
  uid: opt(5, string),
  resourceVersion: opt(6, string),
  generation: opt(7, int64),
  creationTimestamp: opt(8, time),
  deletionTimestamp: ptr(9, time),
  deletionGracePeriodSeconds: ptr(10, int64),
  labels: opt(11, map(string)),
  annotations: opt(12, map(string)),
  ownerReferences: opt(13, list(OwnerReference), { mergeKey: 'uid', strategy: 'merge' }),
  finalizers: opt(14, list(string), { strategy: 'merge' }),
  clusterName: opt(15, string),
  managedFields: opt(17, list(ManagedFieldsEntry)),
});
export type ObjectMeta = Infer<typeof ObjectMeta>;
