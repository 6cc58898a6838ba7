/**
 * All admission plugins in the reference's order. To add one: write its file in `plugins/`, add it to the list. Rarely
 * used plugins are in a part that is loaded with their flag; plugins that do not apply to the objects of a new cluster
 * are in a part that is loaded with the first request that they apply to (`onDemand.ts`).
 */
import { PluginConfigError } from './plugins/configError.ts';
import { namespaceLifecycle } from './plugins/namespaceLifecycle.ts';
import { taintNodesByCondition } from './plugins/taintNodesByCondition.ts';
import { Part, type Loadable } from '../std/index.ts';
import { configurationFile } from './configurationFile.ts';
import {
  about,
  anyOf,
  changesAtOnce,
  isNeededAtStart,
  loadedOnDemand,
  type PluginEntry,
  type PluginPart,
} from './onDemand.ts';
import type { AdmissionPlugin, Operation, Phase, PluginDeps } from './types.ts';

const common = new Part(() => import('./common.ts'));
const optional = new Part(() => import('./optional.ts'));

export const admissionParts: readonly Loadable[] = [common, optional, configurationFile];

const CREATES: readonly Operation[] = ['CREATE'];
const UPDATES: readonly Operation[] = ['UPDATE'];
const WRITES: readonly Operation[] = ['CREATE', 'UPDATE'];
const CHANGES: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE'];
const ALL: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

const MUTATING: readonly Phase[] = ['mutating'];
const VALIDATING: readonly Phase[] = ['validating'];
const BOTH: readonly Phase[] = ['mutating', 'validating'];

const placesPods: PluginPart['until'] = ({ resource, object }) =>
  resource.resource === 'pods' || (resource.resource === 'priorityclasses' && object?.['globalDefault'] === true);

const countedHere: PluginPart['until'] = ({ namespace }, { list }) =>
  namespace !== '' && list({ group: '', resource: 'resourcequotas' }, namespace).length > 0;

export const plugins: readonly PluginEntry[] = [
  { name: 'AlwaysAdmit', on: false, part: optional.of('alwaysAdmit') },
  { name: 'NamespaceAutoProvision', on: false, part: optional.of('namespaceAutoProvision') },
  namespaceLifecycle,
  { name: 'NamespaceExists', on: false, part: optional.of('namespaceExists') },
  { name: 'SecurityContextDeny', on: false, part: optional.of('securityContextDeny') },
  { name: 'LimitPodHardAntiAffinityTopology', on: false, part: optional.of('limitPodHardAntiAffinityTopology') },
  {
    name: 'LimitRanger',
    on: true,
    part: common.of('limitRanger'),
    operations: WRITES,
    phases: BOTH,
    until: about('pods', 'persistentvolumeclaims'),
  },
  {
    name: 'ServiceAccount',
    on: true,
    part: common.of('serviceAccount'),
    operations: CREATES,
    phases: BOTH,
    until: about('pods'),
  },
  { name: 'NodeRestriction', on: false, part: optional.of('nodeRestriction') },
  taintNodesByCondition,
  { name: 'AlwaysPullImages', on: false, part: optional.of('alwaysPullImages') },
  { name: 'ImagePolicyWebhook', on: false, part: optional.of('imagePolicyWebhook') },
  { name: 'PodSecurityPolicy', on: false, part: optional.of('podSecurityPolicy') },
  { name: 'PodNodeSelector', on: false, part: optional.of('podNodeSelector') },
  { name: 'Priority', on: true, part: common.of('priority'), operations: CHANGES, phases: BOTH, until: placesPods },
  {
    name: 'DefaultTolerationSeconds',
    on: true,
    part: common.of('defaultTolerationSeconds'),
    operations: WRITES,
    phases: MUTATING,
    until: about('pods'),
  },
  { name: 'PodTolerationRestriction', on: false, part: optional.of('podTolerationRestriction') },
  { name: 'DenyEscalatingExec', on: false, part: optional.of('denyEscalatingExec') },
  { name: 'DenyExecOnPrivileged', on: false, part: optional.of('denyExecOnPrivileged') },
  { name: 'EventRateLimit', on: false, part: optional.of('eventRateLimit') },
  { name: 'ExtendedResourceToleration', on: false, part: optional.of('extendedResourceToleration') },
  { name: 'PersistentVolumeLabel', on: false, part: optional.of('persistentVolumeLabel') },
  {
    name: 'DefaultStorageClass',
    on: true,
    part: common.of('defaultStorageClass'),
    operations: CREATES,
    phases: MUTATING,
    until: about('persistentvolumeclaims'),
  },
  {
    name: 'StorageObjectInUseProtection',
    on: true,
    part: common.of('storageObjectInUseProtection'),
    operations: CREATES,
    phases: MUTATING,
    until: about('persistentvolumes', 'persistentvolumeclaims'),
  },
  {
    name: 'OwnerReferencesPermissionEnforcement',
    on: false,
    part: optional.of('ownerReferencesPermissionEnforcement'),
  },
  {
    name: 'PersistentVolumeClaimResize',
    on: true,
    part: common.of('persistentVolumeClaimResize'),
    operations: UPDATES,
    phases: VALIDATING,
    until: about('persistentvolumeclaims'),
  },
  {
    name: 'RuntimeClass',
    on: true,
    part: common.of('runtimeClass'),
    operations: CREATES,
    phases: BOTH,
    until: about('pods'),
  },
  {
    name: 'CertificateApproval',
    on: true,
    part: common.of('certificateApproval'),
    operations: UPDATES,
    phases: VALIDATING,
    until: about('certificatesigningrequests'),
  },
  {
    name: 'CertificateSigning',
    on: true,
    part: common.of('certificateSigning'),
    operations: UPDATES,
    phases: VALIDATING,
    until: about('certificatesigningrequests'),
  },
  {
    name: 'CertificateSubjectRestriction',
    on: true,
    part: common.of('certificateSubjectRestriction'),
    operations: CREATES,
    phases: VALIDATING,
    until: about('certificatesigningrequests'),
  },
  {
    name: 'DefaultIngressClass',
    on: true,
    part: common.of('defaultIngressClass'),
    operations: CREATES,
    phases: MUTATING,
    until: about('ingresses'),
  },
  {
    name: 'MutatingAdmissionWebhook',
    on: true,
    part: common.of('mutatingAdmissionWebhook'),
    operations: ALL,
    phases: MUTATING,
    until: anyOf('mutatingwebhookconfigurations'),
    waits: true,
  },
  {
    name: 'ValidatingAdmissionWebhook',
    on: true,
    part: common.of('validatingAdmissionWebhook'),
    operations: ALL,
    phases: VALIDATING,
    until: anyOf('validatingwebhookconfigurations'),
  },
  {
    name: 'ResourceQuota',
    on: true,
    part: common.of('resourceQuota'),
    operations: WRITES,
    phases: VALIDATING,
    until: countedHere,
  },
  { name: 'AlwaysDeny', on: false, part: optional.of('alwaysDeny') },
];

