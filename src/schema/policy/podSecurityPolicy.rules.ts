/** Pod security policies: what is prepared and checked before one is stored. */
import { getOwn } from '../../std/index.ts';
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { complaints, each, oneOf, present, type Errors } from '../meta/checks.ts';
import { validateAppArmorText, validateSeccompText } from '../core/podAnnotations.rules.ts';
import { validateDriverName } from '../core/volumeSources.rules.ts';
import { checkSubdomain } from '../values/names.ts';
import type {
  AllowedHostPath,
  IDRange,
  PodSecurityPolicy,
  PodSecurityPolicySpec,
  RunAsGroupStrategyOptions,
  RuntimeClassStrategyOptions,
} from './podSecurityPolicy.ts';
import { validateSysctlLists } from './sysctls.rules.ts';

const SPEC = Path.of('spec');
const ANNOTATIONS = Path.of('metadata', 'annotations');
const GROUP_RULES = ['MayRunAs', 'MustRunAs', 'RunAsAny'];

const VOLUMES = [
  ...['*', 'awsElasticBlockStore', 'azureDisk', 'azureFile', 'cephFS', 'cinder', 'configMap', 'csi', 'downwardAPI'],
  ...['emptyDir', 'ephemeral', 'fc', 'flexVolume', 'flocker', 'gcePersistentDisk', 'gitRepo', 'glusterfs', 'hostPath'],
  ...['iscsi', 'nfs', 'persistentVolumeClaim', 'photonPersistentDisk', 'portworxVolume', 'projected', 'quobyte', 'rbd'],
  ...['scaleIO', 'secret', 'storageos', 'vsphereVolume'],
];

function* validateSpec(spec: PodSecurityPolicySpec): Errors {
  yield* validateStrategy(spec.runAsUser, ['MustRunAs', 'MustRunAsNonRoot', 'RunAsAny'], SPEC.child('runAsUser'));
  if (spec.runAsGroup) yield* validateRunAsGroup(spec.runAsGroup, SPEC.child('runAsGroup'));
  yield* oneOf(spec.seLinux.rule, ['MustRunAs', 'RunAsAny'], SPEC.child('seLinux', 'rule'));
  yield* validateStrategy(spec.supplementalGroups, GROUP_RULES, SPEC.child('supplementalGroups'));
  yield* validateStrategy(spec.fsGroup, GROUP_RULES, SPEC.child('fsGroup'));
  for (const volume of spec.volumes ?? []) yield* oneOf(volume, VOLUMES, SPEC.child('volumes'));
  yield* validateCapabilities(spec);
  if (spec.defaultAllowPrivilegeEscalation && !spec.allowPrivilegeEscalation)
    yield field.invalid(
      SPEC.child('defaultAllowPrivilegeEscalation'),
      true,
      'Cannot set DefaultAllowPrivilegeEscalation to true without also setting AllowPrivilegeEscalation to true',
    );
  yield* each(spec.allowedProcMountTypes, SPEC.child('allowedProcMountTypes'), (type, at) =>
    oneOf(type, ['Default', 'Unmasked'], at),
  );
  yield* validateHostPaths(spec.allowedHostPaths ?? [], SPEC.child('allowedHostPaths'));
  // The reference names these lists twice.
  yield* each(spec.allowedFlexVolumes, SPEC.child('allowedFlexVolumes', 'allowedFlexVolumes'), ({ driver }, at) =>
    present(driver, at.child('driver'), 'must specify a driver'),
  );
  yield* each(spec.allowedCSIDrivers, SPEC.child('allowedCSIDrivers', 'allowedCSIDriver'), ({ name }, at) =>
    validateDriverName(name, at.child('name')),
  );
  yield* validateSysctlLists(spec, SPEC);
  if (spec.runtimeClass) yield* validateRuntimeClass(spec.runtimeClass, SPEC.child('runtimeClass'));
}

interface Strategy {
  readonly rule?: string;
  readonly ranges?: readonly IDRange[];
}

function* validateStrategy({ rule, ranges }: Strategy, rules: readonly string[], path: Path): Errors {
  yield* oneOf(rule, rules, path.child('rule'));
  yield* each(ranges, path.child('ranges'), validateRange);
}

function* validateRunAsGroup({ rule, ranges = [] }: RunAsGroupStrategyOptions, path: Path): Errors {
  const at = path.child('ranges');
  if (!GROUP_RULES.includes(rule)) return yield field.notSupported(path.child('rule'), rule, GROUP_RULES);
  const any = rule === 'RunAsAny';
  if (any && ranges.length > 0) yield field.invalid(at, ranges, 'Ranges must be empty');
  if (!any && ranges.length === 0) yield field.invalid(at, ranges, 'must provide at least one range');
  if (!any) yield* each(ranges, at, validateRange);
}

