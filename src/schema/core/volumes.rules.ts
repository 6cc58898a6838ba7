/** The rules for volumes of pods, and for the sources that persistent volumes share with them. */
import * as field from '../define/fieldErrors.ts';
import type { Path } from '../define/fieldErrors.ts';
import type { RuleContext } from '../define/kind.ts';
import { complaints, each, oneOf, present, type Errors } from '../meta/checks.ts';
import { quantityOf } from '../values/quantity.ts';
import { checkLabel, checkSubdomain } from '../values/names.ts';
import { validateFieldRef, validateResourceFieldRef, VOLUME_FIELDS } from './env.rules.ts';
import type {
  AzureDiskVolumeSource,
  CSIVolumeSource,
  DownwardAPIVolumeFile,
  FCVolumeSource,
  FlockerVolumeSource,
  HostPathVolumeSource,
  KeyToPath,
  NFSVolumeSource,
  ProjectedVolumeSource,
  QuobyteVolumeSource,
  ScaleIOVolumeSource,
  Volume,
  VolumeProjection,
} from './volumes.ts';

type Source = Omit<Volume, 'name'>;
/** Checks one source; `path` is the volume's. */
type SourceCheck<K extends keyof Source> = (
  source: NonNullable<Source[K]>,
  path: Path,
  context: RuleContext,
  volume: Volume,
) => Errors;

const ONE_TYPE = 'may not specify more than 1 volume type';

/** The reference looks at the sources in this order; only the first that is set may be set. */
const SOURCES: { readonly [K in keyof Source]-?: SourceCheck<K> } = {
  emptyDir: (source, path) => validateEmptyDir(source.sizeLimit, path.child('emptyDir', 'sizeLimit')),
  hostPath: (source, path) => validateHostPath(source, path.child('hostPath')),
  gitRepo: (source, path) => validateGitRepo(source, path.child('gitRepo')),
  gcePersistentDisk: (source, path) =>
    validateDisk(source.pdName, 'pdName', source.partition, path.child('persistentDisk')),
  awsElasticBlockStore: (source, path) =>
    validateDisk(source.volumeID, 'volumeID', source.partition, path.child('awsElasticBlockStore')),
  secret: (source, path) => validateFiles('secretName', source.secretName, source, path.child('secret')),
  nfs: (source, path) => validateNFS(source, path.child('nfs')),
  iscsi: (source, path, _context, volume) =>
    validateISCSI(source, path.child('iscsi'), path.child('name'), volume.name),
  glusterfs: (source, path) => requireAll(source, ['endpoints', 'path'], path.child('glusterfs')),
  flocker: (source, path) => validateFlocker(source, path.child('flocker')),
  persistentVolumeClaim: (source, path) => requireAll(source, ['claimName'], path.child('persistentVolumeClaim')),
  rbd: (source, path) => validateRBD(source, path.child('rbd')),
  cinder: (source, path) => validateCinder(source, path.child('cinder')),
  cephfs: (source, path) => validateCephFS(source, path.child('cephfs')),
  quobyte: (source, path) => validateQuobyte(source, path.child('quobyte')),
  downwardAPI: (source, path) => validateDownward(source, path.child('downwardAPI')),
  fc: (source, path) => validateFC(source, path.child('fc')),
  flexVolume: (source, path, context) => validateFlex(source, path.child('flexVolume'), context),
  configMap: (source, path) => validateFiles('name', source.name, source, path.child('configMap')),
  azureFile: (source, path) => requireAll(source, ['secretName', 'shareName'], path.child('azureFile')),
  vsphereVolume: (source, path) => requireAll(source, ['volumePath'], path.child('vsphereVolume')),
  photonPersistentDisk: (source, path) => requireAll(source, ['pdID'], path.child('photonPersistentDisk')),
  portworxVolume: (source, path) => requireAll(source, ['volumeID'], path.child('portworxVolume')),
  azureDisk: (source, path) => validateAzureDisk(source, path.child('azureDisk')),
  storageos: (source, path) => validateStorageOS(source, false, path.child('storageos')),
  projected: (source, path) => validateProjected(source, path.child('projected')),
  scaleIO: (source, path) => validateScaleIO(source, path.child('scaleIO')),
  csi: (source, path) => validateCSI(source, path.child('csi')),
  ephemeral: () => [],
};

/** How the reference calls a source when it is one too many, where that differs from the field's name. */
const EXTRA_NAMES: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

