import { kind } from '../define/index.ts';
import { apps } from '../groups.ts';
import { tables, workloads } from '../parts/index.ts';
import { StatefulSet } from './statefulSet.ts';

export const statefulsets = kind(StatefulSet, {
  group: apps,
  kind: 'StatefulSet',
  resource: 'statefulsets',
  shortNames: ['sts'],
  categories: ['all'],
  namespaced: true,
  doc: 'Runs pods with stable names, stable storage and an order.',
  versions: [{ version: 'v1', type: StatefulSet }],
  rules: workloads.of('statefulSetRules'),
  blank: { spec: { replicas: 0 } },
  status: true,
  scale: { specReplicas: '.spec.replicas', statusReplicas: '.status.replicas', selector: '.spec.selector' },
  columns: tables.of('statefulSetColumns'),
});
