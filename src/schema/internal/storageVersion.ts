import { always, int64, list, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';

export const ServerStorageVersion = struct('api.apiserverinternal.v1alpha1.ServerStorageVersion', {
  apiServerID: opt(1, string),
  encodingVersion: opt(2, string),
  decodableVersions: opt(3, list(string), { list: 'set' }),
});
export type ServerStorageVersion = Infer<typeof ServerStorageVersion>;

export const StorageVersionSpec = struct('api.apiserverinternal.v1alpha1.StorageVersionSpec', {});
export type StorageVersionSpec = Infer<typeof StorageVersionSpec>;

export const StorageVersionCondition = struct('api.apiserverinternal.v1alpha1.StorageVersionCondition', {
  type: always(1, string),
  status: always(2, string),
  observedGeneration: opt(3, int64),
  lastTransitionTime: opt(4, time),
  reason: always(5, string),
  message: opt(6, string),
});
export type StorageVersionCondition = Infer<typeof StorageVersionCondition>;

export const StorageVersionStatus = struct('api.apiserverinternal.v1alpha1.StorageVersionStatus', {
  storageVersions: opt(1, list(ServerStorageVersion), { list: 'map', keys: ['apiServerID'] }),
  commonEncodingVersion: ptr(2, string),
  conditions: opt(3, list(StorageVersionCondition), { list: 'map', keys: ['type'] }),
});
export type StorageVersionStatus = Infer<typeof StorageVersionStatus>;

export const StorageVersion = object('api.apiserverinternal.v1alpha1.StorageVersion', {
  spec: always(2, StorageVersionSpec),
  status: always(3, StorageVersionStatus),
});
export type StorageVersion = Infer<typeof StorageVersion>;
