/** The TypeScript types of what this folder declares, for rooms that work on objects; `../objects.ts` gathers them. */
export type { Checked } from './checked.ts';
export type { Condition } from './condition.ts';
export type { Preconditions, DeleteOptions } from './deleteOptions.ts';
export type {
  ServerAddressByClientCIDR,
  GroupVersionForDiscovery,
  APIGroup,
  APIGroupList,
  APIResource,
  APIResourceList,
  APIVersions,
} from './discovery.ts';
export type { LabelSelectorRequirement, LabelSelector } from './labelSelector.ts';
export type { ListMeta } from './listMeta.ts';
export type { OwnerReference, ManagedFieldsEntry, ObjectMeta } from './objectMeta.ts';
export type { StatusCause, StatusDetails } from './status.ts';
export type { Info } from './versionInfo.ts';
export type { WatchEvent } from './watchEvent.ts';
