import { ptr } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { DeleteOptions } from '../meta/deleteOptions.ts';
import { object } from '../meta/object.ts';

export const Eviction = object('api.policy.v1beta1.Eviction', {
  deleteOptions: ptr(2, DeleteOptions),
});
export type Eviction = Infer<typeof Eviction>;
