/** AlwaysAdmit: admits everything; it has no effect beside other plugins. */
import type { PluginDeclaration } from '../types.ts';

export const alwaysAdmit: PluginDeclaration = {
  name: 'AlwaysAdmit',
  on: false,
  create: () => ({ name: 'AlwaysAdmit', handles: () => true, admit: () => undefined, validate: () => undefined }),
};
