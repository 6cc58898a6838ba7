import {
  apiVersionOf,
  keyOf,
  nameOf,
  namespaceOf,
  pathOf,
  pods as podsRef,
  type Client,
  type Draft,
  type Informer,
  type Pod,
  type Recorder,
  type ResourceRef,
} from '../../client/index.ts';
import { isReason, StatusError, timeOf, type ApiObject, type objects } from '../../schema/index.ts';
import { JsonBody } from '../../std/index.ts';
import { controllerReference } from './owners.ts';

/** Whether a pod is active: neither finished nor being deleted. */
export function isActive(pod: Pod): boolean {
  return !isFinished(pod) && pod.metadata.deletionTimestamp === undefined;
}

export function isFinished(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

export function isReady(pod: Pod): boolean {
  return readyCondition(pod)?.status === 'True';
}

export const isRunningAndReady = (pod: Pod): boolean => pod.status.phase === 'Running' && isReady(pod);

/** Milliseconds until a pod has been ready for `minReadySeconds`: 0 if it has, Infinity if it is not ready. */
export function availableIn(pod: Pod, minReadySeconds: number, now: number): number {
  if (!isReady(pod)) return Infinity;
  if (minReadySeconds === 0) return 0;
  const since = readySince(pod);
  return since === undefined ? Infinity : Math.max(0, since + minReadySeconds * 1000 - now);
}

/** When a pod became ready, in milliseconds. */
export function readySince(pod: Pod): number | undefined {
  return isReady(pod) ? timeOf(readyCondition(pod)?.lastTransitionTime) : undefined;
}

function readyCondition(pod: Pod) {
  return pod.status?.conditions?.find((condition) => condition.type === 'Ready');
}

/** A pod from a template, owned by `owner`. */
export function podFromTemplate(
  template: objects.PodTemplateSpec,
  owner: ApiObject,
  ownerRef: ResourceRef,
  client: Client,
): Draft<Pod> {
  const { labels, annotations, finalizers } = template.metadata ?? {};
  return {
    metadata: {
      generateName: `${nameOf(owner)}-`,
      namespace: namespaceOf(owner),
      ownerReferences: [controllerReference(owner, ownerRef, client.names)],
      ...(labels ? { labels } : {}),
      ...(annotations ? { annotations } : {}),
      ...(finalizers ? { finalizers } : {}),
    },
    ...(template.spec ? { spec: template.spec } : {}),
  };
}

/** Creates and deletes pods for their owners, records events, and waits until the cache contains the change. */
export class PodControl {
  readonly #client: Client;
  readonly #recorder: Recorder;
  readonly #cache: Pick<Informer<Pod>, 'until'>;

  constructor(client: Client, recorder: Recorder, cache: Pick<Informer<Pod>, 'until'>) {
    this.#client = client;
    this.#recorder = recorder;
    this.#cache = cache;
  }

  create(draft: Draft<Pod>, owner: ApiObject): Promise<Pod> {
    return this.creator(draft, owner)();
  }

  /** Returns a function that creates a pod of the draft. What several calls at once create may be created together. */
  creator(draft: Draft<Pod>, owner: ApiObject): () => Promise<Pod> {
    const { names } = this.#client;
    const pod = { apiVersion: apiVersionOf(podsRef, names), kind: podsRef.kind, ...draft };
    const body = JsonBody.of(pod) ?? pod;
    const path = pathOf(podsRef, names, draft.metadata?.namespace);
    // The server's answer is trusted to be a pod, as in clients.
    const create = (): Promise<Pod> =>
      this.#client.json(path, { method: 'POST', body, gathered: 'pods' }) as Promise<Pod>;
    return () => this.#told(create(), owner);
  }

  async #told(creating: Promise<Pod>, owner: ApiObject): Promise<Pod> {
    try {
      const pod = await creating;
      this.#recorder.record(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
      await this.#cache.until(keyOf(pod), (seen) => seen !== undefined);
      return pod;
    } catch (problem) {
      if (!isNamespaceTerminating(problem))
        this.#recorder.record(owner, 'Warning', 'FailedCreate', `Error creating: ${messageOf(problem)}`);
      throw problem;
    }
  }

  async delete(pod: Pod, owner: ApiObject): Promise<void> {
    try {
      await this.#client.of(podsRef).delete(pod);
      this.#recorder.record(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
    } catch (problem) {
      if (isReason(problem, 'NotFound')) return;
      this.#recorder.record(owner, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(problem)}`);
      throw problem;
    }
    const { uid } = pod.metadata;
    await this.#cache.until(
      keyOf(pod),
      (seen) => seen?.metadata.uid !== uid || seen?.metadata.deletionTimestamp !== undefined,
    );
  }
}

/**
 * Runs `work` for 0 … count-1 in batches of 1, 2, 4, …, so that a persistent failure occurs once rather than `count`
 * times.
 */
export async function inGrowingBatches(count: number, work: (i: number) => Promise<void>): Promise<void> {
  let done = 0;
  for (let size = 1; done < count; size *= 2) {
    const batch = Array.from({ length: Math.min(size, count - done) }, (_, i) => done + i);
    const results = await Promise.allSettled(batch.map(work));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
    done += batch.length;
  }
}

/** The namespace is terminating: nothing can be created in it, and nothing needs to be. */
export function isNamespaceTerminating(problem: unknown): boolean {
  if (!(problem instanceof StatusError)) return false;
  return problem.status.details?.causes?.some((cause) => cause.reason === 'NamespaceTerminating') ?? false;
}

export function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}
