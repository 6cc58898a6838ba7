/** Custom resources: what a definition makes of the schema, the names and the versions that it gives. */
export type { ConvertRemotely } from './family.ts';
export { customPrefix, customResources } from './resources.ts';
