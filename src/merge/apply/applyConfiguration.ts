/** One apply: from the live object and its owners to the new object and its owners. */
import type { ApiObject } from '../../schema/index.ts';
import type { Steps } from '../../std/index.ts';
import type { VersionedTypes } from '../types.ts';
import { isSame } from './compare.ts';
import { conflictError } from './conflicts.ts';
import type { Conflict } from './conflicts.ts';
import { difference, EMPTY } from './fieldSet.ts';
import { clientManager, ownedByClient } from './lastApplied.ts';
import { mergeValues } from './mergeValues.ts';
import { APPLY, identify } from './owners.ts';
import type { Owner, Owners } from './owners.ts';
import { prune } from './prune.ts';
import { toFieldSet } from './toFieldSet.ts';
import { transfer } from './transfer.ts';
import { validate } from './validate.ts';
import { Comparisons } from './versions.ts';
import type { Versioned } from './versions.ts';

export interface Application {
  readonly types: VersionedTypes;
  readonly live: Versioned;
  readonly configuration: Record<string, unknown>;
  readonly owners: Owners;
  readonly manager: string;
  readonly force: boolean;
}

export interface Applied {
  /** Undefined if the object does not change. */
  readonly object: ApiObject | undefined;
  readonly owners: Owners;
  /** The id of the applier. */
  readonly id: string;
}

/** Throws TypeMismatch if the configuration has wrong types, StatusError 409 if others own what it changes. */
export function* applyConfiguration(application: Application): Steps<Applied> {
  const { types, live, configuration, owners, manager } = application;
  validate(configuration, live.type);
  yield;
  const applier = { manager, operation: APPLY, apiVersion: live.apiVersion, time: undefined };
  const id = identify(applier);
  const claimed = new Map<string, Owner>(owners).set(id, { ...applier, fields: toFieldSet(configuration, live.type) });
  yield;
  // Merging objects gives an object.
  const merged = mergeValues(live.object, configuration, live.type) as ApiObject;
  yield;
  const next = yield* prune(types, { ...live, object: merged }, claimed, owners.get(id));
  yield;
  const comparisons = new Comparisons(types, live, next);
  comparisons.in(live.apiVersion);
  yield;
  const { owners: kept, conflicts } = transfer(claimed, comparisons, id);
  refuseConflicts(application, conflicts);
  yield;
  const comparison = comparisons.in(live.apiVersion);
  return { object: comparison && isSame(comparison) ? undefined : next.object, owners: kept, id };
}

function refuseConflicts({ force, manager, types, live }: Application, conflicts: readonly Conflict[]): void {
  if (force || conflicts.length === 0) return;
  const allowed = manager === clientManager(types.names) ? ownedByClient(live, types.names) : EMPTY;
  const left = conflicts.map(({ owner, fields }) => ({ owner, fields: difference(fields, allowed) }));
  const refused = left.filter(({ fields }) => fields !== EMPTY);
  if (refused.length > 0) throw conflictError(refused);
}
