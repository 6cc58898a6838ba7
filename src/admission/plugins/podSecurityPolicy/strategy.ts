/** One side of a policy: what it fills in where a pod says nothing, and what it holds a pod to. */
import type { FieldErrors, objects, Path } from '../../../schema/index.ts';
import type { Names } from '../../../names/index.ts';
import type { Pod, PodSpec } from '../pods.ts';

export type Policy = objects.PodSecurityPolicy & { readonly spec: objects.PodSecurityPolicySpec };
export type AdmittedPod = Pod & { spec: PodSpec };
export type Container = objects.Container;
export type SecurityContext = objects.SecurityContext;

/** A container of a pod, where it stands, and what holds for it: its own security context before the pod's. */
export interface Contained {
  readonly pod: AdmittedPod;
  readonly container: Container;
  readonly path: Path;
  readonly context: SecurityContext;
}

export interface Strategy {
  /** Fills in the pod's own fields, in place. */
  fillPod?(pod: AdmittedPod): void;
  /** Fills in a container's fields by `set`, or the pod's annotations in place. */
  fillContainer?(contained: Contained, set: (fields: Partial<SecurityContext>) => void): void;
  checkPod?(pod: AdmittedPod): FieldErrors;
  checkContainer?(contained: Contained): FieldErrors;
}

/** Makes a strategy from a policy. Throws PolicyError where the policy makes no sense. */
export type StrategyMaker = (policy: Policy, names: Names) => Strategy;

/** A policy that can't be applied; it counts as if it was not there. */
export class PolicyError extends Error {
  override name = 'PolicyError';
}

/** What holds for a container: what it says itself, and for the rest what its pod says. */
export function effectiveContext(pod: AdmittedPod, container: Container): SecurityContext {
  const { seLinuxOptions, runAsUser, runAsGroup, runAsNonRoot } = pod.spec.securityContext ?? {};
  const inherited = Object.entries({ seLinuxOptions, runAsUser, runAsGroup, runAsNonRoot });
  const said = Object.fromEntries(inherited.filter(([, value]) => value !== undefined)) as SecurityContext;
  return { ...said, ...container.securityContext };
}
