import {
  identityOf,
  keyOf,
  persistentVolumeClaims,
  pods as podsRef,
  type ControllerRevision,
  type Draft,
  type Informer,
  type PersistentVolumeClaim,
  type Pod,
  type StatefulSet,
} from '../../client/index.ts';
import { isReason } from '../../schema/index.ts';
import { messageOf, waitForCache, type ControllerContext } from '../runtime/index.ts';
import type { Step } from './plan.ts';
import { claimsOf, podName, podOf, withIdentity } from './pods.ts';

type Verb = 'create' | 'update' | 'delete';

/** Creates, repairs and deletes the pods of stateful sets and their claims, records events, and waits for the cache. */
export class StatefulPodControl {
  readonly #context: ControllerContext;
  readonly #pods: Informer<Pod>;
  readonly #claims: Informer<PersistentVolumeClaim>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#pods = context.informers.of(podsRef);
    this.#claims = context.informers.of(persistentVolumeClaims);
  }

  /** Creates the pod with that ordinal after its claims. */
  async create(set: StatefulSet, ordinal: number, revision: ControllerRevision): Promise<void> {
    await this.#recorded(set, 'create', podName(set, ordinal), async () => {
      await this.#ensureClaims(set, ordinal);
      const pod = await this.#context.client.of(podsRef).create(podOf(set, ordinal, revision, this.#context.client));
      await this.#pods.until(keyOf(pod), (seen) => seen !== undefined);
    });
  }

  /** Restores a pod's name label and the volumes of its claims. */
  async repair(set: StatefulSet, pod: Pod, ordinal: number): Promise<void> {
    await this.#recorded(set, 'update', podName(set, ordinal), async () => {
      await this.#ensureClaims(set, ordinal);
      const identified = withIdentity(set, pod, ordinal, this.#context.names);
      await waitForCache(this.#pods, await this.#context.client.of(podsRef).update(identified), pod);
    });
  }

  async delete(set: StatefulSet, pod: Pod, why: (Step & { readonly do: 'delete' })['why']): Promise<void> {
    const { name, uid } = identityOf(pod);
    if (why === 'failed') {
      const message = `StatefulSet ${keyOf(set)} is recreating failed Pod ${name}`;
      this.#context.recorder.record(set, 'Warning', 'RecreatingFailedPod', message);
    }
    await this.#recorded(set, 'delete', name, async () => {
      await this.#context.client.of(podsRef).delete(pod);
      await this.#pods.until(
        keyOf(pod),
        (seen) => seen?.metadata.uid !== uid || seen?.metadata.deletionTimestamp !== undefined,
      );
    });
  }

  /** Tries all claims, then throws the errors. */
  async #ensureClaims(set: StatefulSet, ordinal: number): Promise<void> {
    const problems: string[] = [];
    for (const claim of claimsOf(set, ordinal)) {
      const problem = await this.#ensureClaim(set, claim, podName(set, ordinal));
      if (problem !== undefined) problems.push(problem);
    }
    if (problems.length === 1) throw new Error(problems[0]);
    if (problems.length > 1) throw new Error(`[${problems.join(', ')}]`);
  }

  /** Returns the error of the claim, if any. */
  async #ensureClaim(set: StatefulSet, claim: Draft<PersistentVolumeClaim>, pod: string): Promise<string | undefined> {
    const { name = '', namespace = '' } = claim.metadata ?? {};
    const known = this.#claims.get(`${namespace}/${name}`);
    if (known) return known.metadata.deletionTimestamp === undefined ? undefined : `pvc ${name} is being deleted`;
    const { recorder, client } = this.#context;
    const where = `Pod ${pod} in StatefulSet ${set.metadata.name}`;
    try {
      await client.of(persistentVolumeClaims).create(claim);
      recorder.record(set, 'Normal', 'SuccessfulCreate', `create Claim ${name} ${where} success`);
      return undefined;
    } catch (problem) {
      const message = `create Claim ${name} for ${where} failed error: ${messageOf(problem)}`;
      if (!isReason(problem, 'AlreadyExists')) recorder.record(set, 'Warning', 'FailedCreate', message);
      return `failed to create PVC ${name}: ${messageOf(problem)}`;
    }
  }

  /** Runs `work`, and records an event with the result. An existing pod of the name is not recorded. */
  async #recorded(set: StatefulSet, verb: Verb, pod: string, work: () => Promise<void>): Promise<void> {
    const reason = verb.charAt(0).toUpperCase() + verb.slice(1);
    const message = `${verb} Pod ${pod} in StatefulSet ${set.metadata.name}`;
    try {
      await work();
    } catch (problem) {
      const failure = `${message} failed error: ${messageOf(problem)}`;
      if (!isReason(problem, 'AlreadyExists'))
        this.#context.recorder.record(set, 'Warning', `Failed${reason}`, failure);
      throw problem;
    }
    this.#context.recorder.record(set, 'Normal', `Successful${reason}`, `${message} successful`);
  }
}
