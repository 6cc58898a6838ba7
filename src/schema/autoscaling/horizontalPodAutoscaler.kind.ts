import { kind } from '../define/index.ts';
import { autoscaling } from '../groups.ts';
import { toHubFromV1, toHubFromV2beta1, toV1FromHub, toV2beta1FromHub } from './horizontalPodAutoscaler.convert.ts';
import { tables, workloads } from '../parts/index.ts';
import {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerV1,
  HorizontalPodAutoscalerV2beta1,
} from './horizontalPodAutoscaler.ts';

export const horizontalpodautoscalers = kind(HorizontalPodAutoscaler, {
  group: autoscaling,
  kind: 'HorizontalPodAutoscaler',
  resource: 'horizontalpodautoscalers',
  shortNames: ['hpa'],
  categories: ['all'],
  namespaced: true,
  rules: workloads.of('horizontalPodAutoscalerRules'),
  doc: 'Changes the number of replicas of its target as measured load asks for.',
  versions: [
    { version: 'v1', type: HorizontalPodAutoscalerV1, toHub: toHubFromV1, fromHub: toV1FromHub },
    { version: 'v2beta1', type: HorizontalPodAutoscalerV2beta1, toHub: toHubFromV2beta1, fromHub: toV2beta1FromHub },
    { version: 'v2beta2', type: HorizontalPodAutoscaler },
  ],
  hub: 'v2beta2',
  storedAs: 'v1',
  losesInStorage: true,
  status: true,
  columns: tables.of('horizontalPodAutoscalerColumns'),
});
