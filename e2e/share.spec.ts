/** A cluster on its way to somebody else: by a link, which is shown and asked about before anything runs. */
import { expect, test } from '@playwright/test';

test('a link carries the demo to another browser, which asks first', async ({ page, browser }) => {
  test.setTimeout(150_000);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('./');
  await page.getByRole('button', { name: 'Open the demo cluster' }).click();
  await expect(page.getByRole('region', { name: 'Try this' }).getByRole('button', { name: 'Scale' })).toBeEnabled({
    timeout: 60_000,
  });
  await page.getByRole('button', { name: /^Cluster/ }).click();
  await page.getByRole('menuitem', { name: /Share or export/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this cluster' });
  await expect(dialog).toContainText('4 Deployments', { timeout: 30_000 });
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('The link is on the clipboard.')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  expect(link).toContain('#share=1.');

  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto(link);
  const offer = elsewhere.getByRole('region', { name: 'Shared cluster' });
  await expect(offer).toContainText('4 Deployments');
  await expect(offer).toContainText('with 3 nodes');
  await expect(elsewhere.getByRole('navigation', { name: 'Panels' })).toHaveCount(0);
  await offer.getByRole('button', { name: 'Make this cluster' }).click();
  await expect(elsewhere.getByRole('main').first()).toContainText('frontend', { timeout: 60_000 });
  await elsewhere.context().close();
});

test('a link that lost a part says why it can’t be opened', async ({ page }) => {
  await page.goto('./#share=1.abc');
  await expect(page.getByRole('alert')).toContainText('a part of the link is missing');
  await page.getByRole('button', { name: 'Go on without it' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Open the demo cluster' })).toBeVisible();
});
