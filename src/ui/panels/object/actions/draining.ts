/** Which pods a drain evicts, and what keeps one where it is. */
import { controllerOf, StatusError, type ApiObject } from '../../../../schema/index.ts';
import type { Names } from '../../../../names/index.ts';
import { getOwn } from '../../../../std/index.ts';
import { asText, at } from '../../../stores/jsonValues.ts';

/** How far the eviction of a pod is. `stays`: it is none that a drain evicts. */
export interface Draining {
  readonly pod: ApiObject;
  readonly state: 'waits' | 'leaves' | 'blocked' | 'stays';
  readonly why: string;
}

/** Why a drain leaves a pod where it is; undefined for those that it evicts. */
function whyItStays(pod: ApiObject, names: Names): string | undefined {
  if (getOwn(pod.metadata.annotations, names.fill('{label}/config.mirror')) !== undefined) return 'static pod';
  if (controllerOf(pod)?.kind === 'DaemonSet') return 'its DaemonSet would put it there again';
  return undefined;
}

/** How each pod of a node does while it is drained. `refusals` holds what the server said, by the pods' uid. */
export function drainingOf(
  pods: readonly ApiObject[],
  refusals: ReadonlyMap<string, string>,
  names: Names,
): readonly Draining[] {
  return pods.map((pod): Draining => {
    const stays = whyItStays(pod, names);
    if (stays !== undefined) return { pod, state: 'stays', why: stays };
    if (pod.metadata.deletionTimestamp) return { pod, state: 'leaves', why: 'its containers end' };
    const refusal = refusals.get(pod.metadata.uid ?? '');
    return refusal === undefined ? { pod, state: 'waits', why: '' } : { pod, state: 'blocked', why: refusal };
  });
}

/** What the server says against an eviction; where a budget forbids it, the budget's own words. */
export function refusalOf(error: unknown): string {
  if (!(error instanceof StatusError)) return error instanceof Error ? error.message : String(error);
  const cause = asText(at(error.status, 'details', 'causes', 0, 'message'));
  return cause || (error.status.message ?? String(error.status.code));
}
