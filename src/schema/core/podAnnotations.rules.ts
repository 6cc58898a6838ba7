/** Rules for annotations that represent parts of a pod's spec, from before there were fields. */
import * as field from '../define/fieldErrors.ts';
import type { Path } from '../define/fieldErrors.ts';
import type { RuleContext } from '../define/kind.ts';
import { isObject, getOwn } from '../../std/index.ts';
import type { Errors } from '../meta/checks.ts';
import type { Toleration } from './affinity.ts';
import type { PodSpec } from './podSpec.ts';
import { validateTolerations } from './scheduling.rules.ts';
import { seccompFromAnnotation, seccompKeys } from './seccomp.ts';
import { validateDescendingPath } from './volumeSources.rules.ts';

type Annotations = Readonly<Record<string, string>>;

/** Annotations that stand for parts of the spec. */
export function* validatePodAnnotations(
  annotations: Annotations,
  spec: PodSpec,
  path: Path,
  { names }: RuleContext,
): Errors {
  const mirror = names.fill('{label}/config.mirror');
  if (annotations[mirror] !== undefined && !spec.nodeName) {
    yield field.invalid(
      path.key(mirror),
      annotations[mirror],
      'must set spec.nodeName if mirror pod annotation is set',
    );
  }
  const tolerations = names.fill('scheduler.alpha.{label}/tolerations');
  if (annotations[tolerations]) yield* validateTolerationsText(annotations[tolerations], tolerations, path);
  const { pod, containerPrefix } = seccompKeys(names);
  const profile = getOwn(annotations, pod);
  if (profile !== undefined) yield* validateSeccompText(profile, path.child(pod));
  const appArmor = names.fill('container.apparmor.security.beta.{label}/');
  for (const [key, value] of Object.entries(annotations))
    if (key.startsWith(containerPrefix)) yield* validateSeccompText(value, path.child(key));
  for (const [key, value] of Object.entries(annotations)) {
    if (key.startsWith(appArmor)) yield* validateAppArmor(key.slice(appArmor.length), value, spec, path.key(key));
  }
}

function* validateTolerationsText(text: string, key: string, path: Path): Errors {
  const tolerations = readTolerations(text);
  if (tolerations) yield* validateTolerations(tolerations, path.child(key));
  else yield field.invalid(path, key, 'must be a list of tolerations in JSON');
}

const TOLERATION_TEXTS = ['key', 'operator', 'value', 'effect'];

/** The tolerations in a text (`null` is empty); undefined if it is not JSON or has other content. */
function readTolerations(text: string): readonly Toleration[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text) ?? [];
    const tolerations = Array.isArray(parsed) ? parsed.map(withoutNulls) : undefined;
    return tolerations?.every(isToleration) ? tolerations : undefined;
  } catch {
    return undefined;
  }
}

/** Null counts as missing, both for members and for the whole value. */
function withoutNulls(value: unknown): unknown {
  const object = value ?? {};
  return isObject(object) ? Object.fromEntries(Object.entries(object).filter(([, member]) => member !== null)) : object;
}

function isToleration(value: unknown): value is Toleration {
  if (!isObject(value)) return false;
  const seconds = value['tolerationSeconds'] ?? 0;
  return (
    TOLERATION_TEXTS.every((name) => typeof (getOwn(value, name) ?? '') === 'string') && Number.isSafeInteger(seconds)
  );
}

/** A seccomp profile as an annotation says it. */
export function* validateSeccompText(profile: string, path: Path): Errors {
  if (profile.startsWith('localhost/')) yield* validateDescendingPath(profile.slice('localhost/'.length), path);
  else if (!seccompFromAnnotation(profile)) yield field.invalid(path, profile, 'must be a valid seccomp profile');
}

function* validateAppArmor(container: string, profile: string, spec: PodSpec, path: Path): Errors {
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? []), ...(spec.ephemeralContainers ?? [])];
  if (!containers.some(({ name }) => name === container)) yield field.invalid(path, container, 'container not found');
  yield* validateAppArmorText(profile, profile, path);
}

/** An AppArmor profile as an annotation says it; `value` is the whole annotation. */
export function* validateAppArmorText(profile: string, value: string, path: Path): Errors {
  if (['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith('localhost/')) return;
  yield field.invalid(path, value, `invalid AppArmor profile name: ${JSON.stringify(profile)}`);
}
