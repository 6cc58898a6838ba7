/** Controllers of pods that run on: deployments, replica sets, stateful sets, daemon sets. */
import {
  daemonSets,
  deployments,
  pods,
  replicaSets,
  replicationControllers,
  statefulSets,
  type Deployment,
  type ReplicaSet,
} from '../../client/index.ts';
import {
  isControlledBy,
  labelSelectorText,
  selectorOfLabels,
  withoutHash,
  type ApiObject,
  type objects,
} from '../../schema/index.ts';
import { deepEqual } from '../../std/index.ts';
import { describeError } from '../command/errors.ts';
import { claimTemplates } from './claims.ts';
import { describer, type Around, type Describer } from './describer.ts';
import { field, indent, labelsInLine, longTime, meta, nameAlone, names, NONE, type Line } from './lines.ts';
import { controlledBy, podTemplate } from './pods.ts';

const deploymentDescriber = describer(deployments, async (deployment, around) => {
  const { spec, status, metadata } = deployment;
  const { rollingUpdate } = spec.strategy ?? {};
  const counts = [
    ...[`${spec.replicas ?? 0} desired`, `${status.updatedReplicas ?? 0} updated`, `${status.replicas ?? 0} total`],
    ...[`${status.availableReplicas ?? 0} available`, `${status.unavailableReplicas ?? 0} unavailable`],
  ];
  return [
    ...names(deployment),
    field('CreationTimestamp', longTime(metadata.creationTimestamp)),
    ...meta(deployment),
    field('Selector', labelSelectorText(spec.selector)),
    field('Replicas', counts.join(' | ')),
    field('StrategyType', spec.strategy?.type ?? ''),
    field('MinReadySeconds', spec.minReadySeconds ?? 0),
    ...(rollingUpdate
      ? [
          field(
            'RollingUpdateStrategy',
            `${rollingUpdate.maxUnavailable} max unavailable, ${rollingUpdate.maxSurge} max surge`,
          ),
        ]
      : []),
    ...podTemplate(spec.template),
    ...conditionLines(status.conditions),
    ...(await replicaSetLines(deployment, around)),
  ];
});

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
}

const conditionLines = (conditions: readonly Condition[] = []): readonly Line[] =>
  conditions.length === 0
    ? []
    : [
        'Conditions:',
        ...indent(1, ['Type\tStatus\tReason', '----\t------\t------']),
        ...conditions.map(({ type, status, reason = '' }) => `  ${type} \t${status}\t${reason}`),
      ];

/** The sets that a deployment owns: the one of its template, and those before it that still have pods. */
async function replicaSetLines(deployment: Deployment, { list }: Around): Promise<readonly Line[]> {
  const { metadata, spec } = deployment;
  const labelSelector = labelSelectorText(spec.selector);
  let owned: readonly ReplicaSet[];
  try {
    owned = await list(replicaSets, { namespace: metadata.namespace ?? '', labelSelector });
  } catch {
    return [];
  }
  owned = owned.filter((set) => isControlledBy(set, deployment));
  const current = [...owned].sort(byAge).find((set) => isOfTemplate(set, spec.template));
  const old = owned.filter((set) => set !== current && set.spec.replicas !== 0);
  return [field('OldReplicaSets', setTexts(old)), field('NewReplicaSet', setTexts(current ? [current] : []))];
}

const byAge = (a: ReplicaSet, b: ReplicaSet): number =>
  (a.metadata.creationTimestamp ?? '').localeCompare(b.metadata.creationTimestamp ?? '') ||
  ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1);

/** Whether a set was made from a template: all but the label that names the template. */
function isOfTemplate(set: ReplicaSet, template: objects.PodTemplateSpec): boolean {
  const { metadata, spec } = withoutHash(set.spec.template ?? {});
  return deepEqual(
    [metadata?.labels ?? {}, metadata?.annotations ?? {}, spec],
    [template.metadata?.labels ?? {}, template.metadata?.annotations ?? {}, template.spec],
  );
}

