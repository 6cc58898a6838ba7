import { kind } from '../define/index.ts';
import { labelLikeTemplate } from './templateLabels.ts';
import { core } from '../groups.ts';
import { tables, workloads } from '../parts/index.ts';
import { ReplicationController } from './replicationController.ts';

export const replicationcontrollers = kind(ReplicationController, {
  group: core,
  kind: 'ReplicationController',
  resource: 'replicationcontrollers',
  shortNames: ['rc'],
  categories: ['all'],
  namespaced: true,
  doc: 'Keeps a number of equal pods running; the older form of a replica set.',
  versions: [{ version: 'v1', type: ReplicationController }],
  restore: labelLikeTemplate,
  rules: workloads.of('replicationControllerRules'),
  blank: { spec: { replicas: 0 } },
  status: true,
  scale: { specReplicas: '.spec.replicas', statusReplicas: '.status.replicas', selector: '.spec.selector' },
  columns: tables.of('replicationControllerColumns'),
  selectable: { 'status.replicas': ({ status }) => String(status.replicas) },
});
