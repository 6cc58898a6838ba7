/** All admission plugins in the reference's order. To add one: write its file in `plugins/`, add it to the list. */
import { certificateApproval, certificateSigning, certificateSubjectRestriction } from './plugins/certificates.ts';
import { defaultIngressClass } from './plugins/defaultIngressClass.ts';
import { defaultStorageClass } from './plugins/defaultStorageClass.ts';
import { defaultTolerationSeconds } from './plugins/defaultTolerationSeconds.ts';
import { limitRanger } from './plugins/limitRanger.ts';
import { mutatingAdmissionWebhook } from './plugins/mutatingAdmissionWebhook.ts';
import { namespaceLifecycle } from './plugins/namespaceLifecycle.ts';
import { persistentVolumeClaimResize } from './plugins/persistentVolumeClaimResize.ts';
import { priority } from './plugins/priority.ts';
import { resourceQuota } from './plugins/resourceQuota.ts';
import { runtimeClass } from './plugins/runtimeClass.ts';
import { serviceAccount } from './plugins/serviceAccount.ts';
import { storageObjectInUseProtection } from './plugins/storageObjectInUseProtection.ts';
import { taintNodesByCondition } from './plugins/taintNodesByCondition.ts';
import { validatingAdmissionWebhook } from './plugins/validatingAdmissionWebhook.ts';
import type { AdmissionPlugin, PluginDeclaration, PluginDeps } from './types.ts';

export const plugins: readonly PluginDeclaration[] = [
  namespaceLifecycle,
  limitRanger,
  serviceAccount,
  taintNodesByCondition,
  priority,
  defaultTolerationSeconds,
  defaultStorageClass,
  storageObjectInUseProtection,
  persistentVolumeClaimResize,
  runtimeClass,
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  defaultIngressClass,
  mutatingAdmissionWebhook,
  validatingAdmissionWebhook,
  resourceQuota,
];

/** Thrown for a name that is no plugin's. */
export class UnknownPluginError extends Error {
  override name = 'UnknownPluginError';
}

/** The plugins that run: those on by default, plus `enable`, minus `disable` (names joined by commas). */
export function enabledPlugins(enable: string, disable: string, deps: (name: string) => PluginDeps): AdmissionPlugin[] {
  const on = names(enable);
  const off = names(disable);
  return plugins.filter((p) => (p.on || on.has(p.name)) && !off.has(p.name)).map((p) => p.create(deps(p.name)));
}

function names(text: string): ReadonlySet<string> {
  const all = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const unknown = all.find((name) => !plugins.some((p) => p.name === name));
  if (unknown !== undefined) throw new UnknownPluginError(`there is no admission plugin ${JSON.stringify(unknown)}`);
  return new Set(all);
}
