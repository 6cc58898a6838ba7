/** Claims of volumes, whole ones and those that a pod or set makes by a template. */
import type { objects } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import { annotations, field, given, goList, indent, labels, NONE, section, type Line } from './lines.ts';

type Claim = objects.PersistentVolumeClaim;

const CLASS_ANNOTATION = /^volume\.beta\.\w+\.io\/storage-class$/;

/** The class by its old annotation, or by its field. */
export function classOf(metadata: Claim['metadata'], name: string | undefined): string {
  const annotated = Object.entries(metadata?.annotations ?? {}).find(([key]) => CLASS_ANNOTATION.test(key));
  return annotated?.[1] ?? name ?? '';
}

const SHORT_MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
};

/** `RWO,RWX`, each once and in the reference's order. */
export const accessModes = (modes: readonly string[] = []): string =>
  Object.entries(SHORT_MODES)
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');

/** A claim; `whole` is false where it is a template in a pod. */
export function claimLines({ metadata, spec, status }: Claim, whole = true): readonly Line[] {
  const bound = spec?.volumeName ? status : undefined;
  return [
    ...(whole ? [field('Name', metadata?.name ?? ''), field('Namespace', metadata?.namespace ?? '')] : []),
    field('StorageClass', classOf(metadata, spec?.storageClassName ?? undefined)),
    ...(whole ? [field('Status', metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''))] : []),
    field('Volume', spec?.volumeName ?? ''),
    ...labels('Labels', metadata?.labels),
    ...annotations('Annotations', metadata?.annotations),
    ...(whole ? [field('Finalizers', goList(metadata?.finalizers))] : []),
    field('Capacity', bound ? (getOwn(bound.capacity, 'storage') ?? '0') : ''),
    field('Access Modes', accessModes(bound?.accessModes)),
    ...given('VolumeMode', spec?.volumeMode),
    ...(spec?.dataSource ? dataSource(spec.dataSource) : []),
  ];
}

const dataSource = ({ apiGroup, kind, name }: objects.TypedLocalObjectReference): readonly Line[] =>
  section('DataSource', [...given('APIGroup', apiGroup), field('Kind', kind), field('Name', name)]);

/** The templates of a stateful set. */
export function claimTemplates(templates: readonly Claim[] | undefined): readonly Line[] {
  if (!templates?.length) return [field('Volume Claims', NONE)];
  const lines = templates.flatMap(({ metadata, spec }) => [
    ...indent(1, [
      field('Name', metadata?.name ?? ''),
      field('StorageClass', classOf(metadata, spec?.storageClassName ?? undefined)),
    ]),
    ...labels('  Labels', metadata?.labels),
    ...labels('  Annotations', metadata?.annotations),
    ...indent(1, [
      field('Capacity', getOwn(spec?.resources?.requests, 'storage') ?? '<default>'),
      field('Access Modes', goList(spec?.accessModes)),
    ]),
  ]);
  return ['Volume Claims:', ...lines];
}
