import type { ApiObject } from '../../schema/index.ts';

/** The options of a deletion. */
export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly orphanDependents?: boolean;
  readonly propagationPolicy?: string;
  readonly dryRun?: readonly string[];
}

/** Validating admission for a deletion, with the current object. */
export type ValidateDelete = (object: ApiObject) => Promise<void>;
