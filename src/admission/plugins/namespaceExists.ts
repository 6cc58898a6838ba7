/** NamespaceExists: refuses requests in a missing namespace. NamespaceLifecycle does this and more. */
import type { PluginDeclaration } from '../types.ts';
import { isInNamespace, namespaceOf } from './namespaces.ts';

export const namespaceExists: PluginDeclaration = {
  name: 'NamespaceExists',
  on: false,
  create: (deps) => ({
    name: 'NamespaceExists',
    handles: (operation) => operation !== 'CONNECT',
    validate: (attributes) => {
      if (isInNamespace(attributes)) namespaceOf(attributes, deps);
    },
  }),
};
