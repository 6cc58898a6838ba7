import type { Client } from '../../client/index.ts';
import { isReason } from '../../schema/index.ts';

/** Creates an object in the collection at a path. What somebody else has made under its name is left alone. */
export async function make(client: Client, path: string, body: object): Promise<void> {
  try {
    await client.json(path, { method: 'POST', body });
  } catch (problem) {
    // In a cluster without this kind there is nothing to make; what a policy refuses stays away.
    if (!['AlreadyExists', 'NotFound', 'Forbidden'].some((reason) => isReason(problem, reason))) throw problem;
  }
}