/** Thrown for invalid flags about plugins: an unknown name, or two flags that contradict each other. */
export class PluginChoiceError extends Error {
  override name = 'PluginChoiceError';
}

/** The flags about plugins: names joined by commas. */
export interface PluginChoice {
  /** `--enable-admission-plugins`: in addition to the defaults. */
  readonly enable: string;
  /** `--disable-admission-plugins`. */
  readonly disable: string;
  /** `--admission-control` (deprecated): exactly these. */
  readonly only: string;
}

/**
 * The enabled plugins in order. Rejects with PluginChoiceError, or with PluginConfigError for an invalid configuration.
 */
export async function enabledPlugins(
  choice: PluginChoice,
  deps: (name: string) => PluginDeps,
): Promise<AdmissionPlugin[]> {
  const enabled = plugins.filter(chosen(choice));
  return Promise.all(enabled.map((entry) => started(entry, deps(entry.name))));
}

async function started(entry: PluginEntry, deps: PluginDeps): Promise<AdmissionPlugin> {
  try {
    if (!('part' in entry)) return entry.create(deps);
    return { ...(await startedPart(entry, deps)), changesAtOnce: changesAtOnce(entry, deps) };
  } catch (error) {
    if (!(error instanceof PluginConfigError)) throw error;
    throw new PluginConfigError(`couldn't init admission plugin ${JSON.stringify(entry.name)}: ${error.message}`);
  }
}

async function startedPart(entry: PluginPart, deps: PluginDeps): Promise<AdmissionPlugin> {
  if (!isNeededAtStart(entry, deps)) return loadedOnDemand(entry, deps);
  await entry.part.part.load();
  return entry.part.get().create(deps);
}

function chosen({ enable, disable, only }: PluginChoice): (plugin: PluginEntry) => boolean {
  const on = names(enable, 'enable-admission-plugins');
  const off = names(disable, 'disable-admission-plugins');
  const exactly = names(only, 'admission-control');
  if (exactly.size > 0 && on.size + off.size > 0)
    throw new PluginChoiceError(
      '--admission-control and --enable-admission-plugins/--disable-admission-plugins are mutually exclusive',
    );
  const both = [...on].filter((name) => off.has(name));
  if (both.length > 0)
    throw new PluginChoiceError(
      `[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`,
    );
  if (exactly.size > 0) return ({ name }) => exactly.has(name);
  return (plugin) => (plugin.on || on.has(plugin.name)) && !off.has(plugin.name);
}

function names(text: string, flag: string): ReadonlySet<string> {
  const all = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = all.find((name) => !plugins.some((p) => p.name === name));
  if (unknown !== undefined) throw new PluginChoiceError(`--${flag}: plugin ${JSON.stringify(unknown)} is unknown`);
  return new Set(all);
}
