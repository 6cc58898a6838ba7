/** Helpers for plugins that check volumes and claims. */
import type { Names } from '../../names/index.ts';
import type { objects } from '../../schema/index.ts';
import type { AdmissionAttributes } from '../types.ts';

export type Claim = objects.PersistentVolumeClaim;
export type StorageClass = objects.StorageClass;

/** Whether a request is for this core resource and not for a subresource. */
export const isCore = ({ resource, subresource }: AdmissionAttributes, plural: string): boolean =>
  resource.group === '' && resource.resource === plural && subresource === '';

/** The class of a claim: the old annotation precedes the field. Undefined without a class. */
export function classNameOf(claim: Claim, names: Names): string | undefined {
  return claim.metadata?.annotations?.[names.fill('volume.beta.{label}/storage-class')] ?? claim.spec?.storageClassName;
}

export const storageClasses = (names: Names): { group: string; resource: string } => ({
  group: names.fill('storage.{domain}'),
  resource: 'storageclasses',
});
