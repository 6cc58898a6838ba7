/** Runtime classes of v1alpha1 have a spec with the fields that later versions have at the top. */
import type { RuntimeClass, RuntimeClassV1alpha1 } from './runtimeClass.ts';

export function toHubFromAlpha({ spec, ...object }: RuntimeClassV1alpha1): object {
  const { runtimeHandler, overhead, scheduling } = spec;
  return { ...object, handler: runtimeHandler, overhead, scheduling };
}

export function toAlphaFromHub({ handler, overhead, scheduling, ...object }: RuntimeClass): object {
  return { ...object, spec: { runtimeHandler: handler, overhead, scheduling } };
}
