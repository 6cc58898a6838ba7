/** A first visit: what the start page offers, opened with one press. */
import { expect, test, type Page } from '@playwright/test';

async function openScenario(page: Page, name: RegExp): Promise<void> {
  await page.goto('./');
  await page.getByRole('region', { name: 'Scenarios' }).getByRole('button', { name }).click();
  await expect(page.getByRole('region', { name: 'Try this' })).toBeVisible({ timeout: 30_000 });
}

const tryThis = (page: Page, name: string): Promise<void> =>
  page.getByRole('region', { name: 'Try this' }).getByRole('button', { name }).click();

const toStart = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Cluster/ }).click();
  await page.getByRole('menuitem', { name: /Leave this cluster/ }).click();
};

test('a scenario leads to its answers, and a reset begins it again', async ({ page }) => {
  test.setTimeout(120_000);
  await openScenario(page, /Why was I refused/);
  await tryThis(page, 'Look at deployments as Dora');
  await expect(page.getByRole('alert')).toContainText('User "dora" cannot list resource "deployments"');
  await tryThis(page, 'Deploy as the pipeline');
  await expect(page.getByText('The account pipeline gave the deployment a new image.')).toBeVisible();

  await toStart(page);
  await page.getByRole('button', { name: 'More about refused' }).click();
  await page.getByRole('menuitem', { name: /Reset/ }).click();
  await page.getByRole('button', { name: 'Reset refused' }).click();
  await expect(page.getByRole('table', { name: 'pods' })).toContainText('api-', { timeout: 30_000 });

  await toStart(page);
  await page.getByRole('button', { name: 'More about refused' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove refused' }).click();
  await expect(page.getByRole('region', { name: 'Kept in this browser' })).toHaveCount(0);
});
