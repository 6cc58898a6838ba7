/** Metadata that only the server sets. */
import type { ApiObject } from '../../schema/index.ts';
import { deepEqual, getOwn } from '../../std/index.ts';

/** Sets the identity of a new object. */
export function resetSystemMetadata(object: ApiObject, now: string, uid: string): void {
  object.metadata.creationTimestamp = now;
  object.metadata.uid = uid;
  delete object.metadata.selfLink;
}

/** An update can't change an object's identity, nor undo its deletion. */
export function keepSystemMetadata(object: ApiObject, existing: ApiObject): void {
  const { metadata } = object;
  const old = existing.metadata;
  delete metadata.clusterName;
  if (!metadata.uid && old.uid) metadata.uid = old.uid;
  metadata.creationTimestamp = old.creationTimestamp;
  if (old.deletionTimestamp !== undefined) metadata.deletionTimestamp = old.deletionTimestamp;
  if (old.deletionGracePeriodSeconds !== undefined)
    metadata.deletionGracePeriodSeconds ??= old.deletionGracePeriodSeconds;
}

export type GenerationRule = boolean | ((object: unknown, old: unknown) => boolean);

/** Increments the generation if the kind's desired state changed. */
export function keepGeneration(object: ApiObject, existing: ApiObject, rule: GenerationRule | undefined): void {
  if (!rule) return;
  const changed = rule === true ? !sameSpec(object, existing) : rule(object, existing);
  if (changed) object.metadata.generation = (existing.metadata.generation ?? 0) + 1;
}

function sameSpec(object: ApiObject, existing: ApiObject): boolean {
  const names = new Set([...Object.keys(object), ...Object.keys(existing)]);
  return [...names].every(
    (name) => name === 'metadata' || name === 'status' || sameField(getOwn(object, name), getOwn(existing, name)),
  );
}

/** An empty list and a missing list are equal. */
const sameField = (a: unknown, b: unknown): boolean => (isNothing(a) && isNothing(b)) || deepEqual(a, b);

const isNothing = (value: unknown): boolean => value == null || (Array.isArray(value) && value.length === 0);