/** Checks the volumes of a pod; returns the names of those that are fine, with what they are. */
export function validateVolumes(
  volumes: readonly Volume[] | undefined,
  path: Path,
  context: RuleContext,
): { readonly valid: ReadonlyMap<string, Volume>; readonly errors: Errors } {
  const valid = new Map<string, Volume>();
  const errors = [
    ...each(volumes, path, (volume, at) => {
      const found = [...validateVolume(volume, at, valid, context)];
      if (found.length === 0) valid.set(volume.name, volume);
      return found;
    }),
  ];
  return { valid, errors };
}

function* validateVolume(
  volume: Volume,
  path: Path,
  earlier: ReadonlyMap<string, Volume>,
  context: RuleContext,
): Errors {
  yield* validateSource(volume, path, context);
  if (volume.name === '') yield field.required(path.child('name'));
  else yield* complaints(path.child('name'), volume.name, checkLabel(volume.name));
  if (earlier.has(volume.name)) yield field.duplicate(path.child('name'), volume.name);
}

function* validateSource(volume: Volume, path: Path, context: RuleContext): Errors {
  let count = 0;
  for (const name of Object.keys(SOURCES) as (keyof Source)[]) {
    const source = volume[name];
    if (source === undefined) continue;
    if (count++ > 0) yield field.forbidden(path.child(EXTRA_NAMES[name] ?? name), ONE_TYPE);
    // The key ties the check to the source; the compiler loses that over the union of all keys.
    else yield* (SOURCES[name] as SourceCheck<typeof name>)(source as never, path, context, volume);
  }
  if (count === 0) yield field.required(path, 'must specify a volume type');
}

function* validateEmptyDir(sizeLimit: string | undefined, path: Path): Errors {
  if (quantityOf(sizeLimit).sign < 0) yield field.forbidden(path, 'SizeLimit field must be a valid resource quantity');
}

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

function* validateGitRepo(source: { repository: string; directory?: string }, path: Path): Errors {
  yield* present(source.repository, path.child('repository'));
  yield* validateDescendingPath(source.directory ?? '', path.child('directory'));
}

export function* validateDisk(id: string, idName: string, partition: number | undefined, path: Path): Errors {
  yield* present(id, path.child(idName));
  if ((partition ?? 0) < 0 || (partition ?? 0) > 255)
    yield field.invalid(path.child('partition'), partition, 'must be between 1 and 255, inclusive');
}

interface Files {
  readonly items?: readonly KeyToPath[];
  readonly defaultMode?: number;
}

function* validateFiles(nameField: string, name: string | undefined, files: Files, path: Path): Errors {
  yield* present(name, path.child(nameField));
  yield* validateMode(files.defaultMode, path.child('defaultMode'));
  yield* each(files.items, path.child('items'), validateKeyToPath);
}

