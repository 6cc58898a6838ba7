import { kind } from '../define/index.ts';
import { policy } from '../groups.ts';
import { tables, workloads } from '../parts/index.ts';
import { PodDisruptionBudget } from './podDisruptionBudget.ts';

export const poddisruptionbudgets = kind(PodDisruptionBudget, {
  group: policy,
  kind: 'PodDisruptionBudget',
  resource: 'poddisruptionbudgets',
  shortNames: ['pdb'],
  namespaced: true,
  rules: workloads.of('podDisruptionBudgetRules'),
  doc: 'How many pods of a set have to stay available while others are evicted.',
  versions: [{ version: 'v1beta1', type: PodDisruptionBudget }],
  status: true,
  columns: tables.of('podDisruptionBudgetColumns'),
});
