/** All admission plugins in the reference's order. To add one: write its file in `plugins/`, add it to the list. */
import { alwaysAdmit } from './plugins/alwaysAdmit.ts';
import { alwaysDeny } from './plugins/alwaysDeny.ts';
import { alwaysPullImages } from './plugins/alwaysPullImages.ts';
import { certificateApproval, certificateSigning, certificateSubjectRestriction } from './plugins/certificates.ts';
import { PluginConfigError } from './plugins/config.ts';
import { defaultIngressClass } from './plugins/defaultIngressClass.ts';
import { defaultStorageClass } from './plugins/defaultStorageClass.ts';
import { defaultTolerationSeconds } from './plugins/defaultTolerationSeconds.ts';
import { denyEscalatingExec, denyExecOnPrivileged } from './plugins/denyExec.ts';
import { eventRateLimit } from './plugins/eventRateLimit.ts';
import { extendedResourceToleration } from './plugins/extendedResourceToleration.ts';
import { imagePolicyWebhook } from './plugins/imagePolicyWebhook.ts';
import { limitPodHardAntiAffinityTopology } from './plugins/limitPodHardAntiAffinityTopology.ts';
import { limitRanger } from './plugins/limitRanger.ts';
import { mutatingAdmissionWebhook } from './plugins/mutatingAdmissionWebhook.ts';
import { namespaceAutoProvision } from './plugins/namespaceAutoProvision.ts';
import { namespaceExists } from './plugins/namespaceExists.ts';
import { namespaceLifecycle } from './plugins/namespaceLifecycle.ts';
import { nodeRestriction } from './plugins/nodeRestriction.ts';
import { ownerReferencesPermissionEnforcement } from './plugins/ownerReferencesPermissionEnforcement.ts';
import { persistentVolumeClaimResize } from './plugins/persistentVolumeClaimResize.ts';
import { persistentVolumeLabel } from './plugins/persistentVolumeLabel.ts';
import { podNodeSelector } from './plugins/podNodeSelector.ts';
import { podSecurityPolicy } from './plugins/podSecurityPolicy/index.ts';
import { podTolerationRestriction } from './plugins/podTolerationRestriction.ts';
import { priority } from './plugins/priority.ts';
import { resourceQuota } from './plugins/resourceQuota.ts';
import { runtimeClass } from './plugins/runtimeClass.ts';
import { securityContextDeny } from './plugins/securityContextDeny.ts';
import { serviceAccount } from './plugins/serviceAccount.ts';
import { storageObjectInUseProtection } from './plugins/storageObjectInUseProtection.ts';
import { taintNodesByCondition } from './plugins/taintNodesByCondition.ts';
import { validatingAdmissionWebhook } from './plugins/validatingAdmissionWebhook.ts';
import type { AdmissionPlugin, PluginDeclaration, PluginDeps } from './types.ts';

export const plugins: readonly PluginDeclaration[] = [
  alwaysAdmit,
  namespaceAutoProvision,
  namespaceLifecycle,
  namespaceExists,
  securityContextDeny,
  limitPodHardAntiAffinityTopology,
  limitRanger,
  serviceAccount,
  nodeRestriction,
  taintNodesByCondition,
  alwaysPullImages,
  imagePolicyWebhook,
  podSecurityPolicy,
  podNodeSelector,
  priority,
  defaultTolerationSeconds,
  podTolerationRestriction,
  denyEscalatingExec,
  denyExecOnPrivileged,
  eventRateLimit,
  extendedResourceToleration,
  persistentVolumeLabel,
  defaultStorageClass,
  storageObjectInUseProtection,
  ownerReferencesPermissionEnforcement,
  persistentVolumeClaimResize,
  runtimeClass,
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  defaultIngressClass,
  mutatingAdmissionWebhook,
  validatingAdmissionWebhook,
  resourceQuota,
  alwaysDeny,
];

/** Thrown for flags about plugins that can't be followed: a name that is no plugin's, or two flags that contradict each other. */
export class PluginChoiceError extends Error {
  override name = 'PluginChoiceError';
}

/** What the flags say about plugins: names joined by commas. */
export interface PluginChoice {
  /** `--enable-admission-plugins`: beside those that are on by default. */
  readonly enable: string;
  /** `--disable-admission-plugins`. */
  readonly disable: string;
  /** `--admission-control` (deprecated): exactly these. */
  readonly only: string;
}

/** The plugins that run, in their order. Throws PluginChoiceError, and PluginConfigError for a configuration that makes no sense. */
export function enabledPlugins(choice: PluginChoice, deps: (name: string) => PluginDeps): AdmissionPlugin[] {
  const isOn = chosen(choice);
  return plugins.filter(isOn).map((plugin) => {
    try {
      return plugin.create(deps(plugin.name));
    } catch (error) {
      if (!(error instanceof PluginConfigError)) throw error;
      throw new PluginConfigError(`couldn't init admission plugin ${JSON.stringify(plugin.name)}: ${error.message}`);
    }
  });
}

function chosen({ enable, disable, only }: PluginChoice): (plugin: PluginDeclaration) => boolean {
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
