/** What the page keeps of a cluster besides its data goes with it, also when a tool removes it. */
import { expect, test, type Page } from '@playwright/test';
import { boot, cluster } from './support.ts';

/** How many entries the page's databases hold for each cluster: its keys, its terminal's files and history. */
const keptOf = (page: Page, name: string): Promise<number> =>
  page.evaluate(async (wanted) => {
    const done = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error ?? new Error('no answer'));
      });
    let count = 0;
    for (const database of ['vitrine-keyring', 'vitrine-terminal']) {
      const opened = await done(indexedDB.open(database));
      for (const store of opened.objectStoreNames) {
        const rows = (await done(opened.transaction(store).objectStore(store).getAll())) as { cluster: string }[];
        count += rows.filter((row) => row.cluster === wanted).length;
      }
      opened.close();
    }
    return count;
  }, name);

test('window.vitrine.remove takes the keys and the terminal’s files of that cluster, and of no other', async ({
  page,
}) => {
  for (const name of ['gone', 'kept']) {
    await boot(page, { ...cluster(name), storage: 'indexeddb' });
    await page.evaluate((hash) => (location.hash = hash), `#/${name}/access/certificates`);
    await page.getByLabel('User').fill('jane');
    await page.getByRole('button', { name: 'Make a key and ask' }).click();
    await page.keyboard.press('Control+`');
    await expect(page.locator('.xterm-accessibility-tree')).toContainText('~ $');
    await page.keyboard.type('echo hello > note.txt');
    await page.keyboard.press('Enter');
    await expect.poll(() => keptOf(page, name)).toBeGreaterThanOrEqual(3);
    await page.keyboard.press('Control+`');
  }
  await page.evaluate(() => window.vitrine.remove('gone'));
  expect(await keptOf(page, 'gone')).toBe(0);
  expect(await keptOf(page, 'kept')).toBeGreaterThanOrEqual(3);
});
