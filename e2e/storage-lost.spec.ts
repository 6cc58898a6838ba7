/** A database that somebody deletes under an open tab: it is said, nothing stale is served, and what memory has can be kept. */
import { expect, test, type Page } from '@playwright/test';
import { ask, boot, bootHere, cluster, configMap, configMaps } from './support.ts';

const deleteDatabase = (page: Page, name: string): Promise<void> =>
  page.evaluate(
    (database) =>
      new Promise<void>((resolve, reject) => {
        const request = indexedDB.deleteDatabase(database);
        request.onsuccess = () => resolve();
        request.onerror = () => reject(request.error ?? new Error('IndexedDB fails'));
      }),
    `vitrine/${name}`,
  );

async function bootWithAnObject(page: Page, name: string): Promise<string> {
  const base = await boot(page, cluster(name, { storage: 'indexeddb' }));
  expect((await ask(page, base, configMaps, 'POST', configMap('precious'))).status).toBe(201);
  await page.goto(`./#/${name}/explore`);
  await page.reload();
  await bootHere(page, cluster(name, { storage: 'indexeddb' }));
  return base;
}

test('reads and writes are refused, and what memory has can be written back', async ({ page }) => {
  const base = await bootWithAnObject(page, 'deleted');
  const before = await ask(page, base, `${configMaps}/precious`);
  await deleteDatabase(page, 'deleted');
  for (const [path, method] of [
    [`${configMaps}/precious`, 'GET'],
    [configMaps, 'GET'],
    [`${configMaps}/precious`, 'DELETE'],
  ] as const) {
    const { status, body } = await ask(page, base, path, method);
    expect([status, body['kind'], body['reason']]).toEqual([503, 'Status', 'ServiceUnavailable']);
    expect(body['message']).toContain('its database was deleted');
  }
  const notice = page.getByRole('alert').filter({ hasText: 'This tab still has everything in memory' });
  await notice.getByRole('button', { name: 'Write it back' }).click();
  await expect(notice).toBeHidden();
  await expect.poll(async () => (await ask(page, base, `${configMaps}/precious`)).status).toBe(200);
  expect((await ask(page, base, `${configMaps}/precious`)).body).toEqual(before.body);
  await page.reload();
  await bootHere(page, cluster('deleted', { storage: 'indexeddb' }));
  expect((await ask(page, base, `${configMaps}/precious`)).body).toEqual(before.body);
});

test('a reload reports that the data is gone, and makes an empty cluster only on request', async ({ page }) => {
  const base = await bootWithAnObject(page, 'vanished');
  await deleteDatabase(page, 'vanished');
  await page.reload();
  await expect(page.getByText('The data of this cluster is gone.')).toBeVisible();
  const reason = await page.evaluate(
    (options) =>
      window.vitrine.boot(options).then(
        () => 'booted',
        (error: Error & { kind?: string }) => `${error.name} ${error.kind}`,
      ),
    cluster('vanished', { storage: 'indexeddb' }),
  );
  expect(reason).toBe('BootError gone');
  await page.getByRole('button', { name: 'Start an empty cluster' }).click();
  // Its table of tokens is gone with the rest.
  await expect(page.getByText('A component did not accept its flags.')).toBeVisible();
  await bootHere(page, cluster('vanished', { storage: 'indexeddb' }));
  expect((await ask(page, base, `${configMaps}/precious`)).status).toBe(404);
});
