import { kind } from '../define/index.ts';
import { core } from '../groups.ts';
import { proxy } from './proxy.ts';
import { nodeRules } from './node.rules.ts';
import { tables } from '../parts/index.ts';
import { Node } from './node.ts';

export const nodes = kind(Node, {
  group: core,
  kind: 'Node',
  resource: 'nodes',
  shortNames: ['no'],
  namespaced: false,
  doc: 'A machine on which pods run.',
  versions: [{ version: 'v1', type: Node }],
  rules: nodeRules,
  status: true,
  subresources: [{ name: 'proxy', kind: 'NodeProxyOptions', ...proxy }],
  columns: tables.of('nodeColumns'),
  selectable: { 'spec.unschedulable': ({ spec }) => String(spec.unschedulable ?? false) },
  selectableNamespace: false,
});
