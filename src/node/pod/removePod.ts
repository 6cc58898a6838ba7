import { pods, type Client, type Pod } from '../../client/index.ts';
import { isReason } from '../../schema/index.ts';

/** Deletes the object of an ended pod. A pod of the same name with another uid is a different pod. */
export async function removePod(client: Client, pod: Pod): Promise<void> {
  const { uid } = pod.metadata;
  try {
    await client.of(pods).delete(pod, { gracePeriodSeconds: 0, preconditions: { uid } });
  } catch (problem) {
    if (!isReason(problem, 'NotFound') && !isReason(problem, 'Conflict')) throw problem;
  }
}
