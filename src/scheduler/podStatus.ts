import { pods, type Client, type Pod } from '../client/index.ts';
import type { objects } from '../schema/index.ts';
import { rfc3339, type Clock } from '../std/index.ts';

/** The condition that says why a pod was not scheduled; undefined if there is none. */
export const refusalOf = ({ status }: Pod): objects.PodCondition | undefined =>
  status.conditions?.find((condition) => condition.type === 'PodScheduled' && condition.status === 'False');

/** Writes scheduling results into pod statuses. */
export class PodStatusWriter {
  readonly #client: Client;
  readonly #clock: Clock;

  constructor(client: Client, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  /** Writes why the pod is not scheduled and, if not empty, its nominated node. Writes only changes. */
  async sayUnscheduled(pod: Pod, reason: string, message: string, nominated: string): Promise<void> {
    const current = pod.status.conditions?.find((condition) => condition.type === 'PodScheduled');
    const isFalse = current?.status === 'False';
    const isSame = isFalse && current.reason === reason && current.message === message;
    const isNominated = nominated !== '' && nominated !== pod.status.nominatedNodeName;
    if (isSame && !isNominated) return;
    const lastTransitionTime = (isFalse && current.lastTransitionTime) || rfc3339(this.#clock.now());
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason,
      message,
      lastProbeTime: null,
      lastTransitionTime,
    };
    const status = {
      ...(!isSame && { conditions: [condition] }),
      ...(isNominated && { nominatedNodeName: nominated }),
    };
    await this.#patch(pod, status);
  }

  /** Removes a pod's nomination. */
  async clearNominatedNode(pod: Pod): Promise<void> {
    if (pod.status.nominatedNodeName) await this.#patch(pod, { nominatedNodeName: null });
  }

  /** A refused write is ignored: the next attempt writes it again. */
  async #patch(pod: Pod, status: object): Promise<void> {
    const patched = this.#client.of(pods).patch(pod, 'strategic', { status }, { subresource: 'status' });
    await patched.catch(() => undefined);
  }
}
