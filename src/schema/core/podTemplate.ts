import { kind, opt } from '../define/index.ts';
import type { Infer } from '../define/index.ts';
import { core } from '../groups.ts';
import { object } from '../meta/object.ts';
import { PodTemplateSpec } from './podSpec.ts';
import { tables, workloads } from '../parts/index.ts';

export const PodTemplate = object('api.core.v1.PodTemplate', {
  template: opt(2, PodTemplateSpec),
});
export type PodTemplate = Infer<typeof PodTemplate>;

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
