/** Persistent volumes: what is prepared and checked before one is stored. */
import * as field from '../define/fieldErrors.ts';
import { Path } from '../define/fieldErrors.ts';
import type { RuleContext, Rules } from '../define/kind.ts';
import { keepSpec } from '../meta/keepSpec.ts';
import { complaints, immutable, oneOf, present, sameValue, type Errors } from '../meta/checks.ts';
import { checkLabel, checkSubdomain } from '../values/names.ts';
import { quantityOf } from '../values/quantity.ts';
import type { CSIPersistentVolumeSource, PersistentVolume, PersistentVolumeSpec } from './persistentVolume.ts';
import { validateNodeSelector } from './scheduling.rules.ts';
import * as sources from './volumeSources.rules.ts';

const SPEC = Path.of('spec');
export const ACCESS_MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce'];
export const VOLUME_MODES = ['Block', 'Filesystem'];
const RECLAIM_POLICIES = ['Delete', 'Recycle', 'Retain'];

/** The fields of the spec that are no sources. */
const SETTINGS = [
  'capacity',
  'accessModes',
  'claimRef',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'mountOptions',
  'volumeMode',
  'nodeAffinity',
] as const;
type Setting = (typeof SETTINGS)[number];
type Sources = Omit<PersistentVolumeSpec, Setting>;
type SourceCheck<K extends keyof Sources> = (
  source: NonNullable<Sources[K]>,
  path: Path,
  context: RuleContext,
  name: string,
) => Errors;

/** The reference looks at the sources in this order; only the first that is set may be set. */
const CHECKS: { readonly [K in keyof Sources]-?: SourceCheck<K> } = {
  hostPath: (source, path) => sources.validateHostPath(source, path.child('hostPath')),
  gcePersistentDisk: (source, path) =>
    sources.validateDisk(source.pdName, 'pdName', source.partition, path.child('persistentDisk')),
  awsElasticBlockStore: (source, path) =>
    sources.validateDisk(source.volumeID, 'volumeID', source.partition, path.child('awsElasticBlockStore')),
  glusterfs: (source, path) => validateGlusterfs(source, path.child('glusterfs')),
  flocker: (source, path) => sources.validateFlocker(source, path.child('flocker')),
  nfs: (source, path) => sources.validateNFS(source, path.child('nfs')),
  rbd: (source, path) => sources.validateRBD(source, path.child('rbd')),
  quobyte: (source, path) => sources.validateQuobyte(source, path.child('quobyte')),
  cephfs: (source, path) => sources.validateCephFS(source, path.child('cephfs')),
  iscsi: (source, path, _context, name) => sources.validateISCSI(source, path.child('iscsi'), name, true),
  cinder: (source, path) => validateCinder(source, path.child('cinder')),
  fc: (source, path) => sources.validateFC(source, path.child('fc')),
  flexVolume: (source, path, context) => sources.validateFlex(source, path.child('flexVolume'), context),
  azureFile: (source, path) => validateAzureFile(source, path.child('azureFile')),
  vsphereVolume: (source, path) => sources.requireAll(source, ['volumePath'], path.child('vsphereVolume')),
  photonPersistentDisk: (source, path) => sources.requireAll(source, ['pdID'], path.child('photonPersistentDisk')),
  portworxVolume: (source, path) => sources.requireAll(source, ['volumeID'], path.child('portworxVolume')),
  azureDisk: (source, path) => sources.validateAzureDisk(source, path.child('azureDisk')),
  scaleIO: (source, path) => sources.validateScaleIO(source, path.child('scaleIO')),
  local: (source, path) => validateLocal(source.path, path.child('local', 'path')),
  storageos: (source, path) => sources.validateStorageOS(source, true, path.child('storageos')),
  csi: (source, path) => validateCSI(source, path.child('csi')),
};

/** How the reference calls a source when it is one too many, where that differs from the field's name. */
const EXTRA_NAMES: Readonly<Record<string, string>> = { cephfs: 'cephFS' };

function* validateSource(spec: PersistentVolumeSpec, name: string, path: Path, context: RuleContext): Errors {
  let count = 0;
  for (const key of Object.keys(CHECKS) as (keyof Sources)[]) {
    const source = spec[key];
    if (source === undefined) continue;
    // The reference forgot to count with flex volumes.
    if (count++ > 0 && key !== 'flexVolume') {
      yield field.forbidden(path.child(EXTRA_NAMES[key] ?? key), 'may not specify more than 1 volume type');
      continue;
    }
    // The key ties the check to the source; the compiler loses that over the union of all keys.
    yield* (CHECKS[key] as SourceCheck<typeof key>)(source as never, path, context, name);
    if (key === 'local' && !spec.nodeAffinity)
      yield field.required(path.child('nodeAffinity'), 'Local volume requires node affinity');
  }
  if (count === 0) yield field.required(path, 'must specify a volume type');
}

