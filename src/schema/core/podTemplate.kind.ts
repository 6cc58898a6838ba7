import { kind } from '../define/index.ts';
import { core } from '../groups.ts';
import { tables, workloads } from '../parts/index.ts';
import { PodTemplate } from './podTemplate.ts';

export const podtemplates = kind(PodTemplate, {
  group: core,
  kind: 'PodTemplate',
  resource: 'podtemplates',
  namespaced: true,
  returnsDeleted: true,
  doc: 'A stored template from which pods can be made.',
  versions: [{ version: 'v1', type: PodTemplate }],
  rules: workloads.of('podTemplateRules'),
  columns: tables.of('podTemplateColumns'),
});
