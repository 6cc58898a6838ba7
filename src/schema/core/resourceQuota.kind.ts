import { kind } from '../define/index.ts';
import { core } from '../groups.ts';
import { tables, workloads } from '../parts/index.ts';
import { ResourceQuota } from './resourceQuota.ts';

export const resourcequotas = kind(ResourceQuota, {
  group: core,
  kind: 'ResourceQuota',
  resource: 'resourcequotas',
  shortNames: ['quota'],
  namespaced: true,
  returnsDeleted: true,
  rules: workloads.of('resourceQuotaRules'),
  doc: 'Limits what the objects of a namespace may use in total.',
  versions: [{ version: 'v1', type: ResourceQuota }],
  status: true,
  columns: tables.of('resourceQuotaColumns'),
});
