import { always, kind } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { core } from '../groups.ts';
import { object } from '../meta/object.ts';
import { ObjectReference } from './references.ts';

export const Binding = object('api.core.v1.Binding', {
  target: always(2, ObjectReference),
});
export type Binding = Infer<typeof Binding>;

export const bindings = kind(Binding, {
  group: core,
  kind: 'Binding',
  resource: 'bindings',
  namespaced: true,
  doc: 'Assigns a pod to a node; posting one is how schedulers place pods.',
  versions: [{ version: 'v1', type: Binding }],
  verbs: ['create'],
});