function* validateMode(mode: number | undefined, path: Path): Errors {
  if (mode !== undefined && (mode > 0o777 || mode < 0))
    yield field.invalid(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive');
}

function* validateKeyToPath(item: KeyToPath, path: Path): Errors {
  yield* present(item.key, path.child('key'));
  yield* present(item.path, path.child('path'));
  yield* validateFilePath(item.path, path.child('path'));
  yield* validateMode(item.mode, path.child('mode'));
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

const INITIATOR = {
  iqn: /iqn\.\d{4}-\d{2}\.([A-Za-z0-9\-.]+)(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

/** `lengthPath` is where a volume name that makes the initiator's target too long is reported. */
export function* validateISCSI(source: ISCSI, path: Path, lengthPath: Path, volumeName: string): Errors {
  yield* present(source.targetPortal, path.child('targetPortal'));
  if (source.iqn === '') yield field.required(path.child('iqn'));
  else yield* validateInitiator(source.iqn, path.child('iqn'));
  if (source.lun < 0 || source.lun > 255)
    yield field.invalid(path.child('lun'), source.lun, 'must be between 0 and 255, inclusive');
  if ((source.chapAuthDiscovery || source.chapAuthSession) && !source.secretRef)
    yield field.required(path.child('secretRef'));
  if (source.initiatorName === undefined) return;
  yield* validateInitiator(source.initiatorName, path.child('initiatorname'));
  if (`${volumeName}:${source.targetPortal}`.length > 64) {
    yield field.invalid(
      lengthPath,
      volumeName,
      'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.',
    );
  }
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

function* validateCinder(
  source: { readonly volumeID: string; readonly secretRef?: { readonly name?: string } },
  path: Path,
): Errors {
  yield* present(source.volumeID, path.child('volumeID'));
  if (source.secretRef) yield* present(source.secretRef.name, path.child('secretRef', 'name'));
}

const HOST_AND_PORT = /^(?:[^:[\]]*|\[[^[\]]*\]):[^:]*$/;
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

function* validateDownward(
  source: { readonly items?: readonly DownwardAPIVolumeFile[]; readonly defaultMode?: number },
  path: Path,
): Errors {
  yield* validateMode(source.defaultMode, path.child('defaultMode'));
  for (const file of source.items ?? []) yield* validateDownwardFile(file, path);
}

function* validateDownwardFile(file: DownwardAPIVolumeFile, path: Path): Errors {
  yield* present(file.path, path.child('path'));
  yield* validateFilePath(file.path, path.child('path'));
  if (file.fieldRef) {
    yield* validateFieldRef(file.fieldRef, VOLUME_FIELDS, path.child('fieldRef'));
    if (file.resourceFieldRef)
      yield field.invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
  } else if (file.resourceFieldRef)
    yield* validateResourceFieldRef(file.resourceFieldRef, path.child('resourceFieldRef'), true);
  else yield field.required(path, 'one of fieldRef and resourceFieldRef is required');
  yield* validateMode(file.mode, path.child('mode'));
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

function* validateProjected(source: ProjectedVolumeSource, path: Path): Errors {
  yield* validateMode(source.defaultMode, path.child('defaultMode'));
  const taken = new Set<string>();
  yield* each(source.sources, path.child('sources'), (projection, at) =>
    validateProjection(projection, at, path, taken),
  );
}

function* validateProjection(projection: VolumeProjection, path: Path, whole: Path, taken: Set<string>): Errors {
  const { secret, configMap, downwardAPI, serviceAccountToken: token } = projection;
  for (const [name, files] of [
    ['secret', secret],
    ['configMap', configMap],
  ] as const) {
    if (!files) continue;
    yield* present(files.name, path.child(name, 'name'));
    for (const [i, item] of (files.items ?? []).entries()) {
      yield* validateKeyToPath(item, path.child(name, 'items').index(i));
      yield* takePath(item.path, whole, taken);
    }
  }
  for (const file of downwardAPI?.items ?? []) {
    yield* validateDownwardFile(file, path.child('downwardAPI'));
    yield* takePath(file.path, whole, taken);
  }
  if (token) yield* validateTokenProjection(token, path.child('serviceAccountToken'), whole);
  if ([secret, configMap, downwardAPI, token].filter(Boolean).length > 1) yield field.forbidden(path, ONE_TYPE);
}

function* takePath(file: string, whole: Path, taken: Set<string>): Errors {
  if (file === '') return;
  if (taken.has(file)) yield field.invalid(whole, file, 'conflicting duplicate paths');
  taken.add(file);
}

function* validateTokenProjection(
  { expirationSeconds = 0, path: file }: NonNullable<VolumeProjection['serviceAccountToken']>,
  path: Path,
  whole: Path,
): Errors {
  const seconds = path.child('expirationSeconds');
  if (expirationSeconds < 600)
    yield field.invalid(seconds, expirationSeconds, 'may not specify a duration less than 10 minutes');
  if (expirationSeconds > 2 ** 32)
    yield field.invalid(seconds, expirationSeconds, 'may not specify a duration larger than 2^32 seconds');
  yield* present(file, whole.child('path'));
}

export function* validateScaleIO(
  source: Pick<ScaleIOVolumeSource, 'gateway' | 'system' | 'volumeName'>,
  path: Path,
): Errors {
  yield* requireAll(source, ['gateway', 'system', 'volumeName'], path);
}

function* validateCSI(source: CSIVolumeSource, path: Path): Errors {
  yield* validateDriverName(source.driver, path.child('driver'));
  if (!source.nodePublishSecretRef) return;
  const { name = '' } = source.nodePublishSecretRef;
  // The space is the reference's own; clients see this path.
  if (name === '') yield field.required(path.child('nodePublishSecretRef ', 'name'));
  else yield* complaints(path.child('name'), name, checkSubdomain(name));
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

/** A path for a file that the node agent writes: names that begin with `..` are its own. */
function* validateFilePath(file: string, path: Path): Errors {
  yield* validateDescendingPath(file, path);
  if (file.startsWith('..') && !file.startsWith('../')) yield field.invalid(path, file, "must not start with '..'");
}
