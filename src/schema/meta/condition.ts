import { always, int64, opt, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';

export const Condition = struct('apimachinery.pkg.apis.meta.v1.Condition', {
  type: always(1, string),
  status: always(2, string),
  observedGeneration: opt(3, int64),
  lastTransitionTime: always(4, time),
  reason: always(5, string),
  message: always(6, string),
});
export type Condition = Infer<typeof Condition>;
