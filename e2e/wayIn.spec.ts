/** The way in: a page's `fetch` reaches the cluster, whatever the browser does to service workers, tabs and networks. */
import { expect, test } from '@playwright/test';
import {
  administrator,
  ask,
  boot,
  bootHere,
  cluster,
  configMap,
  configMaps,
  serveBuild,
  watch,
  watched,
} from './support.ts';

test('a first visit: the page’s own fetch reaches the cluster at once', async ({ page }) => {
  const base = await boot(page, cluster('first'));
  expect(base).toMatch(/\/clusters\/first$/);
  expect((await ask(page, base, '/version')).body).toMatchObject({ major: '1', minor: '20' });
  expect((await ask(page, base, configMaps, 'POST', configMap('a'))).status).toBe(201);
  expect((await ask(page, base, `${configMaps}/a`)).status).toBe(200);
  expect((await ask(page, base, `${configMaps}/b`)).status).toBe(404);
});

test('what nobody vouches for is anonymous; the page’s own way is its administrator', async ({ page }) => {
  const base = await boot(page, cluster('who', { storage: 'memory' }));
  const statuses = await page.evaluate(
    async (url) => [
      (await fetch(`${url}/api/v1/secrets`)).status,
      (await fetch(`${url}/api/v1/secrets`, { headers: { authorization: 'Bearer wrong' } })).status,
      (await window.vitrine.fetch('/api/v1/secrets')).status,
    ],
    base,
  );
  expect(statuses).toEqual([403, 401, 200]);
});

test('a reload and a hard reload find the same objects', async ({ page }) => {
  const options = cluster('kept');
  const base = await boot(page, options);
  const made = await ask(page, base, configMaps, 'POST', configMap('a', { k: 'v' }));
  await page.reload();
  await bootHere(page, options);
  expect((await ask(page, base, `${configMaps}/a`)).body).toEqual(made.body);

  // A hard reload: the page comes up without its service worker.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.reload', { ignoreCache: true });
  await page.waitForLoadState('load');
  await bootHere(page, options);
  expect((await ask(page, base, `${configMaps}/a`)).body).toEqual(made.body);
});

test('a service worker that was stopped wakes for the next request', async ({ page }) => {
  const base = await boot(page, cluster('killed', { storage: 'memory' }));
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('ServiceWorker.enable');
  await watch(page, base, `${configMaps}?watch=1`);
  for (let round = 0; round < 3; round++) {
    await devtools.send('ServiceWorker.stopAllWorkers');
    expect((await ask(page, base, configMaps, 'POST', configMap(`c${round}`))).status).toBe(201);
  }
  // The stream went through the worker that is gone; a client watches again, as after any lost connection.
  await expect.poll(() => watched(page)).toContainEqual(expect.stringMatching(/^BROKEN/));
  await watch(page, base, `${configMaps}?watch=1`, 'again');
  await expect.poll(() => watched(page, 'again')).toEqual(expect.arrayContaining(['ADDED c0', 'ADDED c1', 'ADDED c2']));
});

test('a watch survives a minute of silence', async ({ page }) => {
  test.setTimeout(120_000);
  const base = await boot(page, cluster('silent', { storage: 'memory' }));
  const { body } = await ask(page, base, configMaps);
  await watch(page, base, `${configMaps}?watch=1&resourceVersion=${body.metadata?.resourceVersion}`);
  await page.waitForTimeout(62_000);
  await ask(page, base, configMaps, 'POST', configMap('late'));
  await expect.poll(() => watched(page)).toEqual(['ADDED late']);
});

test('a watch survives a frozen tab', async ({ page }) => {
  const base = await boot(page, cluster('frozen', { storage: 'memory' }));
  const { body } = await ask(page, base, configMaps);
  await watch(page, base, `${configMaps}?watch=1&resourceVersion=${body.metadata?.resourceVersion}`);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' });
  await page.waitForTimeout(3_000);
  await devtools.send('Page.setWebLifecycleState', { state: 'active' });
  await ask(page, base, configMaps, 'POST', configMap('after'));
  await expect.poll(() => watched(page)).toEqual(['ADDED after']);
});

