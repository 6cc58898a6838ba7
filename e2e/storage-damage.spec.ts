/** A cluster whose database is damaged on disk: it is said, what can be read can be saved, and a repair keeps the rest. */
import { expect, test } from '@playwright/test';
import type { Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { ask, boot, cluster, configMap, configMaps } from './support.ts';

/** Changes a byte of what was written last, as a failing disk would. */
async function damage(page: Page, name: string): Promise<void> {
  await page.evaluate(async (database) => {
    const done = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('IndexedDB fails'));
      });
    const db = await done(indexedDB.open(database));
    const log = db.transaction('log', 'readwrite').objectStore('log');
    const cursor = await done(log.openCursor(null, 'prev'));
    const row = cursor?.value as { id: number; bytes: Uint8Array };
    const at = row.bytes.length - 3;
    row.bytes[at] = (row.bytes[at] ?? 0) ^ 1;
    await done(log.put(row));
    db.close();
  }, `vitrine/${name}`);
}

test('a damaged cluster can be exported and repaired', async ({ page }) => {
  const base = await boot(page, cluster('frail', { storage: 'indexeddb' }));
  for (const name of ['one', 'two', 'three']) {
    expect((await ask(page, base, configMaps, 'POST', configMap(name))).status).toBe(201);
  }
  const before = await ask(page, base, `${configMaps}/one`);
  await page.evaluate(() => window.vitrine.stop('frail'));
  await damage(page, 'frail');

  await page.goto('./');
  await page.getByRole('button', { name: /^frail/ }).click();
  await expect(page.getByText('storage is damaged')).toBeVisible();
  await expect(page.getByText('the checksum is wrong')).toBeVisible();

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export', exact: true }).click(),
  ]);
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  expect(lines[0]).toContain('"format":"vitrine-storage/1"');
  expect(lines.filter((line) => line.startsWith('{"damage":'))).toHaveLength(1);

  await page.getByRole('button', { name: 'Repair' }).click();
  await expect(page.getByText('storage is damaged')).toBeHidden();
  await expect(async () => expect((await ask(page, base, `${configMaps}/one`)).status).toBe(200)).toPass();
  expect((await ask(page, base, `${configMaps}/one`)).body).toEqual(before.body);
  expect((await ask(page, base, configMaps, 'POST', configMap('four'))).status).toBe(201);
});
