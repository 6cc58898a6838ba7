/** The load scenario: found in the palette, started, stopped half-way, and removed. */
import { expect, test } from '@playwright/test';
import { bootHere } from './support.ts';

test('a load can be started, stopped and removed while the page is used', async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto('./');
  await bootHere(page, {
    ...{ name: 'heavy', naming: 'k8s.io', nodes: 1, storage: 'indexeddb' },
    ...{ apiserver: ['--authorization-mode=Node,RBAC'], controllerManager: ['--use-service-account-credentials=true'] },
  });
  await page.evaluate(() => void (location.hash = '#/heavy/explore/core/nodes'));
  await expect(page.getByRole('main', { name: 'Explore' })).toBeVisible();

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('load');
  await page.getByRole('option', { name: /^Load/ }).first().click();
  const load = page.getByRole('region', { name: 'Load', exact: true });
  await load.getByLabel('Nodes').fill('2');
  await load.getByLabel('Pods').fill('900');
  await expect(load.getByText('2 nodes take 200 pods at most.')).toBeVisible();
  await load.getByLabel('Nodes').fill('12');
  await load.getByRole('button', { name: 'Start' }).click();

  await expect(load.getByText('12 of 12')).toBeVisible({ timeout: 60_000 });
  await expect(load.getByText(/^[1-9]\d* of 900$/)).toBeVisible({ timeout: 60_000 });
  await load.getByRole('button', { name: 'Stop' }).click();
  await expect(load.getByRole('status')).toHaveText(/Stopped|All pods run/);
  await expect(page.getByText('load-node-12').first()).toBeVisible();

  // What was made is found again by a page that has forgotten it.
  await page.reload();
  await expect(load.getByRole('progressbar', { name: 'Nodes ready' })).toBeVisible({ timeout: 60_000 });
  await load.getByRole('button', { name: 'Remove what was made' }).click();
  await expect(load.getByRole('button', { name: 'Start' })).toBeVisible({ timeout: 60_000 });
  await expect(page.getByText('load-node-12')).toHaveCount(0);
});
