/** Pods: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { getOwn, Recent } from '../../std/index.ts';
import { complaints, each, present, sameValue, type Errors } from '../meta/checks.ts';
import { checkAddress, isIPv6, parseAddress } from '../values/addresses.ts';
import { checkQualifiedName, checkSubdomain } from '../values/names.ts';
import type { Toleration } from './affinity.ts';
import { validateEphemeralContainers, validateImage, validateImages } from './container.rules.ts';
import type { Container } from './container.ts';
import type { ContainerStatus } from './containerStatus.ts';
import type { Pod } from './pod.ts';
import type { PodSpec } from './podSpec.ts';
import { dropDisabledPodFields } from './podFields.ts';
import { validatePodAnnotations } from './podAnnotations.rules.ts';
import { validatePodSpec } from './podSpec.rules.ts';
import { qosClassOf } from './qos.ts';
import { validateTolerations } from './scheduling.rules.ts';
import { synchronizeSeccomp } from './seccomp.ts';
import { validateSeccompAgreement } from './securityContext.rules.ts';

const METADATA = Path.of('metadata');
const SPEC = Path.of('spec');
const STATUS = Path.of('status');
const MAX_INT32 = 2147483647;
const MOST_VALID = 128;

function* validate(pod: Pod, context: RuleContext): Errors {
  yield* validatePodAnnotations(pod.metadata.annotations ?? {}, pod.spec, METADATA.child('annotations'), context);
  if (!pod.spec || !valid.get(pod.spec)) yield* validateSpec(pod, context);
}

/** Shared specifications that were found to be valid, and whose errors would hang on nothing but them. */
const valid = new Recent<PodSpec, true>(MOST_VALID);

function* validateSpec(pod: Pod, context: RuleContext): Errors {
  const errors = [...validateEachSpec(pod, context)];
  // The names of claims for ephemeral volumes begin with the pod's.
  const isNamed = pod.spec?.volumes?.some(({ ephemeral }) => ephemeral);
  if (errors.length === 0 && pod.spec && Object.isFrozen(pod.spec) && !isNamed) valid.set(pod.spec, true);
  yield* errors;
}

function* validateEachSpec(pod: Pod, context: RuleContext): Errors {
  yield* validatePodSpec(pod.spec, SPEC, context, pod.metadata.name);
  if (!pod.spec?.serviceAccountName) yield* validateNoTokens(pod);
  yield* validateImages(pod.spec?.containers, SPEC.child('containers'));
  yield* validateImages(pod.spec?.initContainers, SPEC.child('initContainers'));
}

/** Without a service account there is nothing that a token could be for. */
function* validateNoTokens({ spec }: Pod): Errors {
  yield* each(spec?.volumes, SPEC.child('volumes'), (volume, at) =>
    each(volume.projected?.sources, at.child('projected', 'sources'), function* (source, item) {
      if (source.serviceAccountToken)
        yield field.forbidden(
          item.child('serviceAccountToken'),
          'must not be specified when serviceAccountName is not set',
        );
    }),
  );
}

function* validateNew(pod: Pod, context: RuleContext): Errors {
  if ((pod.spec?.ephemeralContainers ?? []).length > 0)
    yield field.forbidden(SPEC.child('ephemeralContainers'), 'cannot be set on create');
  if (pod.spec) yield* validateSeccompAgreement(pod.metadata.annotations ?? {}, pod.spec, SPEC, context);
}

/** Annotations that a running pod's containers were started with can't change. */
function* validateAnnotationsUpdate(pod: Pod, old: Pod, context: RuleContext): Errors {
  const path = METADATA.child('annotations');
  const [now, before] = [pod.metadata.annotations ?? {}, old.metadata.annotations ?? {}];
  const appArmor = context.names.fill('container.apparmor.security.beta.{label}/');
  const mirror = context.names.fill('{label}/config.mirror');
  for (const key of new Set([...Object.keys(before), ...Object.keys(now)])) {
    if (getOwn(now, key) === getOwn(before, key)) continue;
    const change = getOwn(before, key) === undefined ? 'add' : 'remove or update';
    if (key.startsWith(appArmor)) yield field.forbidden(path.key(key), `may not ${change} AppArmor annotations`);
    if (key === mirror) yield field.forbidden(path.key(key), `may not ${change} mirror pod annotation`);
  }
  yield* validatePodAnnotations(now, pod.spec, path, context);
}

const IMMUTABLE =
  'pod updates may not change fields other than `spec.containers[*].image`, `spec.initContainers[*].image`, `spec.activeDeadlineSeconds` or `spec.tolerations` (only additions to existing tolerations)';

