import { always, nullable, opt, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';

export const LocalObjectReference = struct('api.core.v1.LocalObjectReference', {
  name: opt(1, string),
});
export type LocalObjectReference = Infer<typeof LocalObjectReference>;

export const ObjectReference = struct('api.core.v1.ObjectReference', {
  kind: opt(1, string),
  namespace: opt(2, string),
  name: opt(3, string),
  uid: opt(4, string),
  apiVersion: opt(5, string),
  resourceVersion: opt(6, string),
  fieldPath: opt(7, string),
});
export type ObjectReference = Infer<typeof ObjectReference>;

export const SecretReference = struct('api.core.v1.SecretReference', {
  name: opt(1, string),
  namespace: opt(2, string),
});
export type SecretReference = Infer<typeof SecretReference>;

export const TypedLocalObjectReference = struct('api.core.v1.TypedLocalObjectReference', {
  apiGroup: nullable(1, string),
  kind: always(2, string),
  name: always(3, string),
});
export type TypedLocalObjectReference = Infer<typeof TypedLocalObjectReference>;
