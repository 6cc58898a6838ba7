import { always, int32, list, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';

export const QueuingConfiguration = struct('api.flowcontrol.v1beta1.QueuingConfiguration', {
  queues: always(1, int32, { required: false, default: 64 }),
  handSize: always(2, int32, { required: false, default: 8 }),
  queueLengthLimit: always(3, int32, { required: false, default: 50 }),
});
export type QueuingConfiguration = Infer<typeof QueuingConfiguration>;

export const LimitResponse = struct(
  'api.flowcontrol.v1beta1.LimitResponse',
  {
    type: always(1, string),
    queuing: ptr(2, QueuingConfiguration),
  },
  { unions: [{ discriminator: 'type', fields: { queuing: 'Queuing' } }] },
);
export type LimitResponse = Infer<typeof LimitResponse>;

export const LimitedPriorityLevelConfiguration = struct('api.flowcontrol.v1beta1.LimitedPriorityLevelConfiguration', {
  assuredConcurrencyShares: always(1, int32, { required: false, default: 30 }),
  limitResponse: opt(2, LimitResponse),
});
export type LimitedPriorityLevelConfiguration = Infer<typeof LimitedPriorityLevelConfiguration>;

export const PriorityLevelConfigurationSpec = struct(
  'api.flowcontrol.v1beta1.PriorityLevelConfigurationSpec',
  {
    type: always(1, string),
    limited: ptr(2, LimitedPriorityLevelConfiguration),
  },
  { unions: [{ discriminator: 'type', fields: { limited: 'Limited' } }] },
);
export type PriorityLevelConfigurationSpec = Infer<typeof PriorityLevelConfigurationSpec>;

export const PriorityLevelConfigurationCondition = struct(
  'api.flowcontrol.v1beta1.PriorityLevelConfigurationCondition',
  {
    type: opt(1, string),
    status: opt(2, string),
    lastTransitionTime: opt(3, time),
    reason: opt(4, string),
    message: opt(5, string),
  },
);
export type PriorityLevelConfigurationCondition = Infer<typeof PriorityLevelConfigurationCondition>;

export const PriorityLevelConfigurationStatus = struct('api.flowcontrol.v1beta1.PriorityLevelConfigurationStatus', {
  conditions: opt(1, list(PriorityLevelConfigurationCondition), { list: 'map', keys: ['type'] }),
});
export type PriorityLevelConfigurationStatus = Infer<typeof PriorityLevelConfigurationStatus>;

export const PriorityLevelConfiguration = object('api.flowcontrol.v1beta1.PriorityLevelConfiguration', {
  spec: opt(2, PriorityLevelConfigurationSpec),
  status: opt(3, PriorityLevelConfigurationStatus),
});
export type PriorityLevelConfiguration = Infer<typeof PriorityLevelConfiguration>;
