/** Waits until an object is as it should be. */
import { readWatch, type Client, type ResourceRef } from '../../client/index.ts';
import { status, type ApiObject } from '../../schema/index.ts';

interface Named<T extends ApiObject> {
  readonly resource: ResourceRef<T>;
  readonly namespace: string;
  readonly name: string;
}

/**
 * The object once `holds` says so; asked at first and after every change of it. Throws StatusError where it is gone, and
 * what `signal` aborts with.
 */
export async function becoming<T extends ApiObject>(
  client: Client,
  { resource, namespace, name }: Named<T>,
  holds: (object: T) => boolean | Promise<boolean>,
  signal: AbortSignal,
): Promise<T> {
  const objects = client.of<T>(resource);
  for (;;) {
    signal.throwIfAborted();
    const now = await objects.get(name, namespace);
    if (await holds(now)) return now;
    const { resourceVersion = '' } = now.metadata;
    // After a watch ends, the object is read again.
    const asked = { namespace, fieldSelector: `metadata.name=${name}`, resourceVersion, signal };
    for await (const events of readWatch<T>(await objects.watch(asked)))
      for (const { type, object } of events) {
        if (type === 'DELETED') throw status.notFound(resource, name);
        if (await holds(object)) return object;
      }
  }
}
