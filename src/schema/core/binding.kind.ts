import { kind } from '../define/index.ts';
import { core } from '../groups.ts';
import { Binding } from './binding.ts';

export const bindings = kind(Binding, {
  group: core,
  kind: 'Binding',
  resource: 'bindings',
  namespaced: true,
  doc: 'Assigns a pod to a node; posting one is how schedulers place pods.',
  versions: [{ version: 'v1', type: Binding }],
  verbs: ['create'],
});