function* validateRange({ min, max }: IDRange, path: Path): Errors {
  if (min < 0) yield field.invalid(path.child('min'), min, 'min cannot be negative');
  if (max < 0) yield field.invalid(path.child('max'), max, 'max cannot be negative');
  if (min > max) yield field.invalid(path.child('min'), min, 'min cannot be greater than max');
}

/** Reported without `spec`, as the reference does. */
function* validateCapabilities(spec: PodSecurityPolicySpec): Errors {
  const dropped = spec.requiredDropCapabilities ?? [];
  if (dropped.length > 0 && spec.allowedCapabilities?.includes('*'))
    yield field.invalid(
      'requiredDropCapabilities',
      dropped,
      'must be empty when all capabilities are allowed by a wildcard',
    );
  for (const list of ['defaultAddCapabilities', 'allowedCapabilities'] as const) {
    for (const capability of spec[list] ?? []) {
      if (dropped.includes(capability))
        yield field.invalid(list, capability, `capability is listed in ${list} and requiredDropCapabilities`);
    }
  }
}

function* validateHostPaths(paths: readonly AllowedHostPath[], path: Path): Errors {
  for (const [i, { pathPrefix = '' }] of paths.entries()) {
    if (pathPrefix === '') return yield field.required(path.index(i), 'is required');
    if (pathPrefix.split('/').includes('..')) yield field.invalid(path.index(i), pathPrefix, "must not contain '..'");
  }
}

function* validateRuntimeClass(options: RuntimeClassStrategyOptions, path: Path): Errors {
  const names = options.allowedRuntimeClassNames ?? [];
  const at = path.child('allowedRuntimeClassNames');
  yield* each(names, at, function* (name, item, i) {
    if (name !== '*') yield* complaints(item, name, checkSubdomain(name));
    if (names.indexOf(name) < i) yield field.duplicate(item, name);
  });
  const chosen = options.defaultRuntimeClassName;
  if (chosen !== undefined) {
    yield* complaints(path.child('defaultRuntimeClassName'), chosen, checkSubdomain(chosen));
    if (!names.includes(chosen) && !names.includes('*'))
      yield field.required(at, `default ${JSON.stringify(chosen)} must be allowed`);
  }
  if (names.includes('*') && names.length > 1)
    yield field.invalid(at, names, "if '*' is present, must not specify other RuntimeClass names");
}

/** Profiles that pods get and may have, which there are no fields for. */
function* validateProfiles({ metadata }: PodSecurityPolicy, { names }: RuleContext): Errors {
  const read = (template: string): readonly [string, Path] => {
    const key = names.fill(template);
    return [getOwn(metadata.annotations, key) ?? '', ANNOTATIONS.key(key)];
  };
  const [appArmor, appArmorAt] = read('apparmor.security.beta.{label}/defaultProfileName');
  yield* validateAppArmorText(appArmor, appArmor, appArmorAt);
  const [appArmors, appArmorsAt] = read('apparmor.security.beta.{label}/allowedProfileNames');
  for (const profile of appArmors.split(',')) yield* validateAppArmorText(profile, appArmors, appArmorsAt);
  const [seccomp, seccompAt] = read('seccomp.security.alpha.{label}/defaultProfileName');
  if (seccomp !== '') yield* validateSeccompText(seccomp, seccompAt);
  const [seccomps, seccompsAt] = read('seccomp.security.alpha.{label}/allowedProfileNames');
  for (const profile of seccomps === '' ? [] : seccomps.split(',')) {
    if (profile !== '*') yield* validateSeccompText(profile, seccompsAt);
  }
}

function* validate(policy: PodSecurityPolicy, context: RuleContext): Errors {
  yield* validateProfiles(policy, context);
  yield* validateSpec(policy.spec);
}

/** The fields that need a gate, where they were not in use before. */
const GATED = [
  ['allowedProcMountTypes', 'ProcMountType'],
  ['runAsGroup', 'RunAsGroup'],
  ['allowedUnsafeSysctls', 'Sysctls'],
  ['forbiddenSysctls', 'Sysctls'],
  ['allowedCSIDrivers', 'CSIInlineVolume'],
] as const;

function dropDisabled({ spec }: PodSecurityPolicy, old: PodSecurityPolicy | undefined, { gate }: RuleContext): void {
  for (const [name, needed] of GATED) if (!gate(needed) && old?.spec[name] === undefined) delete spec[name];
}

export const podSecurityPolicyRules: Rules<PodSecurityPolicy> = {
  prepareCreate: (policy, context) => dropDisabled(policy, undefined, context),
  prepareUpdate: dropDisabled,
  validateCreate: (policy, context) => [...validate(policy, context)],
  updateChecks: ['metadata', 'change'],
  validateUpdate: (policy, _old, context) => [...validate(policy, context)],
};
