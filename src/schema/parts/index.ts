/**
 * Code for kinds of which a new cluster has no object, loaded when the first one is written. A part contains what is
 * usually needed together, so that a class of work costs one fetch.
 */
import { Part, type Loadable } from '../../std/index.ts';

export const workloads = new Part(() => import('./workloads.ts'));
export const policies = new Part(() => import('./policies.ts'));
export const definitions = new Part(() => import('./definitions.ts'));
export const tables = new Part(() => import('./tables.ts'));
export const protobuf = new Part(() => import('../derive/protobuf/index.ts'));

export const schemaParts: readonly Loadable[] = [workloads, policies, definitions, tables, protobuf];
