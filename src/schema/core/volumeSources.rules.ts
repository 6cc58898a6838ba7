/** The rules for sources of storage that pods and persistent volumes have in common. */
import * as field from '../define/fieldErrors.ts';
import type { Path } from '../define/fieldErrors.ts';
import type { RuleContext } from '../define/kind.ts';
import { complaints, oneOf, present, type Errors } from '../meta/checks.ts';
import { checkLabel, checkSubdomain } from '../values/names.ts';
import type {
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  QuobyteVolumeSource,
  ScaleIOVolumeSource,
} from './volumes.ts';

/** Each of the named texts has to be there. */
export function* requireAll<K extends string>(
  source: { readonly [name in K]?: string | undefined },
  names: readonly K[],
  path: Path,
): Errors {
  for (const name of names) yield* present(source[name], path.child(name));
}

const HOST_PATH_TYPES = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

export function* validateHostPath(source: HostPathVolumeSource, path: Path): Errors {
  if (source.path === '') return yield field.required(path.child('path'));
  yield* validateNoBacksteps(source.path, path.child('path'));
  if (source.type !== undefined) yield* oneOf(source.type, HOST_PATH_TYPES, path.child('type'));
}

export function* validateDisk(id: string, idName: string, partition: number | undefined, path: Path): Errors {
  yield* present(id, path.child(idName));
  if ((partition ?? 0) < 0 || (partition ?? 0) > 255)
    yield field.invalid(path.child('partition'), partition, 'must be between 1 and 255, inclusive');
}

export function* validateNFS(source: NFSVolumeSource, path: Path): Errors {
  yield* requireAll(source, ['server', 'path'], path);
  if (!source.path.startsWith('/')) yield field.invalid(path.child('path'), source.path, 'must be an absolute path');
}

interface ISCSI {
  readonly targetPortal: string;
  readonly iqn: string;
  readonly lun: number;
  readonly chapAuthDiscovery?: boolean;
  readonly chapAuthSession?: boolean;
  readonly initiatorName?: string;
  readonly secretRef?: { readonly name?: string };
}

const MAX_TARGET = 64;

const INITIATOR = {
  iqn: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9\-.]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

/** `persistent`: the name of the volume's own object counts, and a secret has to be named. */
export function* validateISCSI(source: ISCSI, path: Path, volumeName: string, persistent: boolean): Errors {
  yield* present(source.targetPortal, path.child('targetPortal'));
  if (persistent) yield* validateTargetLength(source, volumeName, path.child('targetportal'));
  if (source.iqn === '') yield field.required(path.child('iqn'));
  else yield* validateInitiator(source.iqn, path.child('iqn'));
  if (source.lun < 0 || source.lun > 255)
    yield field.invalid(path.child('lun'), source.lun, 'must be between 0 and 255, inclusive');
  if ((source.chapAuthDiscovery || source.chapAuthSession) && !source.secretRef)
    yield field.required(path.child('secretRef'));
  if (persistent && source.secretRef) yield* present(source.secretRef.name, path.child('secretRef', 'name'));
  if (source.initiatorName !== undefined) yield* validateInitiator(source.initiatorName, path.child('initiatorname'));
}

/** `path` is where a volume's name that makes the initiator's target too long is reported. */
export function* validateTargetLength(
  { initiatorName, targetPortal }: Pick<ISCSI, 'initiatorName' | 'targetPortal'>,
  volumeName: string,
  path: Path,
): Errors {
  if (initiatorName === undefined || `${volumeName}:${targetPortal}`.length <= MAX_TARGET) return;
  yield field.invalid(
    path,
    volumeName,
    `Total length of <volume name>:<iscsi.targetPortal> must be under ${MAX_TARGET} characters if iscsi.initiatorName is specified.`,
  );
}

function* validateInitiator(name: string, path: Path): Errors {
  const pattern = INITIATOR[name.slice(0, 3) as keyof typeof INITIATOR] as RegExp | undefined;
  if (!pattern) yield field.invalid(path, name, 'must be valid format starting with iqn, eui, or naa');
  else if (!pattern.test(name)) yield field.invalid(path, name, 'must be valid format');
}

export function* validateFlocker(source: FlockerVolumeSource, path: Path): Errors {
  const { datasetName = '', datasetUUID = '' } = source;
  if (datasetName === '' && datasetUUID === '')
    yield field.required(path, 'one of datasetName and datasetUUID is required');
  if (datasetName !== '' && datasetUUID !== '')
    yield field.invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously');
  if (datasetName.includes('/')) yield field.invalid(path.child('datasetName'), datasetName, "must not contain '/'");
}

export function* validateRBD(
  source: { readonly monitors: readonly string[] | null; readonly image: string },
  path: Path,
): Errors {
  yield* validateCephFS(source, path);
  yield* present(source.image, path.child('image'));
}

