import { nameOf, pods as podsRef, type Informer, type Node, type Pod } from '../../client/index.ts';
import { controllerOf, isReason } from '../../schema/index.ts';
import type { ControllerContext } from '../runtime/index.ts';

/**
 * Evicts all pods of nodes that have failed for long enough, regardless of tolerations, if taint-based eviction is off.
 */
export class TimedEvictions {
  readonly #context: ControllerContext;
  readonly #pods: Informer<Pod>;
  readonly #timeout: number;

  constructor(context: ControllerContext, pods: Informer<Pod>) {
    this.#context = context;
    this.#pods = pods;
    this.#timeout = context.flags.duration('pod-eviction-timeout');
  }

  /**
   * Evicts the node's pods if it is time and `turnIn`, which takes a token of the zone's rate limit or returns a delay,
   * permits it. Returns the milliseconds until the next check, if any. Failures before `resumedAt`, during an outage of
   * all nodes, count from then.
   */
  async evict(node: Node, now: number, resumedAt: number, turnIn: () => number): Promise<number | undefined> {
    const ready = node.status.conditions?.find(({ type }) => type === 'Ready');
    const leaving = this.#leaving(node);
    if (!ready || ready.status === 'True' || leaving.length === 0) return undefined;
    const due = Math.max(Date.parse(ready.lastTransitionTime ?? ''), resumedAt) + this.#timeout;
    if (now < due) return due - now;
    const wait = turnIn();
    if (wait > 0) return wait;
    for (const pod of leaving) await this.#delete(pod, node);
    return undefined;
  }

  /** Pods of daemon sets stay on their node. */
  #leaving(node: Node): Pod[] {
    return this.#pods
      .by('node', nameOf(node))
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .filter((pod) => controllerOf(pod)?.kind !== 'DaemonSet');
  }

  async #delete(pod: Pod, node: Node): Promise<void> {
    const { client, recorder } = this.#context;
    const [name, from] = [pod.metadata.name, node.metadata.name];
    const message = `Node ${from} which was running pod ${name} is unresponsive`;
    try {
      await client
        .of(podsRef)
        .patch(pod, 'strategic', { status: { reason: 'NodeLost', message } }, { subresource: 'status' });
      recorder.record(pod, 'Normal', 'NodeControllerEviction', `Marking for deletion Pod ${name} from Node ${from}`);
      await client.of(podsRef).delete(pod);
    } catch (problem) {
      if (!isReason(problem, 'NotFound')) throw problem;
    }
  }
}
