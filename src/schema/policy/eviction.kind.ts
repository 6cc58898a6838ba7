import { kind } from '../define/index.ts';
import { policy } from '../groups.ts';
import { Eviction } from './eviction.ts';

/** Only the body of a subresource: nothing is stored under this name. */
export const evictions = kind(Eviction, {
  group: policy,
  kind: 'Eviction',
  resource: 'evictions',
  namespaced: true,
  doc: 'Asks to delete a pod, if its disruption budgets allow it.',
  versions: [{ version: 'v1beta1', type: Eviction }],
  verbs: [],
});
