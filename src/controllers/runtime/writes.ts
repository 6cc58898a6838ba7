import { keyOf, type Client, type DeleteOptions, type Informer, type ResourceRef } from '../../client/index.ts';
import { isReason, type ApiObject } from '../../schema/index.ts';
import { sameStatus } from './status.ts';

/** How an object of a kind is written, and the cache that shows it. */
export interface Written<T extends ApiObject> {
  readonly client: Client;
  readonly ref: ResourceRef<T>;
  readonly cache: Pick<Informer<T>, 'until'>;
}

/**
 * Writes an object's status, and waits until the cache has it. Returns the resulting object: unchanged if the status is
 * equal, undefined if the object was deleted. Throws the server's Status for other errors.
 */
export async function writeStatus<T extends ApiObject & { status?: object }>(
  { client, ref, cache }: Written<T>,
  object: T,
  status: NonNullable<T['status']>,
): Promise<T | undefined> {
  if (sameStatus(status, object.status)) return object;
  try {
    const written = await client.of(ref).updateStatus({ ...object, status });
    await waitForCache(cache, written, object);
    return written;
  } catch (problem) {
    if (isReason(problem, 'NotFound')) return undefined;
    throw problem;
  }
}

/**
 * Waits until the cache contains the write over `before`. If the revision is unchanged, the write had no effect and
 * nothing is awaited.
 */
export async function waitForCache<T extends ApiObject>(
  cache: Pick<Informer<T>, 'until'>,
  written: ApiObject,
  before: ApiObject | undefined,
): Promise<void> {
  const resourceVersion = before?.metadata.resourceVersion;
  if (written.metadata.resourceVersion === resourceVersion) return;
  await cache.until(keyOf(written), (seen) => seen?.metadata.resourceVersion !== resourceVersion);
}

/** Deletes an object; returns whether it still existed. */
export async function deleteIfPresent<T extends ApiObject>(
  client: Client,
  ref: ResourceRef<T>,
  object: T,
  options?: DeleteOptions,
): Promise<boolean> {
  try {
    await client.of(ref).delete(object, options);
    return true;
  } catch (problem) {
    if (isReason(problem, 'NotFound')) return false;
    throw problem;
  }
}
