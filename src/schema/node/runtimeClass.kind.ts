import { atVersion, kind } from '../define/index.ts';
import { age, name, text } from '../meta/columns.ts';
import { node } from '../groups.ts';
import { toAlphaFromHub, toHubFromAlpha } from './runtimeClass.convert.ts';
import { workloads } from '../parts/index.ts';
import { RuntimeClass, RuntimeClassV1alpha1 } from './runtimeClass.ts';

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
  storedAs: 'v1beta1',
  rules: workloads.of('runtimeClassRules'),
  columns: [name, text('Handler', 'Runtime that the node agents start.', ({ handler }) => handler), age],
});