export function* validateCephFS(source: { readonly monitors: readonly string[] | null }, path: Path): Errors {
  if ((source.monitors ?? []).length === 0) yield field.required(path.child('monitors'));
}

const HOST_AND_PORT = /^(?:[^:[\]]*|\[[^[\]]*\]):[^:[\]]*$/;

const PAIRS = 'must be a host:port pair or multiple pairs separated by commas';

export function* validateQuobyte(source: QuobyteVolumeSource, path: Path): Errors {
  if (source.registry === '') yield field.required(path.child('registry'), PAIRS);
  else if ((source.tenant ?? '').length >= 65)
    yield field.required(path.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters');
  else
    for (const pair of source.registry.split(','))
      if (!HOST_AND_PORT.test(pair)) yield field.invalid(path.child('registry'), source.registry, PAIRS);
  yield* present(source.volume, path.child('volume'));
}

export function* validateFC(source: FCVolumeSource, path: Path): Errors {
  const { targetWWNs = [], wwids = [], lun } = source;
  if (targetWWNs.length === 0 && wwids.length === 0)
    yield field.required(path.child('targetWWNs'), 'must specify either targetWWNs or wwids, but not both');
  if (targetWWNs.length > 0 && wwids.length > 0)
    yield field.invalid(
      path.child('targetWWNs'),
      targetWWNs,
      'targetWWNs and wwids can not be specified simultaneously',
    );
  if (targetWWNs.length === 0) return;
  if (lun === undefined) yield field.required(path.child('lun'), 'lun is required if targetWWNs is specified');
  else if (lun < 0 || lun > 255) yield field.invalid(path.child('lun'), lun, 'must be between 0 and 255, inclusive');
}

export function* validateFlex(
  source: { readonly driver: string; readonly options?: Readonly<Record<string, string>> },
  path: Path,
  { names }: RuleContext,
): Errors {
  yield* present(source.driver, path.child('driver'));
  for (const option of Object.keys(source.options ?? {})) {
    const domain = `.${(option.split('/', 1)[0] as string).toLowerCase()}`;
    if (!domain.endsWith(`.${names.label}`) && !domain.endsWith(`.${names.domain}`)) continue;
    yield field.invalid(
      path.child('options').key(option),
      option,
      `${names.label} and ${names.domain} namespaces are reserved`,
    );
  }
}

const DISK_KINDS = ['Dedicated', 'Managed', 'Shared'];

const DISK_URI = {
  managed: '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}',
  blob: 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd',
};

export function* validateAzureDisk(source: AzureDiskVolumeSource, path: Path): Errors {
  yield* requireAll(source, ['diskName', 'diskURI'], path);
  if (source.cachingMode !== undefined)
    yield* oneOf(source.cachingMode, ['None', 'ReadOnly', 'ReadWrite'], path.child('cachingMode'));
  if (source.kind === undefined) return;
  yield* oneOf(source.kind, DISK_KINDS, path.child('kind'));
  const [prefix, example] =
    source.kind === 'Managed' ? ['/subscriptions/', DISK_URI.managed] : ['https://', DISK_URI.blob];
  if (!source.diskURI.startsWith(prefix)) yield field.notSupported(path.child('diskURI'), source.diskURI, [example]);
}

interface StorageOS {
  readonly volumeName?: string;
  readonly volumeNamespace?: string;
  readonly secretRef?: { readonly name?: string; readonly namespace?: string };
}

export function* validateStorageOS(
  { volumeName = '', volumeNamespace = '', secretRef }: StorageOS,
  persistent: boolean,
  path: Path,
): Errors {
  if (volumeName === '') yield field.required(path.child('volumeName'));
  else yield* complaints(path.child('volumeName'), volumeName, checkLabel(volumeName));
  if (volumeNamespace !== '')
    yield* complaints(path.child('volumeNamespace'), volumeNamespace, checkLabel(volumeNamespace));
  if (secretRef) yield* requireAll(secretRef, persistent ? ['name', 'namespace'] : ['name'], path.child('secretRef'));
}

export function* validateScaleIO(
  source: Pick<ScaleIOVolumeSource, 'gateway' | 'system' | 'volumeName'>,
  path: Path,
): Errors {
  yield* requireAll(source, ['gateway', 'system', 'volumeName'], path);
}

/** The name of a storage driver: a DNS subdomain in any case, short enough for a label. */
export function* validateDriverName(name: string, path: Path): Errors {
  yield* present(name, path);
  if (name.length > 63) yield field.tooLong(path, name, 63);
  yield* complaints(path, name, checkSubdomain(name.toLowerCase()));
}

/** A path inside a volume: relative, without `..`. */
export function* validateDescendingPath(file: string, path: Path): Errors {
  if (file.startsWith('/')) yield field.invalid(path, file, 'must be a relative path');
  yield* validateNoBacksteps(file, path);
}

export function* validateNoBacksteps(file: string, path: Path): Errors {
  if (file.split('/').includes('..')) yield field.invalid(path, file, "must not contain '..'");
}
