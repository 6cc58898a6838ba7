/** PersistentVolumeClaimResize: a bound claim may grow only if its class allows it. */
import { compareQuantities } from '../../schema/index.ts';
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { refuse } from './refuse.ts';
import { classNameOf, isCore, storageClasses, type Claim, type StorageClass } from './storage.ts';

export const persistentVolumeClaimResize: PluginDeclaration = {
  name: 'PersistentVolumeClaimResize',
  on: true,
  create: (deps) => ({
    name: 'PersistentVolumeClaimResize',
    handles: (operation) => operation === 'UPDATE',
    validate: (attributes) => check(attributes, deps),
  }),
};

const sizeOf = (claim: Claim): string => claim.spec?.resources?.requests?.['storage'] ?? '0';

function check(attributes: AdmissionAttributes, deps: PluginDeps): void {
  if (!isCore(attributes, 'persistentvolumeclaims')) return;
  const claim = attributes.object as Claim;
  const old = attributes.oldObject as Claim;
  if (compareQuantities(sizeOf(claim), sizeOf(old)) <= 0) return;
  if (old.status?.phase !== 'Bound') throw refuse(attributes, 'Only bound persistent volume claims can be expanded');
  if (!mayGrow(claim, old, deps))
    throw refuse(
      attributes,
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize',
    );
}

function mayGrow(claim: Claim, old: Claim, { get, names }: PluginDeps): boolean {
  const name = classNameOf(claim, names) ?? '';
  if (name === '' || name !== (classNameOf(old, names) ?? '')) return false;
  const found = get(storageClasses(names), '', name) as StorageClass | undefined;
  return found?.allowVolumeExpansion === true;
}
