/** Volumes that are objects of their own, claims of them, and what provides them. */
import { csiNodes, persistentVolumeClaims, persistentVolumes, pods, storageClasses } from '../../client/index.ts';
import type { objects } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { ageOf } from '../output/text.ts';
import { accessModes, claimLines, classOf } from './claims.ts';
import { describer, type Describer } from './describer.ts';
import * as l from './lines.ts';
import { sourceLines } from './volumes.ts';

const { field } = l;

const persistentVolumeDescriber = describer(persistentVolumes, (volume, { now }) => {
  const { metadata, spec, status } = volume;
  const { claimRef } = spec;
  return [
    l.nameAlone(volume),
    ...l.meta(volume),
    field('Finalizers', l.goList(metadata.finalizers)),
    field('StorageClass', classOf(metadata, spec.storageClassName)),
    field('Status', phaseOf(metadata.deletionTimestamp, status.phase, now)),
    field('Claim', claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : ''),
    field('Reclaim Policy', spec.persistentVolumeReclaimPolicy ?? ''),
    field('Access Modes', accessModes(spec.accessModes)),
    ...l.given('VolumeMode', spec.volumeMode),
    field('Capacity', getOwn(spec.capacity, 'storage') ?? '0'),
    ...nodeAffinity(spec.nodeAffinity?.required),
    field('Message', status.message ?? ''),
    'Source:',
    ...sourceLines({ ...spec }, true),
  ];
});

const phaseOf = (deleted: string | null | undefined, phase: string | undefined, now: number): string =>
  deleted ? `Terminating (lasts ${ageOf(deleted, now)})` : (phase ?? '');

function nodeAffinity(required: objects.NodeSelector | null | undefined): readonly l.Line[] {
  if (!required) return [field('Node Affinity', l.NONE)];
  const terms = (required.nodeSelectorTerms ?? []).flatMap(({ matchExpressions = [] }, i) => {
    const texts = matchExpressions.map(
      ({ key, operator, values }) => `${key} ${operator.toLowerCase()}${listed(values)}`,
    );
    return l.several(`    Term ${i}`, texts);
  });
  return [
    'Node Affinity:\t',
    ...(terms.length === 0 ? [`  Required Terms:\t${l.NONE}`] : ['  Required Terms:\t', ...terms]),
  ];
}

const listed = (values: readonly string[] | null | undefined): string =>
  !values?.length ? '' : ` [${values.join(', ')}]`;

const claimDescriber = describer(
  persistentVolumeClaims,
  async (claim, { list, now }) => {
    const { metadata, status } = claim;
    const all = await list(pods, { namespace: metadata.namespace ?? '' });
    const users = all.filter(({ spec }) =>
      spec.volumes?.some((volume) => volume.persistentVolumeClaim?.claimName === metadata.name),
    );
    const lines = claimLines(claim).map((line) =>
      line === field('Status', 'Terminating') ? field('Status', phaseOf(metadata.deletionTimestamp, '', now)) : line,
    );
    return [
      ...lines,
      ...l.several('Used By', users.map((pod) => pod.metadata.name ?? '').sort()),
      ...claimConditions(status.conditions),
    ];
  },
  'always',
);

function claimConditions(conditions: readonly objects.PersistentVolumeClaimCondition[] = []): readonly l.Line[] {
  if (conditions.length === 0) return [];
  const rows = conditions.map(({ type, status, lastProbeTime, lastTransitionTime, reason = '', message = '' }) =>
    [
      `${type} `,
      `${status} `,
      `${l.longTime(lastProbeTime)} `,
      `${l.longTime(lastTransitionTime)} `,
      `${reason} `,
      message,
    ].join('\t'),
  );
  const heads = [
    'Type\tStatus\tLastProbeTime\tLastTransitionTime\tReason\tMessage',
    '----\t------\t-----------------\t------------------\t------\t-------',
  ];
  return l.section('Conditions', [...heads, ...rows]);
}

const storageClassDescriber = describer(storageClasses, (object) => {
  const { metadata, mountOptions = [] } = object;
  const isDefault = Object.entries(metadata.annotations ?? {}).some(
    ([key, value]) => /^storageclass\.(beta\.)?\w+\.io\/is-default-class$/.test(key) && value === 'true',
  );
  return [
    l.nameAlone(object),
    field('IsDefaultClass', isDefault ? 'Yes' : 'No'),
    field('Annotations', l.labelsInLine(metadata.annotations)),
    field('Provisioner', object.provisioner),
    field('Parameters', l.labelsInLine(object.parameters)),
    field('AllowVolumeExpansion', l.yesNo(object.allowVolumeExpansion)),
    ...(mountOptions.length === 0 ? [field('MountOptions', l.NONE)] : l.section('MountOptions', mountOptions)),
    ...l.given('ReclaimPolicy', object.reclaimPolicy),
    ...l.given('VolumeBindingMode', object.volumeBindingMode),
    ...(object.allowedTopologies ? topologies(object.allowedTopologies) : []),
  ];
});

function topologies(terms: readonly objects.TopologySelectorTerm[]): readonly l.Line[] {
  if (terms.length === 0) return [field('AllowedTopologies', l.NONE)];
  return [
    'AllowedTopologies:\t',
    ...terms.flatMap(({ matchLabelExpressions = [] }, i) =>
      l.several(
        `  Term ${i}`,
        matchLabelExpressions.map(({ key, values }) => `${key} in${listed(values)}`),
      ),
    ),
  ];
}

const csiNodeDescriber = describer(csiNodes, (node) => [
  l.nameAlone(node),
  ...l.meta(node),
  field('CreationTimestamp', l.longTime(node.metadata.creationTimestamp)),
  'Spec:',
  ...(node.spec.drivers ? l.indent(1, l.section('Drivers', node.spec.drivers.flatMap(driverLines))) : []),
]);

const driverLines = ({ name, nodeID, allocatable, topologyKeys }: objects.CSINodeDriver): readonly l.Line[] =>
  l.section(name, [
    field('Node ID', nodeID),
    ...(typeof allocatable?.count === 'number' ? l.section('Allocatables', [field('Count', allocatable.count)]) : []),
    ...(topologyKeys ? [field('Topology Keys', l.goList(topologyKeys))] : []),
  ]);

export const storageDescribers: readonly Describer[] = [
  persistentVolumeDescriber,
  claimDescriber,
  storageClassDescriber,
  csiNodeDescriber,
];
