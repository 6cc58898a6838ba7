import { controllerReference } from '../runtime/index.ts';
import { deployments, namespaceOf, type Deployment, type Draft, type ReplicaSet } from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { POD_TEMPLATE_HASH, withoutHash, type objects } from '../../schema/index.ts';
import { deepEqual, getOwn } from '../../std/index.ts';
import { newSetAnnotations, nextRevision, revisionOf, sizeAnnotations } from './annotations.ts';
import type { Keys } from './keys.ts';
import { templateHash } from '../history/hash.ts';
import { parseCount } from './integers.ts';
import { isRolling, newSetSize, olderFirst, shrinkOld, sizeOf, spread, type Sizes } from './sizes.ts';

/** A deployment with its replica sets by role. */
export interface View {
  readonly deployment: Deployment;
  /** The set with the current template. */
  readonly newest: ReplicaSet | undefined;
  readonly old: readonly ReplicaSet[];
  /** Whether old sets have pods that are still running. */
  readonly oldPodsRun: boolean;
  readonly keys: Keys;
}

export type Step =
  | { readonly do: 'create'; readonly set: Draft<ReplicaSet>; readonly size: number }
  | { readonly do: 'update'; readonly set: ReplicaSet }
  | { readonly do: 'resize'; readonly set: ReplicaSet; readonly from: number }
  | { readonly do: 'delete'; readonly set: ReplicaSet };

const NO_LIMIT = 2147483647;

export function viewOf(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  hasPods: (set: ReplicaSet) => boolean,
  keys: Keys,
): View {
  const newest = [...sets].sort(olderFirst).find((set) => sameTemplate(set.spec.template, deployment.spec.template));
  const old = sets.filter((set) => set !== newest);
  return { deployment, newest, old, oldPodsRun: old.some(hasPods), keys };
}

/** Whether two templates are equal, ignoring the label that identifies the replica set. */
export function sameTemplate(a: objects.PodTemplateSpec | undefined, b: objects.PodTemplateSpec | undefined): boolean {
  return deepEqual(asWritten(a), asWritten(b));
}

function asWritten(template: objects.PodTemplateSpec | undefined): unknown {
  if (!template) return undefined;
  const { metadata, ...rest } = withoutHash(template);
  const { creationTimestamp: _, ...written } = metadata;
  return { ...rest, metadata: written };
}

/** The next steps. Each step depends only on the state before the first. */
export function planSteps(view: View, names: Names): readonly Step[] {
  const annotated = annotateNewest(view);
  const steps = isPausedOrScaled(view) ? planScaling(view) : planRollout(view, names);
  const touched = new Set(steps.flatMap((step) => (step.do === 'resize' ? [step.set.metadata.name] : [])));
  // A set that is resized gets its annotations in the same write.
  return annotated && !touched.has(annotated.metadata.name) ? [{ do: 'update', set: annotated }, ...steps] : steps;
}

function isPausedOrScaled({ deployment, newest, old, keys }: View): boolean {
  if (deployment.spec.paused) return true;
  const active = [...old, ...(newest ? [newest] : [])].filter((set) => sizeOf(set) > 0);
  const wanted = deployment.spec.replicas ?? 1;
  return active.some((set) => {
    const known = parseCount(getOwn(set.metadata.annotations, keys.desired));
    return known !== undefined && known !== wanted;
  });
}

/** The newest set with the desired annotations; undefined if it has them. */
function annotateNewest({ deployment, newest, old, keys }: View): ReplicaSet | undefined {
  if (!newest) return undefined;
  const annotations = newSetAnnotations(deployment, newest, nextRevision(old, keys), keys);
  const minReadySeconds = deployment.spec.minReadySeconds ?? 0;
  const same =
    deepEqual(annotations, newest.metadata.annotations ?? {}) && minReadySeconds === (newest.spec.minReadySeconds ?? 0);
  if (same) return undefined;
  return {
    ...newest,
    metadata: { ...newest.metadata, annotations: { ...annotations } },
    spec: { ...newest.spec, minReadySeconds },
  };
}

function planRollout(view: View, names: Names): readonly Step[] {
  const { deployment, newest, old, oldPodsRun } = view;
  if (!isRolling(deployment)) {
    const shrink = old.filter((set) => sizeOf(set) > 0);
    if (shrink.length > 0) return resizeAll(view, new Map(shrink.map((set) => [set, 0])));
    if (oldPodsRun) return [];
  }
  if (!newest) return [planCreate(view, names)];
  const size =
    sizeOf(newest) > (deployment.spec.replicas ?? 1)
      ? (deployment.spec.replicas ?? 1)
      : newSetSize(deployment, [...old, newest], sizeOf(newest));
  if (size !== sizeOf(newest)) return resizeAll(view, new Map([[newest, size]]));
  return isRolling(deployment) ? resizeAll(view, shrinkOld(deployment, old, newest)) : [];
}

