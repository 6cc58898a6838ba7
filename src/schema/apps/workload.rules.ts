/** The rules that workloads have in common: their selector, and the template of their pods. */
import * as field from '../define/fieldErrors.ts';
import type { Path } from '../define/fieldErrors.ts';
import type { RuleContext } from '../define/kind.ts';
import { nonNegative, type Errors } from '../meta/checks.ts';
import { validateLabelSelector } from '../meta/labelSelector.rules.ts';
import { dropDisabledPodFields } from '../core/podFields.ts';
import type { PodSpec, PodTemplateSpec } from '../core/podSpec.ts';
import { validatePodTemplate, validateSharedDisks } from '../core/podSpec.rules.ts';
import type { LabelSelector, Selector } from '../values/labelSelector.ts';

/** A selector that must exist and not be empty; `kind` is the reference's name of the workload. */
export function* validateSelector(selector: LabelSelector | null | undefined, kind: string, path: Path): Errors {
  if (!selector) return yield field.required(path);
  yield* validateLabelSelector(selector, path);
  if (isEmpty(selector)) yield field.invalid(path, selector, `empty selector is invalid for ${kind}`);
}

export const isEmpty = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean =>
  Object.keys(matchLabels).length + matchExpressions.length === 0;

/** A workload has to select the pods that it makes. */
export function* validateSelected(template: PodTemplateSpec, selector: Selector, path: Path): Errors {
  const labels = template.metadata.labels ?? {};
  if (selector.matchesEverything || selector.matches(labels)) return;
  yield field.invalid(path.child('metadata', 'labels'), labels, '`selector` does not match template `labels`');
}

/** Pods of a workload that keeps them running always restart, and have no deadline. */
export function* validateLongRunning(spec: PodSpec, kind: string, path: Path): Errors {
  const policy = spec.restartPolicy ?? '';
  if (policy !== 'Always') yield field.notSupported(path.child('restartPolicy'), policy, ['Always']);
  if (spec.activeDeadlineSeconds === undefined) return;
  yield field.forbidden(path.child('activeDeadlineSeconds'), `activeDeadlineSeconds in ${kind} is not Supported`);
}

/** The template of a workload with a number of replicas; `kind` as above. */
export function* validateReplicatedTemplate(
  template: PodTemplateSpec | undefined,
  selector: Selector,
  replicas: number,
  kind: string,
  path: Path,
  context: RuleContext,
): Errors {
  if (!template) return yield field.required(path);
  yield* validateSelected(template, selector, path);
  yield* validatePodTemplate(template, path, context);
  if (replicas > 1) yield* validateSharedDisks(template.spec, path.child('spec', 'volumes'));
  yield* validateLongRunning(template.spec, kind, path.child('spec'));
}

export interface ReplicaStatus {
  readonly replicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly observedGeneration?: number;
}

/** The status of replica sets and replication controllers. */
export function* validateReplicaStatus(status: ReplicaStatus, path: Path): Errors {
  const { replicas = 0, readyReplicas = 0, availableReplicas = 0 } = status;
  for (const name of [
    'replicas',
    'fullyLabeledReplicas',
    'readyReplicas',
    'availableReplicas',
    'observedGeneration',
  ] as const) {
    yield* nonNegative(status[name], path.child(name));
  }
  for (const name of ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const) {
    if ((status[name] ?? 0) > replicas)
      yield field.invalid(path.child(name), status[name] ?? 0, 'cannot be greater than status.replicas');
  }
  if (availableReplicas > readyReplicas)
    yield field.invalid(path.child('availableReplicas'), availableReplicas, 'cannot be greater than readyReplicas');
}

/** How often a workload's revisions collided only grows. */
export function* validateCollisions(count: number | undefined, old: number | undefined, path: Path): Errors {
  if (old !== undefined && (count === undefined || count < old))
    yield field.invalid(path, count ?? 0, 'cannot be decremented');
}

interface Templated {
  readonly spec: { readonly template?: PodTemplateSpec };
}

/** Drops fields of the template that a gate guards. */
export function dropDisabledTemplateFields(object: Templated, old: Templated | undefined, context: RuleContext): void {
  dropDisabledPodFields(object.spec.template?.spec, old?.spec.template?.spec, context);
}