function* validateGlusterfs(
  source: { readonly endpoints: string; readonly path: string; readonly endpointsNamespace?: string },
  path: Path,
): Errors {
  yield* sources.requireAll(source, ['endpoints', 'path'], path);
  const { endpointsNamespace: namespace } = source;
  if (namespace === undefined) return;
  const at = path.child('endpointsNamespace');
  if (namespace === '')
    yield field.invalid(at, namespace, 'if the endpointnamespace is set, it must be a valid namespace name');
  else yield* complaints(at, namespace, checkLabel(namespace));
}

function* validateCinder({ volumeID, secretRef }: NonNullable<Sources['cinder']>, path: Path): Errors {
  yield* present(volumeID, path.child('volumeID'));
  if (secretRef) yield* sources.requireAll(secretRef, ['name', 'namespace'], path.child('secretRef'));
}

function* validateAzureFile(source: NonNullable<Sources['azureFile']>, path: Path): Errors {
  yield* sources.requireAll(source, ['secretName', 'shareName'], path);
  if (source.secretNamespace === '') yield field.required(path.child('secretNamespace'));
}

function* validateLocal(local: string, path: Path): Errors {
  if (local === '') yield field.required(path);
  else yield* sources.validateNoBacksteps(local, path);
}

/** References to secrets, with the reference's own slip in the name of the last. */
const CSI_SECRETS = [
  ['controllerPublishSecretRef', 'controllerPublishSecretRef'],
  ['controllerExpandSecretRef', 'controllerExpandSecretRef'],
  ['nodePublishSecretRef', 'nodePublishSecretRef '],
] as const;

function* validateCSI(source: CSIPersistentVolumeSource, path: Path): Errors {
  yield* sources.validateDriverName(source.driver, path.child('driver'));
  yield* present(source.volumeHandle, path.child('volumeHandle'));
  for (const [key, reported] of CSI_SECRETS) {
    const secret = source[key];
    if (!secret) continue;
    for (const part of ['name', 'namespace'] as const) {
      const text = secret[part] ?? '';
      if (text === '') yield field.required(path.child(reported, part));
      else yield* complaints(path.child(part), text, checkLabel(text));
    }
  }
}

/** The spec of a volume, or (`inline`) of one that an attachment describes without there being an object. */
export function* validatePersistentVolumeSpec(
  spec: PersistentVolumeSpec,
  name: string,
  inline: boolean,
  path: Path,
  context: RuleContext,
): Errors {
  if (inline) yield* validateInlineOnly(spec, path);
  if ((spec.accessModes ?? []).length === 0) yield field.required(path.child('accessModes'));
  for (const mode of spec.accessModes ?? []) yield* oneOf(mode, ACCESS_MODES, path.child('accessModes'));
  if (!inline) yield* validateCapacity(spec.capacity ?? {}, path.child('capacity'));
  yield* validateReclaimPolicy(
    spec.persistentVolumeReclaimPolicy ?? '',
    inline,
    path.child('persistentVolumeReclaimPolicy'),
  );
  yield* validateNodeAffinity(spec, inline, path.child('nodeAffinity'));
  yield* validateSource(spec, name, path, context);
  if (spec.persistentVolumeReclaimPolicy === 'Recycle' && isRoot(spec.hostPath?.path)) {
    yield field.forbidden(
      path.child('persistentVolumeReclaimPolicy'),
      "may not be 'recycle' for a hostPath mount of '/'",
    );
  }
  yield* validateClassAndMode(spec, inline, path);
}

const INLINE = 'may not be specified in the context of inline volumes';

function* validateInlineOnly(spec: PersistentVolumeSpec, path: Path): Errors {
  if (spec.claimRef) yield field.forbidden(path.child('claimRef'), INLINE);
  if (Object.keys(spec.capacity ?? {}).length > 0) yield field.forbidden(path.child('capacity'), INLINE);
  if (!spec.csi) yield field.required(path.child('csi'), 'has to be specified in the context of inline volumes');
}

