/** Pods, and the templates from which controllers make them. */
import { pods, type Pod } from '../../client/index.ts';
import { controllerOf, qosClassOf, type objects } from '../../schema/index.ts';
import { ageOf } from '../output/text.ts';
import { containers } from './containers.ts';
import { describer } from './describer.ts';
import { field, given, indent, labels, longTime, meta, names, annotations, NONE, several, type Line } from './lines.ts';
import { volumes } from './volumes.ts';

export const podDescriber = describer(pods, (pod, { now }) => {
  const { spec, status } = pod;
  return [
    ...names(pod),
    ...given('Priority', spec.priority),
    ...given('Priority Class Name', spec.priorityClassName),
    field('Node', spec.nodeName ? `${spec.nodeName}/${status.hostIP ?? ''}` : NONE),
    ...(status.startTime ? [field('Start Time', longTime(status.startTime))] : []),
    ...meta(pod),
    ...stateOf(pod, now),
    ...addresses(pod),
    ...controlledBy(pod),
    ...given('NominatedNodeName', status.nominatedNodeName),
    ...podContainers(pod),
    ...conditions(pod),
    ...volumes(spec.volumes),
    field('QoS Class', status.qosClass ?? qosClassOf(spec)),
    ...labels('Node-Selectors', spec.nodeSelector),
    ...several('Tolerations', tolerations(spec.tolerations ?? [])),
  ];
});

function stateOf({ metadata, status }: Pod, now: number): readonly Line[] {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata;
  const going = deletionTimestamp
    ? [
        field('Status', `Terminating (lasts ${ageOf(deletionTimestamp, now)})`),
        field('Termination Grace Period', `${deletionGracePeriodSeconds}s`),
      ]
    : [field('Status', status.phase ?? '')];
  return [...going, ...given('Reason', status.reason), ...given('Message', status.message)];
}

const addresses = ({ status: { podIP = '', podIPs = [] } }: Pod): readonly Line[] => [
  field('IP', podIP),
  ...(podIPs.length === 0 ? [field('IPs', NONE)] : ['IPs:', ...podIPs.map(({ ip }) => `  ${field('IP', ip ?? '')}`)]),
];

/** `ReplicaSet/web-5f7`, where a controller made the object. */
export function controlledBy(object: Parameters<typeof controllerOf>[0]): readonly Line[] {
  const owner = controllerOf(object);
  return owner ? [field('Controlled By', `${owner.kind}/${owner.name}`)] : [];
}

function podContainers(pod: Pod): readonly Line[] {
  const { spec, status } = pod;
  const fieldOf = (path: string): string => fieldOfPod(pod, path);
  const part = (title: string, list: readonly objects.Container[], statuses?: readonly objects.ContainerStatus[]) =>
    containers(title, list, { statuses, fieldOf });
  return [
    ...(spec.initContainers?.length ? part('Init Containers', spec.initContainers, status.initContainerStatuses) : []),
    ...part('Containers', spec.containers ?? [], status.containerStatuses),
    ...(spec.ephemeralContainers?.length
      ? part('Ephemeral Containers', spec.ephemeralContainers, status.ephemeralContainerStatuses)
      : []),
  ];
}

/** The fields of which the reference's client shows the value. */
const fieldOfPod = ({ metadata }: Pod, path: string): string =>
  (path === 'metadata.name' ? metadata.name : path === 'metadata.namespace' ? metadata.namespace : '') ?? '';

function conditions({ spec, status }: Pod): readonly Line[] {
  const { conditions: all = [] } = status;
  const gates = spec.readinessGates ?? [];
  const statusOf = (type: string): string => all.find((each) => each.type === type)?.status ?? NONE;
  return [
    ...rows(
      'Readiness Gates',
      gates.map(({ conditionType }) => [conditionType, statusOf(conditionType)]),
    ),
    ...rows(
      'Conditions',
      all.map(({ type, status: value }) => [type, value]),
    ),
  ];
}

const rows = (title: string, cells: readonly (readonly [string, string])[]): readonly Line[] =>
  cells.length === 0 ? [] : [`${title}:`, '  Type\tStatus', ...cells.map(([type, value]) => `  ${type} \t${value} `)];

/** `node.example.com/not-ready:NoExecute op=Exists for 300s`, in the order of the keys. */
function tolerations(list: readonly objects.Toleration[]): readonly string[] {
  const sorted = [...list].sort((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : (a.key ?? '') > (b.key ?? '') ? 1 : 0));
  return sorted.map(({ key = '', value = '', effect = '', operator, tolerationSeconds }) => {
    const exists = operator === 'Exists' && value === '' ? `${key === '' ? '' : ' '}op=Exists` : '';
    const seconds = tolerationSeconds === undefined || tolerationSeconds === null ? '' : ` for ${tolerationSeconds}s`;
    return `${key}${value && `=${value}`}${effect && `:${effect}`}${exists}${seconds}`;
  });
}

/** The template of a controller's pods. */
export function podTemplate(template: objects.PodTemplateSpec | undefined): readonly Line[] {
  if (!template) return ['Pod Template:', '  <unset>'];
  const { metadata, spec } = template;
  const within = { inTemplate: true };
  return [
    'Pod Template:',
    ...labels('  Labels', metadata?.labels),
    ...(Object.keys(metadata?.annotations ?? {}).length > 0 ? annotations('  Annotations', metadata?.annotations) : []),
    ...indent(1, given('Service Account', spec?.serviceAccountName)),
    ...(spec?.initContainers?.length ? containers('Init Containers', spec.initContainers, within) : []),
    ...containers('Containers', spec?.containers ?? [], within),
    ...volumes(spec?.volumes, true),
    ...indent(1, given('Priority Class Name', spec?.priorityClassName)),
  ];
}
