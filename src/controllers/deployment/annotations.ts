import type { Deployment, ReplicaSet } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { maxSurge } from './sizes.ts';

/** What a deployment notes on its replica sets and on itself. */
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
    rollback: 'deprecated.deployment.rollback.to',
    applied: names.fill('{ctl}.{label}/last-applied-configuration'),
  };
}

type Annotations = Readonly<Record<string, string>>;

/** Bytes that a list of past revisions may take before its oldest are dropped. */
const HISTORY_AT_MOST = 2000;

export function revisionOf(set: ReplicaSet, keys: Keys): number {
  return Number(set.metadata.annotations?.[keys.revision] ?? 0) || 0;
}

export function lastRevision(sets: readonly ReplicaSet[], keys: Keys): number {
  return Math.max(0, ...sets.map((set) => revisionOf(set, keys)));
}

/** How many pods a deployment wants, and how many it may have while it rolls out. */
export function sizeAnnotations(deployment: Deployment, keys: Keys): Annotations {
  const wanted = deployment.spec.replicas ?? 1;
  return { [keys.desired]: String(wanted), [keys.max]: String(wanted + maxSurge(deployment)) };
}

/** The annotations of the newest replica set: the deployment's own, and its revision. */
export function newSetAnnotations(
  deployment: Deployment,
  set: ReplicaSet | undefined,
  revision: number,
  keys: Keys,
): Annotations {
  const skipped = [keys.applied, keys.revision, keys.history, keys.desired, keys.max, keys.rollback];
  const current = set?.metadata.annotations ?? {};
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !skipped.includes(key));
  const result: Record<string, string> = { ...current, ...Object.fromEntries(copied) };
  const known = Number(current[keys.revision] ?? 0) || 0;
  if (known < revision) {
    result[keys.revision] = String(revision);
    if (known > 0) result[keys.history] = withRevision(current[keys.history], known);
  }
  return set ? result : { ...result, ...sizeAnnotations(deployment, keys) };
}

function withRevision(history: string | undefined, revision: number): string {
  const revisions = history ? history.split(',') : [];
  const all = [...revisions, String(revision)];
  while (all.length > 1 && all.join(',').length > HISTORY_AT_MOST) all.shift();
  return all.join(',');
}

/** Annotations of a replica set as its deployment should have them after going back to it. */
export function rolledBackAnnotations(deployment: Deployment, set: ReplicaSet, keys: Keys): Annotations {
  const own = [keys.applied, keys.revision, keys.history, keys.desired, keys.max, keys.rollback];
  const kept = Object.entries(deployment.metadata.annotations ?? {}).filter(
    ([key]) => own.includes(key) && key !== keys.rollback,
  );
  const taken = Object.entries(set.metadata.annotations ?? {}).filter(([key]) => !own.includes(key));
  return Object.fromEntries([...kept, ...taken]);
}
