import type { Client } from '../../client/index.ts';
import { isReason } from '../../schema/index.ts';

/** Creates an object in the collection at a path. An existing object of that name is left alone. */
export async function make(client: Client, path: string, body: object): Promise<void> {
  try {
    await client.json(path, { method: 'POST', body });
  } catch (problem) {
    // If the kind is not served or a policy refuses the object, it is skipped.
    if (!['AlreadyExists', 'NotFound', 'Forbidden'].some((reason) => isReason(problem, reason))) throw problem;
  }
}
