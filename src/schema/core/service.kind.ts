import { kind } from '../define/index.ts';
import { core } from '../groups.ts';
import { proxy } from './proxy.ts';
import { serviceRules } from './service.rules.ts';
import { tables } from '../parts/index.ts';
import { Service } from './service.ts';

export const services = kind(Service, {
  group: core,
  kind: 'Service',
  resource: 'services',
  shortNames: ['svc'],
  categories: ['all'],
  namespaced: true,
  rules: serviceRules,
  doc: 'A stable address for a set of pods, and how to balance over them.',
  versions: [{ version: 'v1', type: Service }],
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  status: true,
  subresources: [{ name: 'proxy', kind: 'ServiceProxyOptions', ...proxy }],
  columns: tables.of('serviceColumns'),
  returnsDeleted: false,
});
