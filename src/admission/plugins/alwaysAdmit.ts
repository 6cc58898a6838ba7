/** AlwaysAdmit: lets everything through; it has no meaning beside other plugins. */
import type { PluginDeclaration } from '../types.ts';

export const alwaysAdmit: PluginDeclaration = {
  name: 'AlwaysAdmit',
  on: false,
  create: () => ({ name: 'AlwaysAdmit', handles: () => true, admit: () => undefined, validate: () => undefined }),
};
