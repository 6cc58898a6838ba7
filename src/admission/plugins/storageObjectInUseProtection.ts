/** StorageObjectInUseProtection: adds a finalizer to volumes and claims that keeps them while they are in use. */
import type { PluginDeclaration } from '../types.ts';
import { isCore } from './storage.ts';

const FINALIZERS = {
  persistentvolumes: '{label}/pv-protection',
  persistentvolumeclaims: '{label}/pvc-protection',
} as const;

export const storageObjectInUseProtection: PluginDeclaration = {
  name: 'StorageObjectInUseProtection',
  on: true,
  create: ({ names }) => ({
    name: 'StorageObjectInUseProtection',
    handles: (operation) => operation === 'CREATE',
    admit: (attributes) => {
      for (const [plural, template] of Object.entries(FINALIZERS)) {
        if (!isCore(attributes, plural) || !attributes.object) continue;
        const { metadata } = attributes.object;
        const finalizer = names.fill(template);
        if (!metadata.finalizers?.includes(finalizer))
          metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
      }
    },
  }),
};
