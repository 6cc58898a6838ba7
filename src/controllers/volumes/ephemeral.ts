/**
 * Creates a claim for each ephemeral volume of a pod, named after both and owned by the pod.
 *
 * Watches pods and claims. Runs with the gate GenericEphemeralVolume.
 */
import {
  keyOf,
  namespaceOf,
  persistentVolumeClaims,
  pods as podsRef,
  type Draft,
  type PersistentVolumeClaim,
  type Pod,
} from '../../client/index.ts';
import type { Names } from '../../names/index.ts';
import { controllerOf, isControlledBy } from '../../schema/index.ts';
import { controllerReference, isFinished, messageOf, wakeOn, type ControllerContext } from '../runtime/index.ts';

type Claim = PersistentVolumeClaim;

/** The claims for a pod's ephemeral volumes. */
export function ephemeralClaims(pod: Pod, names: Names): Draft<Claim>[] {
  return (pod.spec.volumes ?? []).flatMap(({ name, ephemeral }) => {
    const template = ephemeral?.volumeClaimTemplate;
    if (!template) return [];
    const { labels, annotations } = template.metadata ?? {};
    const metadata = {
      name: `${pod.metadata.name}-${name}`,
      namespace: namespaceOf(pod),
      ownerReferences: [controllerReference(pod, podsRef, names)],
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
    };
    return [{ metadata, spec: template.spec } as Draft<Claim>];
  });
}

const hasEphemeral = (pod: Pod): boolean => (pod.spec.volumes ?? []).some(({ ephemeral }) => ephemeral !== undefined);

class EphemeralVolumes {
  readonly #context: ControllerContext;

  constructor(context: ControllerContext) {
    this.#context = context;
    const { informers } = context;
    const loop = context.loop({ reconcile: (key) => this.#reconcile(key) });
    wakeOn(
      loop,
      informers.of(podsRef),
      (pod) => (hasEphemeral(pod) ? [keyOf(pod)] : []),
      () => false,
    );
    informers.of(persistentVolumeClaims).on({
      deleted: (claim) => {
        const owner = controllerOf(claim);
        if (owner?.kind === 'Pod') loop.add(`${claim.metadata.namespace}/${owner.name}`);
      },
    });
  }

  async #reconcile(key: string): Promise<void> {
    const { informers, names } = this.#context;
    const pod = informers.of(podsRef).get(key);
    if (!pod || pod.metadata.deletionTimestamp !== undefined || isFinished(pod)) return;
    for (const draft of ephemeralClaims(pod, names)) await this.#create(pod, draft);
  }

  async #create(pod: Pod, draft: Draft<Claim>): Promise<void> {
    const { informers, client, recorder } = this.#context;
    const existing = informers.of(persistentVolumeClaims).get(keyOf(draft as Claim));
    if (existing && isControlledBy(existing, pod)) return;
    if (existing) throw new Error(`PVC ${keyOf(existing)} was not created for the pod`);
    try {
      await client.of(persistentVolumeClaims).create(draft);
    } catch (problem) {
      const message = `PVC creation failed: ${messageOf(problem)}`;
      recorder.record(pod, 'Warning', 'FailedBinding', message);
      throw problem;
    }
  }
}

export function startEphemeralVolumes(context: ControllerContext): void {
  new EphemeralVolumes(context);
}
