import { always, atVersion, list, map, opt, ptr, quantity, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { roundResources } from '../core/resourceList.ts';
import { Toleration } from '../core/affinity.ts';
import { object } from '../meta/object.ts';

export const Overhead = struct(
  'api.node.v1.Overhead',
  {
    podFixed: opt(1, map(quantity)),
  },
  {
    defaults(overhead) {
      roundResources(overhead.podFixed);
    },
  },
);
export type Overhead = Infer<typeof Overhead>;

export const Scheduling = struct('api.node.v1.Scheduling', {
  nodeSelector: opt(1, map(string)),
  tolerations: opt(2, list(Toleration), { list: 'atomic' }),
});
export type Scheduling = Infer<typeof Scheduling>;

export const RuntimeClass = object('api.node.v1.RuntimeClass', {
  handler: always(2, string),
  overhead: ptr(3, Overhead),
  scheduling: ptr(4, Scheduling),
});
export type RuntimeClass = Infer<typeof RuntimeClass>;

export const RuntimeClassSpecV1alpha1 = struct('api.node.v1alpha1.RuntimeClassSpec', {
  runtimeHandler: always(1, string),
  overhead: ptr(2, atVersion(Overhead, 'v1alpha1')),
  scheduling: ptr(3, atVersion(Scheduling, 'v1alpha1')),
});
export type RuntimeClassSpecV1alpha1 = Infer<typeof RuntimeClassSpecV1alpha1>;

export const RuntimeClassV1alpha1 = object('api.node.v1alpha1.RuntimeClass', {
  spec: always(2, RuntimeClassSpecV1alpha1),
});
export type RuntimeClassV1alpha1 = Infer<typeof RuntimeClassV1alpha1>;
