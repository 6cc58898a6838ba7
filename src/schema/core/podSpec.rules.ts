/** The rules for pod specs, in pods and in the templates from which they are made. */
import * as field from '../define/fieldErrors.ts';
import type { Path } from '../define/fieldErrors.ts';
import type { RuleContext } from '../define/kind.ts';
import { complaints, each, oneOf, type Errors } from '../meta/checks.ts';
import { validateAnnotations, validateLabels } from '../meta/objectMeta.rules.ts';
import { parseAddress } from '../values/addresses.ts';
import { checkLabel, checkQualifiedName, checkSubdomain } from '../values/names.ts';
import { validateContainers, validateEphemeralContainers, validateInitContainers } from './container.rules.ts';
import { validatePodAnnotations } from './podAnnotations.rules.ts';
import type { HostAlias, PodDNSConfig, PodSpec, PodTemplateSpec } from './podSpec.ts';
import { validateRequirements } from './resources.rules.ts';
import { validateAffinity, validateSpreading, validateTolerations } from './scheduling.rules.ts';
import { validatePodSecurityContext, validateSeccompAgreement } from './securityContext.rules.ts';
import { validateVolumes } from './volumes.rules.ts';

const MAX_INT32 = 2147483647;

export const RESTART_POLICIES = ['Always', 'OnFailure', 'Never'];
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
const PREEMPTION_POLICIES = ['PreemptLowerPriority', 'Never'];

export function* validatePodSpec(spec: PodSpec, path: Path, context: RuleContext, podName = ''): Errors {
  const { valid: volumes, errors } = validateVolumes(spec.volumes, path.child('volumes'), context, podName);
  const { containers, initContainers = [] } = spec;
  yield* errors;
  yield* validateContainers(containers, volumes, path.child('containers'), context);
  yield* validateInitContainers(initContainers, containers ?? [], volumes, path.child('initContainers'), context);
  yield* validateEphemeralContainers(
    spec.ephemeralContainers,
    [...(containers ?? []), ...initContainers],
    volumes,
    path.child('ephemeralContainers'),
    context,
  );
  yield* requiredOneOf(spec.restartPolicy, RESTART_POLICIES, path.child('restartPolicy'));
  yield* requiredOneOf(spec.dnsPolicy, DNS_POLICIES, path.child('dnsPolicy'));
  yield* validateLabels(spec.nodeSelector, path.child('nodeSelector'));
  yield* validatePodSecurityContext(spec.securityContext, spec, path);
  if (spec.affinity) yield* validateAffinity(spec.affinity, path.child('affinity'));
  yield* validateDNS(spec.dnsConfig, spec.dnsPolicy, path.child('dnsConfig'));
  yield* each(spec.readinessGates, path.child('readinessGates'), ({ conditionType: type }, at) =>
    complaints(at.child('conditionType'), type, checkQualifiedName(type)),
  );
  yield* validateSpreading(spec.topologySpreadConstraints, path.child('topologySpreadConstraints'));
  yield* validateNames(spec, path);
  yield* validateTolerations(spec.tolerations, path.child('tolerations'));
  yield* validateHostAliases(spec.hostAliases, path.child('hostAliases'));
  yield* validateScheduling(spec, path, context);
}

function* requiredOneOf(value: string | undefined, supported: readonly string[], path: Path): Errors {
  if (!value) yield field.required(path);
  else yield* oneOf(value, supported, path);
}

/** Names of other objects, and the pod's own in DNS. */
function* validateNames(spec: PodSpec, path: Path): Errors {
  for (const name of ['serviceAccountName', 'nodeName'] as const)
    if (spec[name]) yield* complaints(path.child(name), spec[name], checkSubdomain(spec[name]));
  const deadline = spec.activeDeadlineSeconds;
  if (deadline !== undefined && (deadline < 1 || deadline > MAX_INT32))
    yield field.invalid(path.child('activeDeadlineSeconds'), deadline, `must be between 1 and ${MAX_INT32}, inclusive`);
  for (const name of ['hostname', 'subdomain'] as const)
    if (spec[name]) yield* complaints(path.child(name), spec[name], checkLabel(spec[name]));
}