function* validateUpdate(pod: Pod, old: Pod, context: RuleContext): Errors {
  yield* validateAnnotationsUpdate(pod, old, context);
  const [spec, before] = [pod.spec ?? { containers: [] }, old.spec ?? { containers: [] }];
  for (const list of ['containers', 'initContainers'] as const) {
    const errors = [...validateContainersUpdate(spec[list] ?? [], before[list] ?? [], SPEC.child(list))];
    yield* errors;
    if (errors.some((error) => error.reason === 'FieldValueForbidden')) return;
  }
  const deadline = [...validateDeadline(spec, before)];
  yield* deadline;
  if (deadline.length > 0 && spec.activeDeadlineSeconds !== undefined) return;
  yield* validateAddedTolerations(spec.tolerations ?? [], before.tolerations ?? [], SPEC.child('tolerations'));
  if (!sameValue(withoutMutable(spec, before), before)) yield field.forbidden(SPEC, IMMUTABLE);
}

function* validateContainersUpdate(containers: readonly Container[], old: readonly Container[], path: Path): Errors {
  if (containers.length !== old.length)
    return yield field.forbidden(path, 'pod updates may not add or remove containers');
  yield* each(containers, path, function* ({ image = '' }, at) {
    yield* present(image, at.child('image'));
    yield* validateImage(image, at.child('image'));
  });
}

/** A deadline can be set, and brought forward. */
function* validateDeadline(
  { activeDeadlineSeconds: deadline }: PodSpec,
  { activeDeadlineSeconds: old }: PodSpec,
): Errors {
  const path = SPEC.child('activeDeadlineSeconds');
  if (deadline === undefined) {
    if (old !== undefined) yield field.invalid(path, null, 'must not update from a positive integer to nil value');
  } else if (deadline < 0 || deadline > MAX_INT32)
    yield field.invalid(path, deadline, `must be between 0 and ${MAX_INT32}, inclusive`);
  else if (old !== undefined && old < deadline)
    yield field.invalid(path, deadline, 'must be less than or equal to previous value');
}

function* validateAddedTolerations(tolerations: readonly Toleration[], old: readonly Toleration[], path: Path): Errors {
  const untimed = ({ tolerationSeconds: _, ...toleration }: Toleration): object => toleration;
  const kept = old.every((before) => tolerations.some((now) => sameValue(untimed(now), untimed(before))));
  if (!kept) yield field.forbidden(path, 'existing toleration can not be modified except its tolerationSeconds');
  else yield* validateTolerations(tolerations, path);
}

/** The spec with everything that may change as it was before. */
function withoutMutable(spec: PodSpec, old: PodSpec): PodSpec {
  const { activeDeadlineSeconds: _deadline, tolerations: _tolerations, ...rest } = spec;
  const withOldImages = (
    containers: readonly Container[] | null | undefined,
    before: readonly Container[] | null | undefined,
  ): Container[] =>
    (containers ?? []).map((container, i) => {
      const { image: _image, ...other } = container;
      const image = before?.[i]?.image;
      return image === undefined ? other : { ...other, image };
    });
  return {
    ...rest,
    containers: withOldImages(spec.containers, old.containers),
    initContainers: withOldImages(spec.initContainers, old.initContainers),
    ...(old.activeDeadlineSeconds === undefined ? {} : { activeDeadlineSeconds: old.activeDeadlineSeconds }),
    ...(old.tolerations === undefined ? {} : { tolerations: old.tolerations }),
  };
}

/** Ephemeral containers can only be added and never change; all volumes count, valid or not. */
function* validateEphemeralUpdate({ spec }: Pod, { spec: old }: Pod, context: RuleContext): Errors {
  const path = SPEC.child('ephemeralContainers');
  const { containers, initContainers, ephemeralContainers = [] } = spec;
  const volumes = new Map((spec.volumes ?? []).map((volume) => [volume.name, volume]));
  const others = [...(containers ?? []), ...(initContainers ?? [])];
  yield* validateEphemeralContainers(ephemeralContainers, others, volumes, path, context);
  for (const before of old.ephemeralContainers ?? []) {
    const now = ephemeralContainers.findLast(({ name }) => name === before.name);
    const named = `existing ephemeral containers ${JSON.stringify(before.name)}`;
    if (!now) yield field.forbidden(path, `${named} may not be removed`);
    else if (!sameValue(before, now)) yield field.forbidden(path, `${named} may not be changed`);
  }
}

