/** How a cluster is made where nobody says otherwise. */
import { create } from '../../store.ts';
import { persist } from 'zustand/middleware';
import type { Profile } from '../../../names/index.ts';
import type { BootOptions, KnownCluster } from '../../host.ts';

/** The naming profile that was chosen last. People paste manifests from the field, so its names are what the page begins with. */
export const useNaming = create<{ readonly naming: Profile }>()(
  persist((): { naming: Profile } => ({ naming: 'k8s.io' }), { name: 'vitrine.naming' }),
);

export const apiserverFlags = '--authorization-mode=Node,RBAC';
export const controllerManagerFlags = '--use-service-account-credentials=true';

/** A cluster with three nodes that is kept in the browser. */
export const usualOptions = (name: string): BootOptions => ({
  name,
  naming: useNaming.getState().naming,
  nodes: 3,
  addons: ['dns'],
  storage: 'indexeddb',
  apiserver: [apiserverFlags],
  controllerManager: [controllerManagerFlags],
});

/** The first name that is free: `demo`, `demo-2`, … */
export function freeName(wanted: string, known: readonly KnownCluster[] = []): string {
  const taken = new Set(known.map((each) => each.name));
  for (let n = 1; ; n++) {
    const name = n === 1 ? wanted : `${wanted}-${n}`;
    if (!taken.has(name)) return name;
  }
}
