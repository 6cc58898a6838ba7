import { kind } from '../define/index.ts';
import { apps } from '../groups.ts';
import { tables, workloads } from '../parts/index.ts';
import { ReplicaSet } from './replicaSet.ts';

export const replicasets = kind(ReplicaSet, {
  group: apps,
  kind: 'ReplicaSet',
  resource: 'replicasets',
  shortNames: ['rs'],
  categories: ['all'],
  namespaced: true,
  doc: 'Keeps a number of equal pods running.',
  versions: [{ version: 'v1', type: ReplicaSet }],
  rules: workloads.of('replicaSetRules'),
  blank: { spec: { replicas: 0 } },
  status: true,
  scale: { specReplicas: '.spec.replicas', statusReplicas: '.status.replicas', selector: '.spec.selector' },
  columns: tables.of('replicaSetColumns'),
});
