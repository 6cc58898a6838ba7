import { kind, ptr } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { policy } from '../groups.ts';
import { DeleteOptions } from '../meta/deleteOptions.ts';
import { object } from '../meta/object.ts';

export const Eviction = object('api.policy.v1beta1.Eviction', {
  deleteOptions: ptr(2, DeleteOptions),
});
export type Eviction = Infer<typeof Eviction>;

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
