/** The rules for volumes of pods. */
import * as field from '../define/fieldErrors.ts';

import type { Path } from '../define/fieldErrors.ts';
import type { RuleContext } from '../define/kind.ts';
import { complaints, each, present, type Errors } from '../meta/checks.ts';
import type { ObjectMeta } from '../meta/objectMeta.ts';
import { validateAnnotations, validateLabels } from '../meta/objectMeta.rules.ts';
import { quantityOf } from '../values/quantity.ts';
import { checkLabel, checkSubdomain } from '../values/names.ts';
import { validateFieldRef, validateResourceFieldRef, VOLUME_FIELDS } from './env.rules.ts';
import { validateClaimSpec } from './persistentVolumeClaim.rules.ts';
import {
  requireAll,
  validateAzureDisk,
  validateCephFS,
  validateDescendingPath,
  validateDisk,
  validateDriverName,
  validateFC,
  validateFlex,
  validateFlocker,
  validateHostPath,
  validateISCSI,
  validateNFS,
  validateQuobyte,
  validateRBD,
  validateScaleIO,
  validateStorageOS,
  validateTargetLength,
} from './volumeSources.rules.ts';
import type {
  CSIVolumeSource,
  DownwardAPIVolumeFile,
  EphemeralVolumeSource,
  KeyToPath,
  ProjectedVolumeSource,
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
  podName: string,
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
  iscsi: (source, path, _context, volume) => validateISCSI(source, path.child('iscsi'), volume.name, false),
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
  ephemeral: validateEphemeral,
};

/** How the reference calls a source when it is one too many, where that differs from the field's name. */
const EXTRA_NAMES: Readonly<Record<string, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

/** Validates the volumes of a pod (templates have no name); returns the valid ones by name. */
export function validateVolumes(
  volumes: readonly Volume[] | undefined,
  path: Path,
  context: RuleContext,
  podName: string,
): { readonly valid: ReadonlyMap<string, Volume>; readonly errors: Errors } {
  const valid = new Map<string, Volume>();
  const errors = [
    ...each(volumes, path, (volume, at) => {
      const found = [...validateVolume(volume, at, valid, context, podName)];
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
  podName: string,
): Errors {
  yield* validateSource(volume, path, context, podName);
  if (volume.name === '') yield field.required(path.child('name'));
  else yield* complaints(path.child('name'), volume.name, checkLabel(volume.name));
  if (earlier.has(volume.name)) yield field.duplicate(path.child('name'), volume.name);
}

function* validateSource(volume: Volume, path: Path, context: RuleContext, podName: string): Errors {
  let count = 0;
  for (const name of Object.keys(SOURCES) as (keyof Source)[]) {
    const source = volume[name];
    if (source === undefined) continue;
    if (count++ > 0) yield field.forbidden(path.child(EXTRA_NAMES[name] ?? name), ONE_TYPE);
    // The key ties the check to the source; the compiler loses that over the union of all keys.
    else yield* (SOURCES[name] as SourceCheck<typeof name>)(source as never, path, context, volume, podName);
    if (name === 'iscsi' && volume.iscsi) yield* validateTargetLength(volume.iscsi, volume.name, path.child('name'));
  }
  if (count === 0) yield field.required(path, 'must specify a volume type');
}

/** A claim made for the pod, and named after it and the volume. */
function* validateEphemeral(
  { volumeClaimTemplate: template }: EphemeralVolumeSource,
  path: Path,
  _context: RuleContext,
  volume: Volume,
  podName: string,
): Errors {
  const at = path.child('ephemeral', 'volumeClaimTemplate');
  if (!template) yield field.required(at);
  else {
    yield* validateTemplateMeta(template.metadata ?? {}, at.child('metadata'));
    yield* validateClaimSpec(template.spec, at.child('spec'));
  }
  if (podName !== '') yield* complaints(path.child('name'), volume.name, checkSubdomain(`${podName}-${volume.name}`));
}

function* validateTemplateMeta(metadata: ObjectMeta, path: Path): Errors {
  yield* validateAnnotations(metadata.annotations, path.child('annotations'));
  yield* validateLabels(metadata.labels, path.child('labels'));
  for (const [name, value] of Object.entries(metadata)) {
    if (name === 'annotations' || name === 'labels' || !value) continue;
    // The reference calls the rest by their names in its own code.
    const called = name === 'uid' ? 'UID' : name.charAt(0).toUpperCase() + name.slice(1);
    yield field.forbidden(path.child(called), 'cannot be set for an ephemeral volume');
  }
}

function* validateEmptyDir(sizeLimit: string | undefined, path: Path): Errors {
  if (quantityOf(sizeLimit).sign < 0) yield field.forbidden(path, 'SizeLimit field must be a valid resource quantity');
}

function* validateGitRepo(source: { repository: string; directory?: string }, path: Path): Errors {
  yield* present(source.repository, path.child('repository'));
  yield* validateDescendingPath(source.directory ?? '', path.child('directory'));
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

function* validateCinder(
  source: { readonly volumeID: string; readonly secretRef?: { readonly name?: string } },
  path: Path,
): Errors {
  yield* present(source.volumeID, path.child('volumeID'));
  if (source.secretRef) yield* present(source.secretRef.name, path.child('secretRef', 'name'));
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
      yield* takePath(item.path, files.name ?? '', whole, taken);
    }
  }
  for (const file of downwardAPI?.items ?? []) {
    yield* validateDownwardFile(file, path.child('downwardAPI'));
    yield* takePath(file.path, file.path, whole, taken);
  }
  if (token) yield* validateTokenProjection(token, path.child('serviceAccountToken'), whole);
  if ([secret, configMap, downwardAPI, token].filter(Boolean).length > 1) yield field.forbidden(path, ONE_TYPE);
}

/** `owner`: whom the reference names when two want the same path. */
function* takePath(file: string, owner: string, whole: Path, taken: Set<string>): Errors {
  if (file === '') return;
  if (taken.has(file)) yield field.invalid(whole, owner, 'conflicting duplicate paths');
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

function* validateCSI(source: CSIVolumeSource, path: Path): Errors {
  yield* validateDriverName(source.driver, path.child('driver'));
  if (!source.nodePublishSecretRef) return;
  const { name = '' } = source.nodePublishSecretRef;
  // The space is the reference's own; clients see this path.
  if (name === '') yield field.required(path.child('nodePublishSecretRef ', 'name'));
  else yield* complaints(path.child('name'), name, checkSubdomain(name));
}

/** A path for a file that the node agent writes: names that begin with `..` are its own. */
function* validateFilePath(file: string, path: Path): Errors {
  yield* validateDescendingPath(file, path);
  if (file.startsWith('..') && !file.startsWith('../')) yield field.invalid(path, file, "must not start with '..'");
}
