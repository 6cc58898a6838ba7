import { always, kind, list, opt, string, struct } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { core } from '../groups.ts';
import { object } from '../meta/object.ts';
import { tables } from '../parts/index.ts';

export const ComponentCondition = struct('api.core.v1.ComponentCondition', {
  type: always(1, string),
  status: always(2, string),
  message: opt(3, string),
  error: opt(4, string),
});
export type ComponentCondition = Infer<typeof ComponentCondition>;

export const ComponentStatus = object('api.core.v1.ComponentStatus', {
  conditions: opt(2, list(ComponentCondition), { mergeKey: 'type', strategy: 'merge' }),
});
export type ComponentStatus = Infer<typeof ComponentStatus>;

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
