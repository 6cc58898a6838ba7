import { always, list, map, opt, quantity, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { roundResources } from './resourceList.ts';
import { object } from '../meta/object.ts';

export const LimitRangeItem = struct(
  'api.core.v1.LimitRangeItem',
  {
    type: always(1, string),
    max: opt(2, map(quantity)),
    min: opt(3, map(quantity)),
    default: opt(4, map(quantity)),
    defaultRequest: opt(5, map(quantity)),
    maxLimitRequestRatio: opt(6, map(quantity)),
  },
  {
    defaults(item) {
      for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio])
        roundResources(list);
      if (item.type !== 'Container') return;
      const limits = { ...item.max, ...item.default };
      const requests = { ...item.min, ...limits, ...item.defaultRequest };
      if (Object.keys(limits).length > 0) item.default = limits;
      if (Object.keys(requests).length > 0) item.defaultRequest = requests;
    },
  },
);
export type LimitRangeItem = Infer<typeof LimitRangeItem>;

export const LimitRangeSpec = struct('api.core.v1.LimitRangeSpec', {
  limits: always(1, list(LimitRangeItem)),
});
export type LimitRangeSpec = Infer<typeof LimitRangeSpec>;

export const LimitRange = object('api.core.v1.LimitRange', {
  spec: opt(2, LimitRangeSpec),
});
export type LimitRange = Infer<typeof LimitRange>;
