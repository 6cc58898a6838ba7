/** The browser may stop the service worker at any moment; it dispatches what was under way again to the next one. */
import { expect, test, type Page } from '@playwright/test';
import { ask, boot, cluster, configMaps } from './support.ts';

/** Stops the page's service worker again and again until `done`; returns how often. */
async function keepStopping(page: Page, everyMs: number, done: Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('ServiceWorker.enable');
  let running = true;
  void done.finally(() => (running = false));
  let times = 0;
  while (running) {
    await Promise.race([done, page.waitForTimeout(everyMs)]);
    if (running) times++;
    await session.send('ServiceWorker.stopAllWorkers');
  }
  return times;
}

/** Creates objects one after the other, each with a name that the server makes up; resolves with the answers' statuses, and what refusals say. */
function createWithGeneratedNames(page: Page, url: string, count: number): Promise<string[]> {
  return page.evaluate(
    async ([address, times]) => {
      const headers = { authorization: 'Bearer admintoken', 'content-type': 'application/json' };
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'made-' } });
      const create = async (): Promise<string> => {
        const response = await fetch(address, { method: 'POST', headers, body });
        return response.ok ? String(response.status) : `${response.status} ${await response.text()}`;
      };
      const statuses: string[] = [];
      for (let i = 0; i < times; i++) statuses.push(...(await Promise.all([create(), create(), create(), create()])));
      return statuses;
    },
    [url, count] as const,
  );
}

// Chromium now and then fails a request at once when it stops the worker that it was just starting for it.
test.describe.configure({ retries: 2 });

test('a request is done once, however often its service worker is stopped', async ({ page }) => {
  const base = await boot(page, cluster('stopping', { storage: 'indexeddb' }));
  const creating = createWithGeneratedNames(page, base + configMaps, 100);
  const stops = await keepStopping(page, 280, creating);
  const statuses = await creating;
  const list = await ask(page, base, configMaps);
  const names = (list.body['items'] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);
  const made = names.filter((name) => name.startsWith('made-'));
  expect(stops).toBeGreaterThan(3);
  expect(statuses.filter((status) => status !== '201')).toEqual([]);
  expect(made).toHaveLength(statuses.length);
});
