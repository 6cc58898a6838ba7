import { always, kind, list, opt, string, struct, time } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { namespaceColumns } from './columns.ts';
import { core } from '../groups.ts';
import { object } from '../meta/object.ts';
import { namespaceRules } from './namespace.rules.ts';

export const NamespaceCondition = struct('api.core.v1.NamespaceCondition', {
  type: always(1, string),
  status: always(2, string),
  lastTransitionTime: opt(4, time),
  reason: opt(5, string),
  message: opt(6, string),
});
export type NamespaceCondition = Infer<typeof NamespaceCondition>;

export const NamespaceSpec = struct('api.core.v1.NamespaceSpec', {
  finalizers: opt(1, list(string)),
});
export type NamespaceSpec = Infer<typeof NamespaceSpec>;

export const NamespaceStatus = struct('api.core.v1.NamespaceStatus', {
  phase: opt(1, string, { default: 'Active' }),
  conditions: opt(2, list(NamespaceCondition), { mergeKey: 'type', strategy: 'merge' }),
});
export type NamespaceStatus = Infer<typeof NamespaceStatus>;

export const Namespace = object('api.core.v1.Namespace', {
  spec: opt(2, NamespaceSpec),
  status: opt(3, NamespaceStatus),
});
export type Namespace = Infer<typeof Namespace>;

export const namespaces = kind(Namespace, {
  group: core,
  kind: 'Namespace',
  resource: 'namespaces',
  shortNames: ['ns'],
  namespaced: false,
  rules: namespaceRules,
  doc: 'A scope for names; deleting it deletes everything inside.',
  versions: [{ version: 'v1', type: Namespace }],
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  status: true,
  subresources: [{ name: 'finalize', kind: 'Namespace', verbs: ['update'] }],
  columns: namespaceColumns,
  selectable: { 'status.phase': ({ status }) => status.phase ?? '' },
  selectableNamespace: false,
});
