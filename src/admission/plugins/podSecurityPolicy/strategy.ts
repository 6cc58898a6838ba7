/** One aspect of a policy: its defaults and its validation. */
import type { FieldErrors, objects, Path } from '../../../schema/index.ts';
import type { Names } from '../../../names/index.ts';
import type { Pod, PodSpec } from '../pods.ts';

export type Policy = objects.PodSecurityPolicy & { readonly spec: objects.PodSecurityPolicySpec };
export type AdmittedPod = Pod & { spec: PodSpec };
export type Container = objects.Container;
export type SecurityContext = objects.SecurityContext;

/** A container, its path, and its effective security context: its own fields before the pod's. */
export interface Contained {
  readonly pod: AdmittedPod;
  readonly container: Container;
  readonly path: Path;
  readonly context: SecurityContext;
}

export interface Strategy {
  /** Sets defaults in the pod, in place. */
  fillPod?(pod: AdmittedPod): void;
  /** Sets defaults in a container with `set`, or in the pod's annotations in place. */
  fillContainer?(contained: Contained, set: (fields: Partial<SecurityContext>) => void): void;
  checkPod?(pod: AdmittedPod): FieldErrors;
  checkContainer?(contained: Contained): FieldErrors;
}

/** Creates a strategy from a policy. Throws PolicyError for an invalid policy. */
export type StrategyMaker = (policy: Policy, names: Names) => Strategy;

/** An invalid policy; it is ignored. */
export class PolicyError extends Error {
  override name = 'PolicyError';
}

/** A container's effective security context: its own fields, otherwise the pod's. */
export function effectiveContext(pod: AdmittedPod, container: Container): SecurityContext {
  const { seLinuxOptions, runAsUser, runAsGroup, runAsNonRoot } = pod.spec.securityContext ?? {};
  const inherited = Object.entries({ seLinuxOptions, runAsUser, runAsGroup, runAsNonRoot });
  const said = Object.fromEntries(inherited.filter(([, value]) => value !== undefined)) as SecurityContext;
  return { ...said, ...container.securityContext };
}
