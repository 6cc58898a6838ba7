import { kind } from '../define/index.ts';
import { core } from '../groups.ts';
import { namespaceRules } from './namespace.rules.ts';
import { tables } from '../parts/index.ts';
import { Namespace } from './namespace.ts';

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
  columns: tables.of('namespaceColumns'),
  selectable: { 'status.phase': ({ status }) => status.phase ?? '' },
  selectableNamespace: false,
});
