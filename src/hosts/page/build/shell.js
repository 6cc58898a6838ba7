// The page's own files, kept so that it opens without a network. This part stands before msw's worker in the same file and
// answers requests for those files; everything else, the clusters' API above all, goes on to msw.
{
  const version = '%VERSION%';
  const files = '%FILES%';
  const scope = self.registration.scope;
  const prefix = `vitrine:shell:${scope}:`;
  const urls = new Set(files.map((file) => new URL(file, scope).href));

  const api = new URL('clusters/', scope).href;
  const isPage = (request) => request.mode === 'navigate' && !request.url.startsWith(api);

  // The page asks for its files to be kept once a cluster is open, so that a first visit does not wait for them.
  addEventListener('message', (event) => {
    if (event.data === 'vitrine:keep-shell') event.waitUntil(keepShell());
    // After a hard reload a page has no service worker, although there is one.
    if (event.data === 'vitrine:claim') event.waitUntil(self.clients.claim());
  });

  addEventListener('fetch', (event) => {
    const { request } = event;
    if (request.method !== 'GET' || urls.size === 0) return;
    if (isPage(request)) event.respondWith(openPage(request));
    else if (urls.has(request.url)) event.respondWith(openFile(request));
    else return;
    event.stopImmediatePropagation();
  });

  // The network first, so that a new version is seen; the kept page when there is no network.
  async function openPage(request) {
    try {
      return await fetch(request);
    } catch (error) {
      const kept = await caches.match(new URL('./', scope).href, { ignoreVary: true });
      if (kept) return kept;
      throw error;
    }
  }

  // Names carry a hash of the content, so a kept file is never stale.
  async function openFile(request) {
    return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
  }

  // What people make comes first: near the limit nothing is kept, and the worker drops it when the limit is reached.
  async function isScarce() {
    const { usage = 0, quota = Infinity } = await navigator.storage.estimate();
    return usage > quota / 2;
  }

  async function keepShell() {
    if (urls.size === 0 || (await isScarce())) return;
    const cache = await caches.open(prefix + version);
    const kept = new Set((await cache.keys()).map((request) => request.url));
    const missing = [...urls].filter((url) => !kept.has(url));
    // One at a time: hundreds at once would hold up what the page itself fetches. The rest follows at the next visit.
    for (const url of missing) await cache.add(new Request(url, { priority: 'low' }));
    // Only now, when this version is complete, may the one before it go.
    for (const name of await caches.keys()) {
      if (name.startsWith(prefix) && name !== prefix + version) await caches.delete(name);
    }
  }
}
