import { always, bool, int32, opt, ptr, string } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';

export const PriorityClass = object(
  'api.scheduling.v1.PriorityClass',
  {
    value: always(2, int32),
    globalDefault: opt(3, bool),
    description: opt(4, string),
    preemptionPolicy: ptr(5, string),
  },
  {
    defaults(priorityClass, { gate }) {
      if (gate('NonPreemptingPriority')) priorityClass.preemptionPolicy ??= 'PreemptLowerPriority';
    },
  },
);
export type PriorityClass = Infer<typeof PriorityClass>;
