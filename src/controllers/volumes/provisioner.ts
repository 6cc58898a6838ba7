import {
  identityOf,
  keyOf,
  nameOf,
  persistentVolumes,
  type Draft,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type StorageClass,
} from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { isReason } from '../../schema/index.ts';
import { getOwn } from '../../std/index.ts';
import type { ControllerContext } from '../runtime/index.ts';
import { annotated, bindingAnnotations, SIMULATED_PROVISIONER } from './annotations.ts';
import type { BindingWriter } from './bindingWriter.ts';

type Claim = PersistentVolumeClaim;
type Volume = PersistentVolume;

/**
 * Provisions volumes for claims. Those of the simulated provisioner are created here. A provisioner in the product's
 * own domain would be a plugin, and there is none. Any other is external and awaited.
 */
export class Provisioner {
  readonly #context: ControllerContext;
  readonly #writer: BindingWriter;

  constructor(context: ControllerContext, writer: BindingWriter) {
    this.#context = context;
    this.#writer = writer;
  }

  async provision(claim: Claim, { provisioner, ...storageClass }: StorageClass): Promise<void> {
    const { recorder, names, flags } = this.#context;
    if (!flags.bool('enable-dynamic-provisioning')) return;
    if (provisioner.startsWith(`${names.label}/`))
      return recorder.record(claim, 'Warning', 'ProvisioningFailed', `no volume plugin matched name: ${provisioner}`);
    const marked = await this.#markProvisioner(claim, provisioner);
    if (provisioner === SIMULATED_PROVISIONER) return this.#make(marked, { ...storageClass, provisioner });
    const message = `waiting for a volume to be created, either by external provisioner ${JSON.stringify(provisioner)} or manually created by system administrator`;
    recorder.record(claim, 'Normal', 'ExternalProvisioning', message);
    await this.#writer.claimPhase(marked, 'Pending');
  }

  async #markProvisioner(claim: Claim, provisioner: string): Promise<Claim> {
    const annotation = bindingAnnotations(this.#context.names).provisioner;
    if (getOwn(claim.metadata.annotations, annotation) === provisioner) return claim;
    const metadata = annotated(claim.metadata, { [annotation]: provisioner });
    return this.#writer.updateClaim(claim, { ...claim, metadata });
  }

  async #make(claim: Claim, storageClass: StorageClass): Promise<void> {
    const { client, names, recorder } = this.#context;
    const draft = simulatedVolume(claim, storageClass, names);
    try {
      const made = await client.of(persistentVolumes).create(draft);
      await this.#writer.volumes.until(keyOf(made), (seen) => seen !== undefined);
      const message = `Successfully provisioned volume ${made.metadata.name} using ${SIMULATED_PROVISIONER}`;
      recorder.record(claim, 'Normal', 'ProvisioningSucceeded', message);
    } catch (problem) {
      if (!isReason(problem, 'AlreadyExists')) throw problem;
    }
  }
}

/** A simulated volume: a directory on the node that the scheduler has selected, or on any node. */
export function simulatedVolume(claim: Claim, storageClass: StorageClass, names: Names): Draft<Volume> {
  const { namespace, name, uid } = identityOf(claim);
  const { provisionedBy, selectedNode } = bindingAnnotations(names);
  const node = getOwn(claim.metadata.annotations, selectedNode);
  const matchExpressions = [{ key: names.fill('{label}/hostname'), operator: 'In', values: [node ?? ''] }];
  return {
    metadata: { name: `pvc-${uid}`, annotations: { [provisionedBy]: SIMULATED_PROVISIONER } },
    spec: {
      capacity: { storage: claim.spec.resources?.requests?.storage ?? '1Gi' },
      accessModes: claim.spec.accessModes ?? ['ReadWriteOnce'],
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
      storageClassName: nameOf(storageClass),
      hostPath: { path: `/simulated/${namespace}/${name}` },
      ...(claim.spec.volumeMode ? { volumeMode: claim.spec.volumeMode } : {}),
      ...(node === undefined ? {} : { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions }] } } }),
    },
  };
}
