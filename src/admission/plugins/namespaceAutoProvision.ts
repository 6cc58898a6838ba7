/** NamespaceAutoProvision: creating an object in a missing namespace creates the namespace. */
import type { AdmissionAttributes, PluginDeclaration, PluginDeps } from '../types.ts';
import { isInNamespace, NAMESPACES } from './namespaces.ts';
import { refuse } from './refuse.ts';

export const namespaceAutoProvision: PluginDeclaration = {
  name: 'NamespaceAutoProvision',
  on: false,
  create: (deps) => ({
    name: 'NamespaceAutoProvision',
    handles: (operation) => operation === 'CREATE',
    admit: async (attributes) => {
      if (attributes.dryRun || !isInNamespace(attributes)) return;
      if (!deps.get(NAMESPACES, '', attributes.namespace)) await provision(attributes, deps);
    },
  }),
};

async function provision(attributes: AdmissionAttributes, { transport }: PluginDeps): Promise<void> {
  const response = await transport('/api/v1/namespaces', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: attributes.namespace } }),
  });
  const answer = (await response.json()) as { readonly message?: string };
  // A concurrent create is fine.
  if (!response.ok && response.status !== 409)
    throw refuse(attributes, answer.message ?? `the namespace could not be created: ${response.status}`);
}
