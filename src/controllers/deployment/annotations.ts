import type { Keys } from './keys.ts';
import { getOwn, setOwn, parseInt64 } from '../../std/index.ts';
import type { Deployment, ReplicaSet } from '../../client/index.ts';
import { maxSurge } from './sizes.ts';

type Annotations = Readonly<Record<string, string>>;

/** Maximum size in bytes of the revision history annotation; the oldest revisions are dropped. */
const HISTORY_AT_MOST = 2000;

/** The revision of a replica set, 0 without one; undefined if the annotation is not a 64-bit integer. */
export function revisionOf(set: ReplicaSet, keys: Keys): bigint | undefined {
  const text = getOwn(set.metadata.annotations, keys.revision);
  return text === undefined ? 0n : parseInt64(text);
}

/** The highest revision; sets with an invalid annotation are ignored. */
export function lastRevision(sets: readonly ReplicaSet[], keys: Keys): bigint {
  return sets.reduce((highest, set) => {
    const revision = revisionOf(set, keys) ?? 0n;
    return revision > highest ? revision : highest;
  }, 0n);
}

/** The revision after the highest; the largest 64-bit integer is followed by the smallest. */
export function nextRevision(sets: readonly ReplicaSet[], keys: Keys): bigint {
  return BigInt.asIntN(64, lastRevision(sets, keys) + 1n);
}

/** The desired number of pods, and the maximum during a rollout. */
export function sizeAnnotations(deployment: Deployment, keys: Keys): Annotations {
  const wanted = deployment.spec.replicas ?? 1;
  return { [keys.desired]: String(wanted), [keys.max]: String(wanted + maxSurge(deployment)) };
}

/** The annotations of the newest replica set: those of the deployment, and its revision. */
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
  // The reference does not change a set with an invalid revision.
  if (number === undefined) return current;
  if (number < revision) {
    setOwn(result, keys.revision, String(revision));
    if (known !== undefined) setOwn(result, keys.history, withRevision(getOwn(current, keys.history), known));
  }
  return set ? result : { ...result, ...sizeAnnotations(deployment, keys) };
}

/** The revision history with one more entry; the oldest are dropped when it is too long. */
function withRevision(history: string | undefined, revision: string): string {
  const all = [...(history ? history.split(',') : []), revision];
  while (all.length > 1 && all.join(',').length > HISTORY_AT_MOST) all.shift();
  return all.join(',');
}

/** The annotations of a deployment after rolling back to a replica set. */
export function rolledBackAnnotations(deployment: Deployment, set: ReplicaSet, keys: Keys): Annotations {
  const own = [keys.applied, keys.revision, keys.history, keys.desired, keys.max, keys.rollback];
  const kept = Object.entries(deployment.metadata.annotations ?? {}).filter(
    ([key]) => own.includes(key) && key !== keys.rollback,
  );
  const taken = Object.entries(set.metadata.annotations ?? {}).filter(([key]) => !own.includes(key));
  return Object.fromEntries([...kept, ...taken]);
}