function* validateScheduling(spec: PodSpec, path: Path, { names }: RuleContext): Errors {
  const { priorityClassName, runtimeClassName, preemptionPolicy, overhead } = spec;
  if (priorityClassName)
    yield* complaints(path.child('priorityClassName'), priorityClassName, checkSubdomain(priorityClassName));
  if (runtimeClassName !== undefined)
    yield* complaints(path.child('runtimeClassName'), runtimeClassName, checkSubdomain(runtimeClassName));
  if (preemptionPolicy !== undefined)
    yield* requiredOneOf(preemptionPolicy, PREEMPTION_POLICIES, path.child('preemptionPolicy'));
  if (overhead) yield* validateRequirements({ limits: overhead }, path.child('overhead'), names);
}

/** Limits of the C library's resolver. */
const MAX_NAMESERVERS = 3;
const MAX_SEARCHES = 6;
const MAX_SEARCH_CHARACTERS = 256;

function* validateDNS(config: PodDNSConfig | undefined, policy: string | undefined, path: Path): Errors {
  if (policy === 'None' && !config)
    return yield field.required(path, 'must provide `dnsConfig` when `dnsPolicy` is None');
  const { nameservers = [], searches = [], options = [] } = config ?? {};
  if (policy === 'None' && nameservers.length === 0) {
    return yield field.required(
      path.child('nameservers'),
      'must provide at least one DNS nameserver when `dnsPolicy` is None',
    );
  }
  if (nameservers.length > MAX_NAMESERVERS)
    yield field.invalid(
      path.child('nameservers'),
      nameservers,
      `must not have more than ${MAX_NAMESERVERS} nameservers`,
    );
  yield* each(nameservers, path.child('nameservers'), (server, at) =>
    parseAddress(server) ? [] : [field.invalid(at, server, 'must be valid IP address')],
  );
  if (searches.length > MAX_SEARCHES)
    yield field.invalid(path.child('searches'), searches, `must not have more than ${MAX_SEARCHES} search paths`);
  if (searches.join(' ').length > MAX_SEARCH_CHARACTERS) {
    yield field.invalid(
      path.child('searches'),
      searches,
      `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`,
    );
  }
  yield* each(searches, path.child('searches'), (search, at) =>
    complaints(at, search, checkSubdomain(search.replace(/\.$/, ''))),
  );
  yield* each(options, path.child('options'), ({ name }, at) =>
    name ? [] : [field.required(at, 'must not be empty')],
  );
}

function* validateHostAliases(aliases: readonly HostAlias[] | undefined, path: Path): Errors {
  // The reference reports these without an index.
  for (const { ip = '', hostnames = [] } of aliases ?? []) {
    if (!parseAddress(ip)) yield field.invalid(path.child('ip'), ip, 'must be valid IP address');
    for (const name of hostnames) yield* complaints(path.child('hostnames'), name, checkSubdomain(name));
  }
}

/** A template; its metadata's parts are reported without `metadata`, as the reference does. */
export function* validatePodTemplate(template: PodTemplateSpec, path: Path, context: RuleContext): Errors {
  const { labels, annotations = {} } = template.metadata ?? {};
  yield* validateLabels(labels, path.child('labels'));
  yield* validateAnnotations(annotations, path.child('annotations'));
  yield* validatePodAnnotations(annotations, template.spec, path.child('annotations'), context);
  yield* validatePodSpec(template.spec, path.child('spec'), context);
  yield* validateSeccompAgreement(annotations, template.spec ?? {}, path.child('spec'), context);
  if ((template.spec?.ephemeralContainers ?? []).length > 0)
    yield field.forbidden(
      path.child('spec', 'ephemeralContainers'),
      'ephemeral containers not allowed in pod template',
    );
}

/** A disk that several machines mount has to be read-only. */
export function* validateSharedDisks(spec: PodSpec | undefined, path: Path): Errors {
  yield* each(spec?.volumes, path, function* ({ gcePersistentDisk: disk }, at) {
    if (!disk || disk.readOnly) return;
    yield field.invalid(
      at.child('gcePersistentDisk', 'readOnly'),
      false,
      'must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only',
    );
  });
}