function planCreate({ deployment, old, keys }: View, names: Names): Step {
  const { template, selector, minReadySeconds } = deployment.spec;
  const hash = templateHash(template, names, deployment.status.collisionCount);
  const size = newSetSize(deployment, old, 0);
  const labels = { ...template.metadata?.labels, [POD_TEMPLATE_HASH]: hash };
  const set: Draft<ReplicaSet> = {
    metadata: {
      name: `${deployment.metadata.name}-${hash}`,
      namespace: namespaceOf(deployment),
      labels,
      annotations: { ...newSetAnnotations(deployment, undefined, nextRevision(old, keys), keys) },
      ownerReferences: [controllerReference(deployment, deployments, names)],
    },
    spec: {
      replicas: size,
      selector: { ...selector, matchLabels: { ...selector?.matchLabels, [POD_TEMPLATE_HASH]: hash } },
      template: { ...template, metadata: { ...template.metadata, labels } },
      ...(minReadySeconds ? { minReadySeconds } : {}),
    },
  };
  return { do: 'create', set, size };
}

/** For a paused deployment, or one scaled during a rollout: only sizes change, no set is created. */
function planScaling(view: View): readonly Step[] {
  const { deployment, newest, old } = view;
  const wanted = deployment.spec.replicas ?? 1;
  const all = [...old, ...(newest ? [newest] : [])];
  const active = all.filter((set) => sizeOf(set) > 0);
  const only = active.length <= 1 ? (active[0] ?? newest ?? [...old].sort(olderFirst).at(-1)) : undefined;
  if (only) return resizeAll(view, new Map([[only, wanted]]));
  if (newest && isSaturated(newest, wanted, view.keys))
    return resizeAll(view, new Map(old.filter((set) => sizeOf(set) > 0).map((set) => [set, 0])));
  if (!isRolling(deployment)) return [];
  return [...spread(deployment, active, view.keys)].flatMap(([set, size]) =>
    size === sizeOf(set) && isNoted(view, set) ? [] : [resize(view, set, size)],
  );
}

/** Whether the newest set has all desired pods, and its annotation matches. */
function isSaturated(newest: ReplicaSet, wanted: number, keys: Keys): boolean {
  const known = parseCount(getOwn(newest.metadata.annotations, keys.desired));
  return [sizeOf(newest), known, newest.status.availableReplicas ?? 0].every((count) => count === wanted);
}

/** Steps for the sets with a wrong size. */
function resizeAll(view: View, sizes: Sizes): readonly Step[] {
  return [...sizes].flatMap(([set, size]) => (size === sizeOf(set) ? [] : [resize(view, set, size)]));
}

/**
 * Whether a set's annotation has the deployment's current size. Only proportional scaling reads it, as in the
 * reference.
 */
function isNoted({ deployment, keys }: View, { metadata }: ReplicaSet): boolean {
  const noted = Object.entries(sizeAnnotations(deployment, keys));
  return noted.every(([key, value]) => getOwn(metadata.annotations, key) === value);
}

function resize({ deployment, newest, old, keys }: View, set: ReplicaSet, size: number): Step {
  const base =
    set === newest
      ? newSetAnnotations(deployment, set, nextRevision(old, keys), keys)
      : (set.metadata.annotations ?? {});
  const annotations = { ...base, ...sizeAnnotations(deployment, keys) };
  const changed = { ...set, metadata: { ...set.metadata, annotations }, spec: { ...set.spec, replicas: size } };
  return { do: 'resize', set: changed, from: sizeOf(set) };
}

/** Old empty sets beyond the history limit. */
export function planCleanup({ deployment, old }: View): readonly Step[] {
  const limit = deployment.spec.revisionHistoryLimit;
  if (limit === undefined || limit === NO_LIMIT) return [];
  const alive = old.filter((set) => set.metadata.deletionTimestamp === undefined);
  const surplus = [...alive].sort(olderFirst).slice(0, Math.max(0, alive.length - limit));
  const isOver = (set: ReplicaSet): boolean =>
    set.status.replicas === 0 &&
    sizeOf(set) === 0 &&
    (set.metadata.generation ?? 0) <= (set.status.observedGeneration ?? 0);
  return surplus.filter(isOver).map((set) => ({ do: 'delete', set }));
}

/** The set of that revision, or for 0 the one before the newest. */
export function findRevision(sets: readonly ReplicaSet[], revision: bigint, keys: Keys): ReplicaSet | undefined {
  const wanted = revision === 0n ? secondRevision(sets, keys) : revision;
  return wanted === undefined ? undefined : sets.find((set) => revisionOf(set, keys) === wanted);
}

/** The second highest revision; undefined if there is none. */
function secondRevision(sets: readonly ReplicaSet[], keys: Keys): bigint | undefined {
  const revisions = sets.map((set) => revisionOf(set, keys) ?? 0n).sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
  return revisions[1] === 0n ? undefined : revisions[1];
}
