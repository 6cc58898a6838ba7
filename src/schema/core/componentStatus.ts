import { always, list, opt, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';

export const ComponentCondition = struct('api.core.v1.ComponentCondition', {
  type: always(1, string),
  status: always(2, string),
  message: opt(3, string),
  error: opt(4, string),
});
export type ComponentCondition = Infer<typeof ComponentCondition>;

export const ComponentStatus = object('api.core.v1.ComponentStatus', {
  conditions: opt(2, list(ComponentCondition), { mergeKey: 'type', strategy: 'merge' }),
});
export type ComponentStatus = Infer<typeof ComponentStatus>;
