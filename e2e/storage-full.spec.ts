/** An origin without room: what would free room works, everything can be read and saved, and nothing is trapped by a reload. */
import { chromium, expect, test as base, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { ask, boot, bootHere, cluster, configMap, configMaps } from './support.ts';

/** Sets how much room the page's origin has, in bytes; without a number as much as ever. */
async function limitRoom(page: Page, quotaSize?: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(page.url());
  await session.send('Storage.overrideQuotaForOrigin', { origin, ...(quotaSize !== undefined && { quotaSize }) });
}

/** Opens the page with room for a cluster and about fifty objects. */
async function bootWithLittleRoom(page: Page): Promise<string> {
  await page.goto('./');
  await limitRoom(page, 24 * 1024 * 1024);
  return bootHere(page, options);
}

/** A profile on the disk: what is deleted from the databases of a private window gives back no room. */
const test = base.extend({
  context: async ({ baseURL, launchOptions }, use, info) => {
    const context = await chromium.launchPersistentContext(info.outputPath('profile'), {
      ...launchOptions,
      ...(baseURL !== undefined && { baseURL }),
    });
    await use(context);
    await context.close();
  },
});

const options = cluster('full', { storage: 'indexeddb' });

/** Text that fills up room: about 200 KB. */
const large = (seed: number): Record<string, string> => ({
  text: Array.from({ length: 20_000 }, (_, i) => ((i + seed) * 2_654_435_761) % 10_000_000_000).join(),
});

/** Writes until the browser refuses; returns how many writes were accepted. */
async function writeUntilFull(page: Page, base: string): Promise<number> {
  for (let i = 0; ; i++) {
    const { status, body } = await ask(page, base, configMaps, 'POST', configMap(`fill-${i}`, large(i)));
    if (status === 201) continue;
    expect([status, body['kind'], body['reason']]).toEqual([507, 'Status', 'InsufficientStorage']);
    return i;
  }
}

test('on a full disk objects can be read and deleted, also after a reload, and then written again', async ({
  page,
}) => {
  test.setTimeout(150_000);
  const base = await bootWithLittleRoom(page);
  const written = await writeUntilFull(page, base);
  expect(written).toBeGreaterThan(10);
  expect((await ask(page, base, `${configMaps}/fill-0`, 'DELETE')).status).toBe(200);

  await boot(page, options);
  expect((await ask(page, base, `${configMaps}/fill-0`)).status).toBe(404);
  for (let i = 1; i < written; i++) {
    expect((await ask(page, base, `${configMaps}/fill-${i}`)).status).toBe(200);
    expect((await ask(page, base, `${configMaps}/fill-${i}`, 'DELETE')).status).toBe(200);
  }
  // Chromium goes by an estimate of the room that is left, and makes it anew about twice a minute.
  await expect
    .poll(async () => (await ask(page, base, configMaps, 'POST', configMap('again'))).status, { timeout: 90_000 })
    .toBe(201);
});

test('where not even a byte can be written, a cluster opens to be read and exported', async ({ page }) => {
  const base = await boot(page, options);
  expect((await ask(page, base, configMaps, 'POST', configMap('kept'))).status).toBe(201);
  await page.evaluate(() => window.vitrine.stop('full'));
  await limitRoom(page, 1);
  await boot(page, options);
  expect((await ask(page, base, `${configMaps}/kept`)).status).toBe(200);
  // The browser looks at its limit again only after a while.
  await expect
    .poll(async () => (await ask(page, base, configMaps, 'POST', configMap(`more-${Date.now()}`))).body['reason'], {
      timeout: 40_000,
    })
    .toBe('InsufficientStorage');
  await boot(page, options);
  expect((await ask(page, base, `${configMaps}/kept`)).status).toBe(200);
  await limitRoom(page);
  await expect
    .poll(async () => (await ask(page, base, configMaps, 'POST', configMap('more'))).status, { timeout: 40_000 })
    .toBe(201);
});

test('a full disk is shown, with an export and what makes room', async ({ page }) => {
  const base = await bootWithLittleRoom(page);
  await page.goto('./#/full/explore');
  await page.reload();
  await bootHere(page, options);
  await writeUntilFull(page, base);
  const notice = page.getByRole('alert').filter({ hasText: 'no room left for the cluster' });
  await expect(notice).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    notice.getByRole('button', { name: 'Export', exact: true }).click(),
  ]);
  expect(readFileSync(await download.path(), 'utf8')).toContain('/default/fill-0');
  await limitRoom(page);
  await expect
    .poll(async () => (await ask(page, base, configMaps, 'POST', configMap(`more-${Date.now()}`))).status, {
      timeout: 40_000,
    })
    .toBe(201);
  await expect(notice).toBeHidden();
});
