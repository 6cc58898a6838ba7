import type { Keys } from './keys.ts';
import { getOwn, setOwn } from '../../std/index.ts';
import type { Deployment, ReplicaSet } from '../../client/index.ts';
import { maxSurge } from './sizes.ts';
import { parseInt64 } from './integers.ts';

type Annotations = Readonly<Record<string, string>>;

/** Bytes that a list of past revisions may take before its oldest are dropped. */
const HISTORY_AT_MOST = 2000;

/** The revision that a set carries, 0 without one; undefined where the annotation is no integer of 64 bits. */
export function revisionOf(set: ReplicaSet, keys: Keys): bigint | undefined {
  const text = getOwn(set.metadata.annotations, keys.revision);
  return text === undefined ? 0n : parseInt64(text);
}

/** The highest revision; sets whose annotation can't be read are left out. */
export function lastRevision(sets: readonly ReplicaSet[], keys: Keys): bigint {
  return sets.reduce((highest, set) => {
    const revision = revisionOf(set, keys) ?? 0n;
    return revision > highest ? revision : highest;
  }, 0n);
}

/** The revision after the highest; after the largest integer of 64 bits comes the smallest. */
export function nextRevision(sets: readonly ReplicaSet[], keys: Keys): bigint {
  return BigInt.asIntN(64, lastRevision(sets, keys) + 1n);
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
  revision: bigint,
  keys: Keys,
): Annotations {
  const skipped = [keys.applied, keys.revision, keys.history, keys.desired, keys.max, keys.rollback];
  const current = set?.metadata.annotations ?? {};
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(([key]) => !skipped.includes(key));
  const result: Record<string, string> = { ...current, ...Object.fromEntries(copied) };
  const known = getOwn(current, keys.revision);
  const number = known ? parseInt64(known) : 0n;
  // The reference leaves a set alone whose revision it can't read.
  if (number === undefined) return current;
  if (number < revision) {
    setOwn(result, keys.revision, String(revision));
    if (known !== undefined) setOwn(result, keys.history, withRevision(getOwn(current, keys.history), known));
  }
  return set ? result : { ...result, ...sizeAnnotations(deployment, keys) };
}

/** The list of past revisions with one more; the oldest are dropped when it grows too long. */
function withRevision(history: string | undefined, revision: string): string {
  const all = [...(history ? history.split(',') : []), revision];
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