function* validateCapacity(capacity: Readonly<Record<string, string>>, path: Path): Errors {
  const amounts = Object.entries(capacity);
  if (amounts.length === 0) yield field.required(path);
  if (capacity['storage'] === undefined || amounts.length > 1) yield field.notSupported(path, capacity, ['storage']);
  for (const [name, amount] of amounts) {
    const quantity = quantityOf(amount);
    if (quantity.value() < 0) yield field.invalid(path.key(name), amount, 'must be a valid resource quantity');
    if (quantity.sign <= 0) yield field.invalid(path.key(name), amount, 'must be greater than zero');
  }
}

function* validateReclaimPolicy(policy: string, inline: boolean, path: Path): Errors {
  if (policy === '') return;
  if (!inline) yield* oneOf(policy, RECLAIM_POLICIES, path);
  else if (policy !== 'Retain') yield field.forbidden(path, 'may only be Retain in the context of inline volumes');
}

function* validateNodeAffinity({ nodeAffinity }: PersistentVolumeSpec, inline: boolean, path: Path): Errors {
  if (!nodeAffinity) return;
  if (inline) yield field.forbidden(path, INLINE);
  else if (!nodeAffinity.required)
    yield field.required(path.child('required'), 'must specify required node constraints');
  else yield* validateNodeSelector(nodeAffinity.required, path.child('required'));
}

/** Whether a path is the root of the file system after normalization. */
function isRoot(path = ''): boolean {
  if (!path.startsWith('/')) return false;
  let depth = 0;
  for (const part of path.split('/')) {
    if (part === '..') depth = Math.max(0, depth - 1);
    else if (part !== '' && part !== '.') depth++;
  }
  return depth === 0;
}

function* validateClassAndMode(
  { storageClassName = '', volumeMode }: PersistentVolumeSpec,
  inline: boolean,
  path: Path,
): Errors {
  if (storageClassName !== '') {
    const at = path.child('storageClassName');
    if (inline) yield field.forbidden(at, INLINE);
    else yield* complaints(at, storageClassName, checkSubdomain(storageClassName));
  }
  if (volumeMode === undefined) return;
  if (!inline) yield* oneOf(volumeMode, VOLUME_MODES, path.child('volumeMode'));
  else if (volumeMode !== 'Filesystem')
    yield field.forbidden(
      path.child('volumeMode'),
      'may not specify volumeMode other than Filesystem in the context of inline volumes',
    );
}

/** Sources that take mount options, which once were an annotation. */
const MOUNTABLE = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'iscsi',
  'cinder',
  'cephfs',
  'azureFile',
  'vsphereVolume',
  'azureDisk',
  'photonPersistentDisk',
] as const;

function* validateMountAnnotation({ metadata, spec }: PersistentVolume, { names }: RuleContext): Errors {
  const key = names.fill('volume.beta.{label}/mount-options');
  if (metadata.annotations?.[key] === undefined || MOUNTABLE.some((name) => spec[name])) return;
  yield field.forbidden(Path.of('metadata', 'annotations', key), 'may not specify mount options for this volume type');
}

/** The source alone; a secret for growing the volume may still be added to it. */
function sourceOf(spec: PersistentVolumeSpec, old: PersistentVolumeSpec): object {
  const source: Record<string, unknown> = { ...spec };
  for (const name of SETTINGS) delete source[name];
  if (!spec.csi || !old.csi || old.csi.controllerExpandSecretRef) return source;
  const { controllerExpandSecretRef: _added, ...csi } = spec.csi;
  return { ...source, csi };
}

function* validateUpdate({ spec }: PersistentVolume, { spec: old }: PersistentVolume): Errors {
  if (!sameValue(sourceOf(spec, old), sourceOf(old, old)))
    yield field.forbidden(SPEC.child('persistentvolumesource'), 'is immutable after creation');
  yield* immutable(spec.volumeMode, old.volumeMode, Path.of('volumeMode'));
  if (old.nodeAffinity) yield* immutable(spec.nodeAffinity, old.nodeAffinity, Path.of('nodeAffinity'));
}

export const persistentVolumeRules: Rules<PersistentVolume> = {
  prepareCreate: (volume) => {
    volume.status = {};
  },
  prepareStatusUpdate: keepSpec,
  validate: (volume, context) => [
    ...validatePersistentVolumeSpec(volume.spec, volume.metadata.name ?? '', false, SPEC, context),
    ...validateMountAnnotation(volume, context),
  ],
  updateChecks: ['alone', 'alone', 'change'],
  validateUpdate: (volume, old) => [...validateUpdate(volume, old)],
};
