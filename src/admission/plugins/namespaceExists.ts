/** NamespaceExists: nothing is done in a namespace that is not there. NamespaceLifecycle says so, too, and more. */
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
