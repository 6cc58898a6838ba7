/** AlwaysDeny: refuses every change, for tests. */
import type { AdmissionAttributes, PluginDeclaration } from '../types.ts';
import { refuse } from './refuse.ts';

function deny(attributes: AdmissionAttributes): never {
  throw refuse(attributes, 'admission control is denying all modifications');
}

export const alwaysDeny: PluginDeclaration = {
  name: 'AlwaysDeny',
  on: false,
  create: () => ({ name: 'AlwaysDeny', handles: () => true, admit: deny, validate: deny }),
};
