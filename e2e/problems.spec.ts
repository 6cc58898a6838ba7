/** Errors that nothing caught are shown, and the cluster goes on. */
import { expect, test } from '@playwright/test';
import { ask, boot, cluster, configMaps } from './support.ts';

test('an error in the worker is shown, and the cluster goes on', async ({ page }) => {
  const base = await boot(page, cluster('problems'));
  const [worker] = page.workers();
  await worker?.evaluate(() => {
    setTimeout(() => {
      throw new Error('boom');
    });
    setTimeout(() => {
      void Promise.reject(new Error('bang'));
    });
  });
  await expect(page.getByText('boom')).toBeVisible();
  await expect(page.getByText('bang')).toBeVisible();
  expect((await ask(page, base, configMaps)).status).toBe(200);
});

test('an error in the page is shown', async ({ page }) => {
  await page.goto('./');
  await page.waitForFunction(() => 'vitrine' in window);
  await page.evaluate(() => {
    setTimeout(() => {
      void Promise.reject(new Error('crack'));
    });
  });
  await expect(page.getByText('crack')).toBeVisible();
});
