/** Columns of the workload kinds. */
import type { ApiObject, Column } from '../define/index.ts';
import { age, containerColumns, integer, labelsCell, name, selectorCell, text, wide } from '../meta/columns.ts';
import { controllerOf } from '../meta/owners.ts';
import type { LabelSelector } from '../meta/labelSelector.ts';
import { groupOf } from '../values/apiVersion.ts';
import type { ControllerRevision } from './controllerRevision.ts';
import type { DaemonSet } from './daemonSet.ts';
import type { Deployment } from './deployment.ts';
import type { ReplicaSet } from './replicaSet.ts';
import type { StatefulSet } from './statefulSet.ts';

interface Selecting {
  readonly spec: { readonly selector: LabelSelector | null };
}

const selector: Column<Selecting> = wide('Selector', 'Labels of the pods that count.', ({ spec }: Selecting) =>
  selectorCell(spec.selector),
);

export const deploymentColumns: readonly Column<Deployment>[] = [
  name,
  text(
    'Ready',
    'Pods that are ready, of all that are wanted.',
    ({ spec, status }) => `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
  ),
  text('Up-to-date', 'Pods made from the current template.', ({ status }) => status.updatedReplicas ?? 0),
  text('Available', 'Pods that have been ready for long enough.', ({ status }) => status.availableReplicas ?? 0),
  age,
  ...containerColumns(({ spec }: Deployment) => spec.template.spec),
  selector,
];

export const replicaSetColumns: readonly Column<ReplicaSet>[] = [
  name,
  integer('Desired', 'Pods that are wanted.', ({ spec }) => spec.replicas),
  integer('Current', 'Pods that there are.', ({ status }) => status.replicas),
  integer('Ready', 'Pods that are ready.', ({ status }) => status.readyReplicas ?? 0),
  age,
  ...containerColumns(({ spec }: ReplicaSet) => spec.template.spec),
  selector,
];

export const daemonSetColumns: readonly Column<DaemonSet>[] = [
  name,
  integer('Desired', 'Nodes that should run the pod.', ({ status }) => status.desiredNumberScheduled),
  integer('Current', 'Nodes that run the pod and should.', ({ status }) => status.currentNumberScheduled),
  integer('Ready', 'Nodes on which the pod is ready.', ({ status }) => status.numberReady),
  integer(
    'Up-to-date',
    'Nodes that run the pod of the current template.',
    ({ status }) => status.updatedNumberScheduled ?? 0,
  ),
  integer(
    'Available',
    'Nodes on which the pod has been ready for long enough.',
    ({ status }) => status.numberAvailable ?? 0,
  ),
  text('Node Selector', 'Labels of the nodes that should run the pod.', ({ spec }) =>
    labelsCell(spec.template.spec.nodeSelector),
  ),
  age,
  ...containerColumns(({ spec }: DaemonSet) => spec.template.spec),
  selector,
];

export const statefulSetColumns: readonly Column<StatefulSet>[] = [
  name,
  text(
    'Ready',
    'Pods that are ready, of all that are wanted.',
    ({ spec, status }) => `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
  ),
  age,
  ...containerColumns(({ spec }: StatefulSet) => spec.template.spec),
];

export const controllerRevisionColumns: readonly Column<ControllerRevision>[] = [
  name,
  text('Controller', 'Object that keeps the revision.', controllerText),
  text('Revision', 'Number of the revision.', ({ revision }) => revision),
  age,
];

function controllerText(revision: { readonly metadata: ApiObject['metadata'] }): string {
  const owner = controllerOf(revision);
  if (!owner) return '<none>';
  const group = groupOf(owner.apiVersion);
  return `${(group === '' ? owner.kind : `${owner.kind}.${group}`).toLowerCase()}/${owner.name}`;
}
