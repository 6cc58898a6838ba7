/** What plugins that look at volumes and claims share. */
import type { Names } from '../../names/index.ts';
import type { objects } from '../../schema/index.ts';
import type { AdmissionAttributes } from '../types.ts';

export type Claim = objects.PersistentVolumeClaim;
export type StorageClass = objects.StorageClass;

/** Whether a request is about objects of this core resource, not about a subresource of theirs. */
export const isCore = ({ resource, subresource }: AdmissionAttributes, plural: string): boolean =>
  resource.group === '' && resource.resource === plural && subresource === '';

/** The class that a claim names: the old annotation counts before the field. Undefined where it names none. */
export function classNameOf(claim: Claim, names: Names): string | undefined {
  return claim.metadata?.annotations?.[names.fill('volume.beta.{label}/storage-class')] ?? claim.spec?.storageClassName;
}

export const storageClasses = (names: Names): { group: string; resource: string } => ({
  group: names.fill('storage.{domain}'),
  resource: 'storageclasses',
});
