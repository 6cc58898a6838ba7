/** Keeps authorization data in sync with storage: a decision right after a write sees the write. */
import type { Resource, ApiObject } from '../schema/index.ts';
import type { Storage, Watch } from '../storage/index.ts';
import type { Views } from '../apiserver/index.ts';

export interface Follower {
  readonly resource: Resource;
  upsert(object: ApiObject): void;
  remove(object: ApiObject): void;
}

/** Sends each follower the existing objects, then every visible change. Returns a function that stops it. */
export function follow(storage: Storage, views: Views, followers: readonly Follower[]): () => void {
  const watches = followers.map((follower) => followOne(storage, views, follower));
  return () => watches.forEach((watch) => watch.close());
}

function followOne(storage: Storage, views: Views, { resource, upsert, remove }: Follower): Watch {
  const { hub } = resource;
  const start = hub.prefix;
  const end = `${start.slice(0, -1)}0`;
  const current = storage.range({ start, end });
  for (const entry of current.entries) upsert(views.of(entry, hub).object);
  return storage.watch(
    { start, end, from: current.revision, bufferLimit: Infinity },
    (events) => {
      for (const event of events) {
        if (event.entry) upsert(views.of(event.entry, hub).object);
        else if (event.previous) remove(views.of(event.previous, hub).object);
      }
    },
    () => undefined,
  );
}