const SYSTEM_CONDITIONS = ['PodScheduled', 'Ready', 'Initialized'];

function* validateStatusUpdate(pod: Pod, old: Pod, context: RuleContext): Errors {
  yield* validateAnnotationsUpdate(pod, old, context);
  const { conditions, nominatedNodeName = '', containerStatuses, initContainerStatuses } = pod.status ?? {};
  yield* each(conditions, METADATA.child('conditions'), ({ type }, at) =>
    SYSTEM_CONDITIONS.includes(type) ? [] : complaints(at.child('Type'), type, checkQualifiedName(type)),
  );
  if (nominatedNodeName !== '' && nominatedNodeName !== old.status?.nominatedNodeName) {
    yield* complaints(STATUS.child('nominatedNodeName'), nominatedNodeName, checkSubdomain(nominatedNodeName));
  }
  const policy = old.spec?.restartPolicy;
  yield* validateTransitions(
    containerStatuses,
    old.status?.containerStatuses,
    policy,
    STATUS.child('containerStatuses'),
  );
  yield* validateTransitions(
    initContainerStatuses,
    old.status?.initContainerStatuses,
    policy,
    STATUS.child('initContainerStatuses'),
  );
  yield* validateIPs(pod);
}

/** A container that is not to be restarted stays terminated. */
function* validateTransitions(
  statuses: readonly ContainerStatus[] | undefined,
  old: readonly ContainerStatus[] | undefined,
  policy: string | undefined,
  path: Path,
): Errors {
  if (policy === 'Always') return;
  yield* each(old, path, function* (before, at) {
    const terminated = before.state?.terminated;
    if (!terminated || (terminated.exitCode !== 0 && policy === 'OnFailure')) return;
    const revived = (statuses ?? []).some((now) => now.name === before.name && !now.state?.terminated);
    if (revived) yield field.forbidden(at.child('state'), 'may not be transitioned to non-terminated state');
  });
}

function* validateIPs({ status }: Pod): Errors {
  const path = STATUS.child('podIPs');
  const addresses = (status?.podIPs ?? []).map(({ ip = '' }) => ip);
  yield* each(addresses, path, (address, at) => complaints(at, address, checkAddress(address)));
  if (addresses.length < 2) return;
  const families = new Set(addresses.map((address) => parseAddress(address)).map((parsed) => parsed && isIPv6(parsed)));
  if (families.has(undefined)) yield field.internal(path, 'failed to check for dual stack');
  if (families.has(undefined) || families.size !== 2 || addresses.length > 2)
    yield field.invalid(path, addresses, 'may specify no more than one IP for each IP family');
  yield* each(addresses, path, (address, at, i) =>
    addresses.indexOf(address) < i ? [field.duplicate(at, address)] : [],
  );
}

export const podRules: Rules<Pod> = {
  alike: ({ metadata, spec }) => `${metadata.namespace} ${spec?.containers?.map(({ image }) => image).join(' ')}`,
  prepareCreate: (pod, context) => {
    pod.status = { phase: 'Pending', qosClass: qosClassOf(pod.spec) };
    dropDisabledPodFields(pod.spec, undefined, context);
    synchronizeSeccomp(pod, context.names);
  },
  prepareUpdate: (pod, old, context) => dropDisabledPodFields(pod.spec, old.spec, context),
  prepareStatusUpdate: (pod, old) => {
    if (old.spec) pod.spec = old.spec;
    delete pod.metadata.deletionTimestamp;
    if (old.metadata.ownerReferences) pod.metadata.ownerReferences = old.metadata.ownerReferences;
    else delete pod.metadata.ownerReferences;
  },
  validate: (pod, context) => [...validate(pod, context)],
  updateChecks: ['metadata', 'alone', 'change'],
  validateCreate: (pod, context) => [...validateNew(pod, context)],
  validateUpdate: (pod, old, context) => [...validateUpdate(pod, old, context)],
  validateStatusUpdate: (pod, old, context) => [...validateStatusUpdate(pod, old, context)],
  views: {
    // The subresource writes nothing else into the pod.
    ephemeralContainers: {
      prepare: () => undefined,
      validate: (pod, old, context) => [...validateEphemeralUpdate(pod, old, context)],
    },
  },
  /** A pod that no node runs, or that has run, goes at once. */
  gracePeriod: ({ spec, status }, requested) => {
    const ended = status?.phase === 'Failed' || status?.phase === 'Succeeded';
    return !spec?.nodeName || ended ? 0 : (requested ?? spec.terminationGracePeriodSeconds ?? 0);
  },
};
