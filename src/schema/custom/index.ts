/** Custom resources: the resources derived from a definition's schema, names and versions. */
export type { ConvertRemotely } from './family.ts';
export { customPrefix, customResources } from './resources.ts';
