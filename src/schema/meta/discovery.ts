import { always, bool, boxed, list, opt, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { document } from './object.ts';

export const ServerAddressByClientCIDR = struct('apimachinery.pkg.apis.meta.v1.ServerAddressByClientCIDR', {
  clientCIDR: always(1, string),
  serverAddress: always(2, string),
});
export type ServerAddressByClientCIDR = Infer<typeof ServerAddressByClientCIDR>;

export const GroupVersionForDiscovery = struct('apimachinery.pkg.apis.meta.v1.GroupVersionForDiscovery', {
  groupVersion: always(1, string),
  version: always(2, string),
});
export type GroupVersionForDiscovery = Infer<typeof GroupVersionForDiscovery>;

export const APIGroup = document('apimachinery.pkg.apis.meta.v1.APIGroup', {
  name: always(1, string),
  versions: always(2, list(GroupVersionForDiscovery)),
  preferredVersion: opt(3, GroupVersionForDiscovery),
  serverAddressByClientCIDRs: opt(4, list(ServerAddressByClientCIDR)),
});
export type APIGroup = Infer<typeof APIGroup>;

export const APIGroupList = document('apimachinery.pkg.apis.meta.v1.APIGroupList', {
  groups: always(1, list(APIGroup)),
});
export type APIGroupList = Infer<typeof APIGroupList>;

export const APIResource = struct('apimachinery.pkg.apis.meta.v1.APIResource', {
  name: always(1, string),
  singularName: always(6, string),
  namespaced: always(2, bool),
  group: opt(8, string),
  version: opt(9, string),
  kind: always(3, string),
  verbs: always(4, boxed(string)),
  shortNames: opt(5, list(string)),
  categories: opt(7, list(string)),
  storageVersionHash: opt(10, string),
});
export type APIResource = Infer<typeof APIResource>;

export const APIResourceList = document('apimachinery.pkg.apis.meta.v1.APIResourceList', {
  groupVersion: always(1, string),
  resources: always(2, list(APIResource)),
});
export type APIResourceList = Infer<typeof APIResourceList>;

export const APIVersions = document('apimachinery.pkg.apis.meta.v1.APIVersions', {
  versions: always(1, list(string)),
  serverAddressByClientCIDRs: always(2, list(ServerAddressByClientCIDR)),
});
export type APIVersions = Infer<typeof APIVersions>;
