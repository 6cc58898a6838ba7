import {
  identityOf,
  keyOf,
  persistentVolumes,
  pods as podsRef,
  type Draft,
  type Informer,
  type PersistentVolume,
  type Pod,
} from '../../client/index.ts';
import { found, quantityOf } from '../../schema/index.ts';
import { isFinished, type ControllerContext } from '../runtime/index.ts';
import { SIMULATED_PROVISIONER } from './annotations.ts';
import type { BindingWriter } from './bindingWriter.ts';
import { planDeletion } from './bindPlan.ts';

type Volume = PersistentVolume;

const RECYCLER = 'recycler-for-';
const RECYCLER_NAMESPACE = 'default';
/** Milliseconds until a failed deletion is retried. */
const RETRY = 15_000;

/** The volume that a recycler pod empties. */
export function recycledVolume(pod: Pod): string[] {
  const { name, namespace } = identityOf(pod);
  return namespace === RECYCLER_NAMESPACE && name.startsWith(RECYCLER) ? [name.slice(RECYCLER.length)] : [];
}

/** Deletes, recycles or retains released volumes. */
export class Reclaimer {
  readonly #context: ControllerContext;
  readonly #writer: BindingWriter;
  readonly #pods: Informer<Pod>;

  constructor(context: ControllerContext, writer: BindingWriter) {
    this.#context = context;
    this.#writer = writer;
    this.#pods = context.informers.of(podsRef);
  }

  /**
   * A volume that could not be reclaimed is Failed until a retry succeeds. Returns the milliseconds until the retry.
   */
  async reclaim(volume: Volume): Promise<number | void> {
    const { phase } = volume.status;
    const released =
      phase === 'Released' || phase === 'Failed' ? volume : await this.#writer.volumePhase(volume, 'Released');
    if (volume.metadata.deletionTimestamp !== undefined) return;
    const policy = volume.spec.persistentVolumeReclaimPolicy;
    if (policy === 'Delete') return this.#delete(released);
    if (policy === 'Recycle') return this.#recycle(released);
  }

  async #delete(volume: Volume): Promise<number | void> {
    const deletion = planDeletion(volume, SIMULATED_PROVISIONER, this.#context.names);
    if (deletion === 'delete') return void (await found(this.#context.client.of(persistentVolumes).delete(volume)));
    if (deletion === 'leaveToProvisioner') return;
    await this.#fail(volume, 'VolumeFailedDelete', deletion.failure);
    return RETRY;
  }

  /** A pod empties the volume. After it succeeded the volume is available again. */
  async #recycle(volume: Volume): Promise<number | void> {
    const users = this.#usersOf(volume);
    if (users.length > 0) {
      const message = `Volume is used by pods: ${users.join(',')}`;
      this.#context.recorder.record(volume, 'Normal', 'VolumeFailedRecycle', message);
      return RETRY;
    }
    if (!isRecyclable(volume))
      return this.#fail(volume, 'VolumeFailedRecycle', 'No recycler plugin found for the volume!');
    const draft = recyclerPod(volume, this.#deadline(volume));
    const pod = this.#pods.get(`${RECYCLER_NAMESPACE}/${draft.metadata.name}`);
    if (!pod) return void (await this.#context.client.of(podsRef).create(draft));
    if (pod.status.phase !== 'Succeeded' && pod.status.phase !== 'Failed') return;
    await found(this.#context.client.of(podsRef).delete(pod));
    if (pod.status.phase === 'Failed')
      return this.#fail(volume, 'VolumeFailedRecycle', `Recycler failed: ${pod.status.message ?? 'pod failed'}`);
    this.#context.recorder.record(volume, 'Normal', 'VolumeRecycled', 'Volume recycled');
    await this.#writer.unbind(volume);
  }

  /** Pods that name the volume's claim, which is gone, and have not ended. A new claim of that name has another volume. */
  #usersOf({ spec: { claimRef } }: Volume): string[] {
    const key = `${claimRef?.namespace}/${claimRef?.name}`;
    if (this.#writer.claims.get(key)) return [];
    const pods = this.#pods.by('claim', key).filter((pod) => !isFinished(pod));
    return pods.map(keyOf).sort();
  }

  /** Seconds that a recycler may take, by the size of the volume. */
  #deadline({ spec }: Volume): number {
    const { flags } = this.#context;
    const [least, each] = spec.hostPath
      ? ['pv-recycler-minimum-timeout-hostpath', 'pv-recycler-timeout-increment-hostpath']
      : ['pv-recycler-minimum-timeout-nfs', 'pv-recycler-increment-timeout-nfs'];
    const gibibytes = Math.floor(quantityOf(spec.capacity?.storage).value() / 2 ** 30);
    return Math.max(flags.number(least ?? ''), gibibytes * flags.number(each ?? ''));
  }

  async #fail(volume: Volume, reason: string, message: string): Promise<void> {
    if (volume.status.phase === 'Failed') return;
    await this.#writer.volumePhase(volume, 'Failed', message);
    this.#context.recorder.record(volume, 'Warning', reason, message);
  }
}

/** Directories of a node (hostPath) and NFS volumes can be recycled. */
const isRecyclable = ({ spec }: Volume): boolean => spec.hostPath !== undefined || spec.nfs !== undefined;

function recyclerPod(
  { metadata, spec }: Volume,
  deadline: number,
): Draft<Pod> & { readonly metadata: { readonly name: string } } {
  const source = spec.hostPath ? { hostPath: spec.hostPath } : { nfs: spec.nfs };
  const script = 'test -e /scrub && rm -rf /scrub/..?* /scrub/.[!.]* /scrub/* && test -z "$(ls -A /scrub)" || exit 1';
  return {
    metadata: { name: `${RECYCLER}${metadata.name}`, namespace: RECYCLER_NAMESPACE },
    spec: {
      activeDeadlineSeconds: deadline,
      restartPolicy: 'Never',
      volumes: [{ name: 'vol', ...source }],
      containers: [
        {
          name: 'pv-recycler',
          image: 'busybox:1.27',
          command: ['/bin/sh'],
          args: ['-c', script],
          volumeMounts: [{ name: 'vol', mountPath: '/scrub' }],
          resources: {},
        },
      ],
    },
  } as Draft<Pod> & { readonly metadata: { readonly name: string } };
}
