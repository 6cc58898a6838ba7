import type { Names } from '../../names/index.ts';
import { ROLLBACK_TO } from '../../schema/index.ts';

/** The annotations that a deployment sets on its replica sets and on itself. */
export interface Keys {
  readonly revision: string;
  readonly history: string;
  readonly desired: string;
  readonly max: string;
  readonly rollback: string;
  readonly applied: string;
}

export function keysOf(names: Names): Keys {
  return {
    revision: names.fill('deployment.{label}/revision'),
    history: names.fill('deployment.{label}/revision-history'),
    desired: names.fill('deployment.{label}/desired-replicas'),
    max: names.fill('deployment.{label}/max-replicas'),
    rollback: ROLLBACK_TO,
    applied: names.fill('{ctl}.{label}/last-applied-configuration'),
  };
}
