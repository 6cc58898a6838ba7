import { kind } from '../define/index.ts';
import { apps } from '../groups.ts';
import { tables, workloads } from '../parts/index.ts';
import { TEMPLATE_GENERATION, DaemonSet } from './daemonSet.ts';

/** The reference counts templates in a separate internal field, which becomes an annotation only in responses. */
function withoutTemplateGeneration({ metadata }: DaemonSet): DaemonSet['metadata'] {
  const { annotations: { [TEMPLATE_GENERATION]: _, ...annotations } = {}, ...rest } = metadata;
  return Object.keys(annotations).length > 0 ? { ...rest, annotations } : rest;
}

export const daemonsets = kind(DaemonSet, {
  group: apps,
  kind: 'DaemonSet',
  resource: 'daemonsets',
  shortNames: ['ds'],
  categories: ['all'],
  namespaced: true,
  doc: 'Runs a copy of a pod on every node that matches.',
  versions: [{ version: 'v1', type: DaemonSet }],
  rules: workloads.of('daemonSetRules'),
  status: true,
  columns: tables.of('daemonSetColumns'),
  hubMetadata: withoutTemplateGeneration,
  blank: { metadata: { annotations: { [TEMPLATE_GENERATION]: '0' } } },
});
