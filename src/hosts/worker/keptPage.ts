/** What the names of the caches begin with in which the service worker keeps the page's files (page/build/shell.js). */
const PREFIX = 'vitrine:shell:';

/**
 * Drops the files that are kept so that the page opens without a network: on a full disk what people made comes first. Says
 * whether there were any.
 */
export async function dropKeptPage(): Promise<boolean> {
  const names = 'caches' in self ? await caches.keys() : [];
  const dropped = names.filter((name) => name.startsWith(PREFIX)).map(drop);
  return (await Promise.all(dropped)).includes(true);
}

async function drop(name: string): Promise<boolean> {
  const cache = await caches.open(name);
  // The room of a cache that somebody still holds open is not given back with its name, that of its files is.
  for (const request of await cache.keys()) await cache.delete(request);
  return caches.delete(name);
}
