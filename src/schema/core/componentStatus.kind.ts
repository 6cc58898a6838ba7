import { kind } from '../define/index.ts';
import { core } from '../groups.ts';
import { tables } from '../parts/index.ts';
import { ComponentStatus } from './componentStatus.ts';

export const componentstatuses = kind(ComponentStatus, {
  group: core,
  kind: 'ComponentStatus',
  resource: 'componentstatuses',
  shortNames: ['cs'],
  namespaced: false,
  doc: 'How a component of the control plane answered its health check.',
  versions: [{ version: 'v1', type: ComponentStatus, deprecated: { since: 'v1.19' } }],
  verbs: ['get', 'list'],
  exported: false,
  columns: tables.of('componentStatusColumns'),
});
