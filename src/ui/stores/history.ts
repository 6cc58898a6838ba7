/** What is kept of one object's past, read as any client could: a list at the oldest revision, and a watch from there. */
import { readWatch, type Client } from '../../client/index.ts';
import type { ApiObject } from '../../schema/index.ts';
import { pathTo, type ObjectRef } from './resources.ts';

export interface PastState {
  readonly revision: string;
  readonly type: 'KEPT' | 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: ApiObject;
}

/** How long the watch is given to tell what has been; it tells that at once, then it would wait for what comes. */
const SECONDS = 1;

async function stateAt(
  client: Client,
  { resource, namespace, name }: ObjectRef,
  revision: number,
): Promise<PastState[]> {
  const list = await client.of(resource).list({
    ...(namespace ? { namespace } : {}),
    fieldSelector: `metadata.name=${name}`,
    resourceVersion: String(revision),
    resourceVersionMatch: 'Exact',
  });
  return list.items.map((object) => ({ revision: object.metadata.resourceVersion ?? '', type: 'KEPT', object }));
}

/** The states of an object since `oldest`, the oldest revision that is kept, in order. */
export async function readHistory(client: Client, target: ObjectRef, oldest: number): Promise<readonly PastState[]> {
  const states = oldest > 0 ? await stateAt(client, target, oldest) : [];
  const query = {
    watch: true,
    resourceVersion: Math.max(1, oldest),
    fieldSelector: `metadata.name=${target.name}`,
    timeoutSeconds: SECONDS,
  };
  const response = await client.raw(pathTo(target.resource, target.namespace), { query });
  for await (const events of readWatch(response)) {
    for (const { type, object } of events) {
      if (type !== 'BOOKMARK') states.push({ revision: object.metadata.resourceVersion ?? '', type, object });
    }
  }
  return states;
}
