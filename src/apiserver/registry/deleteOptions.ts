import type { ApiObject } from '../../schema/index.ts';

/** What a request says about a deletion. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
  readonly dryRun?: readonly string[];
}

/** Admission's word on a deletion, with the object as it is. */
export type ValidateDelete = (object: ApiObject) => Promise<void>;
