/** The first minute: one press opens a cluster that is at work, and things to try in it. */
import { expect, test, type Page } from '@playwright/test';

async function openDemo(page: Page): Promise<void> {
  await page.goto('./');
  await page.getByRole('button', { name: 'Open the demo cluster' }).click();
  await expect(page.getByRole('region', { name: 'Try this' })).toBeVisible({ timeout: 30_000 });
}

const tryThis = (page: Page, name: string): Promise<void> =>
  page.getByRole('region', { name: 'Try this' }).getByRole('button', { name }).click();

const podsThat = (page: Page, text: string | RegExp) =>
  page.getByRole('table', { name: 'pods' }).locator('tbody tr[tabindex="0"]').filter({ hasText: text });

test('one click opens the demo shop, and each of its suggestions leads to an answer', async ({ page }) => {
  test.setTimeout(120_000);
  await openDemo(page);

  // The cascade is seen in the Glass, as a picture and as a story, slowly.
  await tryThis(page, 'Scale the frontend to 6');
  const story = page.getByRole('log', { name: 'Story of Deployment shop/frontend' });
  await expect(story).toContainText('administrator scaled Deployment shop/frontend', { timeout: 20_000 });
  await expect(story).toContainText(/replicaset controller created Pod.*because ReplicaSet/s);
  await expect(story).toContainText(/scheduler bound Pod shop\/frontend/);
  await page.getByRole('button', { name: 'Go live' }).click();
  await expect(page.getByRole('button', { name: 'Replay the last change slowly' })).toBeVisible({ timeout: 45_000 });
  await page.getByRole('button', { name: 'Replay the last change slowly' }).click();
  await expect(page.getByText(/^Playing, \d+ steps behind$/)).toBeVisible();
  // As long as it plays, the picture does not say that nothing happens.
  expect(await saysBothUntilLive(page)).toBe(false);

  await tryThis(page, 'Why is a pod pending?');
  await expect(podsThat(page, /^frontend.*Running/s)).toHaveCount(6, { timeout: 45_000 });
  await expect(podsThat(page, /^db.*Running/s)).toHaveCount(1);
  await expect(page.getByRole('complementary', { name: 'Object' })).toContainText('node affinity', { timeout: 20_000 });

  await tryThis(page, 'Why is Ben refused?');
  await expect(page.getByRole('alert')).toContainText('User "ben" cannot list resource "secrets"');
  const guide = page.getByRole('region', { name: 'Try this' });
  await expect(guide).toContainText('You now act as ben');
  // What it says of ben goes when one is the administrator again.
  await page.getByRole('button', { name: /^As: ben/ }).click();
  await page.getByRole('option', { name: /^administrator/ }).click();
  await expect(guide).toContainText('A small shop runs here');

  await tryThis(page, 'Delete a pod and watch');
  await expect(page.getByText('A pod of the cart was deleted.')).toBeVisible();
  await expect(podsThat(page, /^cart.*Running/s)).toHaveCount(2, { timeout: 45_000 });

  await tryThis(page, 'Send visitors');
  await page.getByRole('radio', { name: 'Flows' }).click();
  const flows = page.getByRole('row', { name: /shop\/visitors-/ });
  await expect(flows.filter({ hasText: 'delivered' }).first()).toBeVisible({ timeout: 45_000 });
  await expect(flows.filter({ hasText: /ingress denied\s*db-only-from-cart/ }).first()).toBeVisible({
    timeout: 45_000,
  });

  await tryThis(page, 'See who can reach the database');
  await expect(page.getByRole('main').first()).toContainText('db-only-from-cart', { timeout: 20_000 });

  await page.getByRole('button', { name: 'Hide the list' }).click();
  await expect(page.getByRole('region', { name: 'Try this' })).toHaveCount(0);
});

/** Whether the Glass says, while it plays what lies behind, that nothing is happening. */
const saysBothUntilLive = (page: Page): Promise<boolean> =>
  page.evaluate(
    () =>
      new Promise((resolve) => {
        const look = (): void => {
          const text = document.querySelector('main')?.textContent ?? '';
          const plays = /Playing, [1-9]\d* steps behind/.test(text);
          if (plays && !text.includes('Nothing is happening now')) return;
          changes.disconnect();
          resolve(plays);
        };
        const changes = new MutationObserver(look);
        changes.observe(document.body, { subtree: true, childList: true, characterData: true });
      }),
  );

test('pasted manifests are shown in the editor of a new cluster before they are applied', async ({ page }) => {
  await page.goto('./');
  await page
    .getByRole('textbox', { name: 'Manifests' })
    .fill('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: mine\n');
  await page.getByRole('button', { name: 'Open in a new cluster' }).click();
  await expect(page.locator('.view-lines')).toContainText('kind: ConfigMap', { timeout: 45_000 });
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Results' }).getByText('created')).toHaveCount(1);
});

test('a link to a cluster that this browser does not have says so', async ({ page }) => {
  await page.goto('./#/elsewhere/explore');
  await expect(page.getByRole('status').filter({ hasText: 'elsewhere' })).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('elsewhere');
});