test('an aborted watch ends in the API server too', async ({ page }) => {
  const base = await boot(page, cluster('aborted', { storage: 'memory' }));
  const path = '/api/v1/configmaps?watch=1&labelSelector=mine';
  // What the trace says of this one watch: the API server's own end of it.
  await page.evaluate((mine) => {
    const lives: string[] = [];
    let request = '';
    Object.assign(window, { lives });
    window.vitrine.trace(
      (events) => {
        for (const event of events) {
          if (event.topic === 'request' && event.stage === 'received' && event.url.endsWith(mine))
            request = event.request;
          if (event.topic === 'watch' && event.request === request) lives.push(event.what);
        }
      },
      ['request', 'watch'],
    );
    return window.vitrine.clock.state();
  }, path);
  const lives = (): Promise<string[]> => page.evaluate(() => (window as unknown as { lives: string[] }).lives);

  await page.evaluate(
    async ([url, headers]) => {
      const abort = new AbortController();
      Object.assign(window, { abort });
      await fetch(url, { headers, signal: abort.signal });
    },
    [base + path, administrator] as const,
  );
  await expect.poll(lives).toContain('opened');
  expect(await lives()).not.toContain('closed');
  await page.evaluate(() => (window as unknown as { abort: AbortController }).abort.abort());
  await expect.poll(lives).toContain('closed');
});

test('two hundred watches at once', async ({ page }) => {
  const base = await boot(page, cluster('many', { storage: 'memory' }));
  const took = await page.evaluate(async (url) => {
    const headers = { authorization: 'Bearer admintoken', 'content-type': 'application/json' };
    const path = `${url}/api/v1/namespaces/default/configmaps`;
    const list = (await (await fetch(path, { headers })).json()) as { metadata: { resourceVersion: string } };
    const abort = new AbortController();
    const first = async (): Promise<string> => {
      const query = `watch=1&resourceVersion=${list.metadata.resourceVersion}`;
      const response = await fetch(`${path}?${query}`, { headers, signal: abort.signal });
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      return reader ? ((await reader.read()).value ?? '') : '';
    };
    const events = Array.from({ length: 200 }, first);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
    const started = performance.now();
    await fetch(path, { method: 'POST', headers, body });
    const got = await Promise.all(events);
    const elapsed = performance.now() - started;
    abort.abort();
    return { elapsed, good: got.filter((text) => text.startsWith('{"type":"ADDED"')).length };
  }, base);
  expect(took.good).toBe(200);
  expect(took.elapsed).toBeLessThan(5_000);
});

test('the build works from a sub-path, and offline after the first visit', async ({ page }) => {
  test.setTimeout(120_000);
  const server = await serveBuild('/some/where/');
  const address = `http://127.0.0.1:${server.port}/some/where/`;
  const options = cluster('sub');
  const base = await boot(page, options, address);
  expect(base).toBe(`${address}clusters/sub`);
  await ask(page, base, configMaps, 'POST', configMap('a'));
  // The page itself is kept last.
  const isKept = (): Promise<boolean> =>
    page.evaluate(async (url) => (await caches.match(url, { ignoreVary: true })) !== undefined, address);
  await expect.poll(isKept, { timeout: 75_000 }).toBe(true);
  const shells = await page.evaluate(async () =>
    (await caches.keys()).filter((name) => name.startsWith('vitrine:shell')),
  );
  expect(shells).toHaveLength(1);

  await server.close();
  await page.reload();
  await bootHere(page, options);
  expect((await ask(page, base, `${configMaps}/a`)).status).toBe(200);
});

test.describe('an insecure origin', () => {
  test('says why no control plane can run there', async ({ page }) => {
    const server = await serveBuild();
    await page.goto(`http://vitrine.test:${server.port}/`);
    expect(await page.evaluate(() => window.isSecureContext)).toBe(false);
    await expect(bootHere(page, cluster('plain'))).rejects.toThrow(/open this one over https or from localhost/);
    await server.close();
  });
});
