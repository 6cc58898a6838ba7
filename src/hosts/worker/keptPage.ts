/** The prefix of the service worker's caches with the page's files (page/build/shell.js). */
const PREFIX = 'vitrine:shell:';

/**
 * Deletes the cached files of the page, which make it available offline, because on a full disk the users' data is more
 * important. Returns whether there were any.
 */
export async function dropKeptPage(): Promise<boolean> {
  const names = 'caches' in self ? await caches.keys() : [];
  const dropped = names.filter((name) => name.startsWith(PREFIX)).map(drop);
  return (await Promise.all(dropped)).includes(true);
}

async function drop(name: string): Promise<boolean> {
  const cache = await caches.open(name);
  // Deleting a cache that is still open does not free its space; deleting its entries does.
  for (const request of await cache.keys()) await cache.delete(request);
  return caches.delete(name);
}
