/** Columns of the core group's controllers and templates. */
import type { Column } from '../define/index.ts';
import { age, containerColumns, integer, labelsCell, name, wide } from '../meta/columns.ts';
import type { PodTemplate } from './podTemplate.ts';
import type { ReplicationController } from './replicationController.ts';
import { text } from '../meta/columns.ts';

export const podTemplateColumns: readonly Column<PodTemplate>[] = [
  name,
  ...containerColumns(({ template }: PodTemplate) => template.spec).map((column) => ({ ...column, priority: 0 })),
  text('Pod Labels', 'Labels of the pods that are made from the template.', ({ template }) =>
    labelsCell(template.metadata.labels),
  ),
];

export const replicationControllerColumns: readonly Column<ReplicationController>[] = [
  name,
  integer('Desired', 'Pods that are wanted.', ({ spec }) => spec.replicas),
  integer('Current', 'Pods that there are.', ({ status }) => status.replicas),
  integer('Ready', 'Pods that are ready.', ({ status }) => status.readyReplicas ?? 0),
  age,
  ...containerColumns(({ spec }: ReplicationController) => spec.template?.spec),
  wide('Selector', 'Labels of the pods that count.', ({ spec }) => labelsCell(spec.selector)),
];
