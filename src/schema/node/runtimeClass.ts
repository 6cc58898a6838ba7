import { always, atVersion, kind, list, map, opt, ptr, quantity, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { age, name, text } from '../meta/columns.ts';
import { roundResources } from '../core/resourceList.ts';
import { Toleration } from '../core/affinity.ts';
import { node } from '../groups.ts';
import { object } from '../meta/object.ts';
import { toAlphaFromHub, toHubFromAlpha } from './runtimeClass.convert.ts';
import { workloads } from '../parts/index.ts';

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

export const runtimeclasses = kind(RuntimeClass, {
  group: node,
  kind: 'RuntimeClass',
  resource: 'runtimeclasses',
  namespaced: false,
  doc: 'A container runtime that pods can ask for by name.',
  versions: [
    { version: 'v1', type: RuntimeClass },
    { version: 'v1beta1', type: atVersion(RuntimeClass, 'v1beta1') },
    { version: 'v1alpha1', type: RuntimeClassV1alpha1, toHub: toHubFromAlpha, fromHub: toAlphaFromHub },
  ],
  rules: workloads.of('runtimeClassRules'),
  columns: [name, text('Handler', 'Runtime that the node agents start.', ({ handler }) => handler), age],
});