const setTexts = (sets: readonly ReplicaSet[]): string =>
  sets
    .map(({ metadata, spec, status }) => `${metadata.name} (${status.replicas}/${spec.replicas ?? 0} replicas created)`)
    .join(', ') || NONE;

/** How many of a controller's pods are in which phase. */
async function podStatuses({ metadata }: ApiObject, labelSelector: string, { list }: Around): Promise<string> {
  const all = await list(pods, { namespace: metadata.namespace ?? '', labelSelector });
  const own = all.filter((pod) => isControlledBy(pod, { metadata }));
  const count = (phase: string): number => own.filter(({ status }) => status.phase === phase).length;
  return `${count('Running')} Running / ${count('Pending')} Waiting / ${count('Succeeded')} Succeeded / ${count('Failed')} Failed`;
}

const replicaSetDescriber = describer(replicaSets, async (set, around) => {
  const statuses = await podStatuses(set, labelSelectorText(set.spec.selector), around).catch(
    (error: unknown) => `error in fetching pods: ${describeError(error).replace(/^.*?: /, '')}`,
  );
  return [
    ...names(set),
    field('Selector', labelSelectorText(set.spec.selector) || NONE),
    ...meta(set),
    ...controlledBy(set),
    field('Replicas', `${set.status.replicas} current / ${set.spec.replicas ?? 0} desired`),
    field('Pods Status', statuses),
    ...podTemplate(set.spec.template),
    ...conditionLines(set.status.conditions),
  ];
});

const replicationControllerDescriber = describer(replicationControllers, async (controller, around) => {
  const { spec, status } = controller;
  const selector = selectorOfLabels(spec.selector).toString();
  return [
    ...names(controller),
    field('Selector', labelsInLine(spec.selector)),
    ...meta(controller),
    field('Replicas', `${status.replicas} current / ${spec.replicas ?? 0} desired`),
    field('Pods Status', await podStatuses(controller, selector, around)),
    ...podTemplate(spec.template ?? undefined),
    ...conditionLines(status.conditions),
  ];
});

const statefulSetDescriber = describer(statefulSets, async (set, around) => {
  const { spec, status, metadata } = set;
  const { type = '', rollingUpdate } = spec.updateStrategy ?? {};
  const selector = labelSelectorText(spec.selector);
  return [
    ...names(set),
    field('CreationTimestamp', longTime(metadata.creationTimestamp)),
    field('Selector', selector),
    ...meta(set),
    field('Replicas', `${spec.replicas ?? 0} desired | ${status.replicas} total`),
    field('Update Strategy', type),
    ...(typeof rollingUpdate?.partition === 'number' ? [`  ${field('Partition', rollingUpdate.partition)}`] : []),
    field('Pods Status', await podStatuses(set, selector, around)),
    ...podTemplate(spec.template),
    ...claimTemplates(spec.volumeClaimTemplates),
  ];
});

const daemonSetDescriber = describer(daemonSets, async (set, around) => {
  const { spec, status } = set;
  const selector = labelSelectorText(spec.selector);
  return [
    nameAlone(set),
    field('Selector', selector),
    field('Node-Selector', labelsInLine(spec.template.spec?.nodeSelector)),
    ...meta(set),
    `Desired Number of Nodes Scheduled: ${status.desiredNumberScheduled}`,
    `Current Number of Nodes Scheduled: ${status.currentNumberScheduled}`,
    `Number of Nodes Scheduled with Up-to-date Pods: ${status.updatedNumberScheduled ?? 0}`,
    `Number of Nodes Scheduled with Available Pods: ${status.numberAvailable ?? 0}`,
    `Number of Nodes Misscheduled: ${status.numberMisscheduled}`,
    field('Pods Status', await podStatuses(set, selector, around)),
    ...podTemplate(spec.template),
  ];
});

export const workloadDescribers: readonly Describer[] = [
  deploymentDescriber,
  replicaSetDescriber,
  replicationControllerDescriber,
  statefulSetDescriber,
  daemonSetDescriber,
];
