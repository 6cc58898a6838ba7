/** Waits until an object that is being deleted is gone. */
import { readWatch, type Client, type DiscoveredResource } from '../../client/index.ts';
import { StatusError, type ApiObject } from '../../schema/index.ts';

interface Leaving {
  readonly resource: DiscoveredResource;
  readonly namespace: string;
  readonly name: string;
  /** Another object of the same name does not count; empty where it isn't known. */
  readonly uid: string;
}

/** Resolves when the object is gone, or `signal` aborts. */
export async function untilGone(
  client: Client,
  { resource, namespace, name, uid }: Leaving,
  signal: AbortSignal,
): Promise<void> {
  const objects = client.of(resource);
  const isOther = (object: ApiObject): boolean => uid !== '' && object.metadata.uid !== uid;
  while (!signal.aborted) {
    const found = await present(() => objects.get(name, namespace));
    if (!found || isOther(found)) return;
    const { resourceVersion = '' } = found.metadata;
    // After a watch ends, the object is read again.
    const asked = { namespace, fieldSelector: `metadata.name=${name}`, resourceVersion, signal };
    for await (const events of readWatch<ApiObject>(await objects.watch(asked)))
      for (const { type, object } of events) if (type === 'DELETED' || isOther(object)) return;
  }
}

async function present(get: () => Promise<ApiObject>): Promise<ApiObject | undefined> {
  try {
    return await get();
  } catch (error) {
    if (error instanceof StatusError && error.status.code === 404) return undefined;
    throw error;
  }
}
