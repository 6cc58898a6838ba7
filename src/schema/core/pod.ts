import { always, list, opt, ptr, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { object } from '../meta/object.ts';
import { ContainerStatus } from './containerStatus.ts';
import { PodSpec } from './podSpec.ts';

export const PodCondition = struct('api.core.v1.PodCondition', {
  type: always(1, string),
  status: always(2, string),
  lastProbeTime: opt(3, time),
  lastTransitionTime: opt(4, time),
  reason: opt(5, string),
  message: opt(6, string),
});
export type PodCondition = Infer<typeof PodCondition>;

export const PodIP = struct('api.core.v1.PodIP', {
  ip: opt(1, string),
});
export type PodIP = Infer<typeof PodIP>;

export const PodStatus = struct(
  'api.core.v1.PodStatus',
  {
    phase: opt(1, string),
    conditions: opt(2, list(PodCondition), { mergeKey: 'type', strategy: 'merge' }),
    message: opt(3, string),
    reason: opt(4, string),
    nominatedNodeName: opt(11, string),
    hostIP: opt(5, string),
    podIP: opt(6, string),
    podIPs: opt(12, list(PodIP), { mergeKey: 'ip', strategy: 'merge' }),
    startTime: ptr(7, time),
    initContainerStatuses: opt(10, list(ContainerStatus)),
    containerStatuses: opt(8, list(ContainerStatus)),
    qosClass: opt(9, string),
    ephemeralContainerStatuses: opt(13, list(ContainerStatus)),
  },
  {
    settle(status) {
      // One address is also the first of many; where the two differ, the single one is right.
      const first = status.podIPs?.[0]?.ip;
      if (status.podIP === undefined) {
        if (first !== undefined) status.podIP = first;
      } else if (status.podIP !== first) status.podIPs = [{ ip: status.podIP }];
    },
  },
);
export type PodStatus = Infer<typeof PodStatus>;

export const Pod = object(
  'api.core.v1.Pod',
  {
    spec: opt(2, PodSpec, { doc: 'What is wanted of the pod.' }),
    status: opt(3, PodStatus, { doc: 'What is the case.' }),
  },
  {
    defaults({ spec }) {
      spec.enableServiceLinks ??= true;
      for (const { resources } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])])
        if (resources.limits) resources.requests = { ...resources.limits, ...resources.requests };
    },
  },
);
export type Pod = Infer<typeof Pod>;
