/** Whom the page acts as: by certificates and tokens that are made in it, and several people side by side. */
import { expect, test, type Page } from '@playwright/test';
import { boot } from './support.ts';

/** Creates a cluster by the start page's form. */
async function createCluster(page: Page, name: string): Promise<void> {
  await page.goto('./');
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create cluster' }).click();
  await expect(page.getByRole('navigation', { name: 'Panels' })).toBeVisible({ timeout: 30_000 });
}

const goTo = (page: Page, hash: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

/** Sends what the console would, as whoever the page acts as, and gives the answer's status line and body. */
async function ask(page: Page, cluster: string, path: string): Promise<string> {
  await goTo(page, `#/${cluster}/requests`);
  const console = page.getByRole('region', { name: 'Console' });
  await console.getByLabel('Path').fill(path);
  await console.getByRole('button', { name: /^Send as/ }).click();
  await expect(console.getByText(/^\d{3} /)).toBeVisible();
  return console.innerText();
}

const PODS = '/api/v1/namespaces/default/pods';

test('a certificate is made, approved, signed and used; a reload keeps it, time ends it', async ({ page }) => {
  await boot(page, {
    name: 'workbench',
    apiserver: ['--authorization-mode=RBAC'],
    controllerManager: ['--use-service-account-credentials=true', '--cluster-signing-duration=1h'],
  });
  await goTo(page, '#/workbench/access/certificates');
  await expect(page.getByRole('navigation', { name: 'Panels' })).toBeVisible({ timeout: 30_000 });
  await page.getByLabel('User').fill('jane');
  await page.getByLabel('Groups').fill('dev');
  await page.getByRole('button', { name: 'Make a key and ask' }).click();
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  await page.getByRole('button', { name: 'Act as jane' }).first().click();
  await expect(page.getByRole('button', { name: 'As: jane' })).toBeVisible();
  expect(await ask(page, 'workbench', PODS)).toContain('User \\"jane\\" cannot list resource \\"pods\\"');

  // The key lies in the browser: whoever comes back still has it, and nobody can read it out.
  await page.reload();
  await expect(page.getByRole('navigation', { name: 'Panels' })).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: /^As: / }).click();
  await page.getByRole('option', { name: /jane/ }).first().click();
  expect(await ask(page, 'workbench', PODS)).toContain('User \\"jane\\" cannot list');
  const kept = await page.evaluate(async () => {
    const opening = indexedDB.open('vitrine-keyring');
    await new Promise((resolve) => (opening.onsuccess = resolve));
    const all = opening.result.transaction('keys').objectStore('keys').getAll();
    await new Promise((resolve) => (all.onsuccess = resolve));
    return (all.result as { key: CryptoKey }[]).map(({ key }) => key.extractable);
  });
  expect(kept).toEqual([false]);

  await page.evaluate(() => window.vitrine.clock.step(61 * 60_000));
  expect(await ask(page, 'workbench', PODS)).toContain('401 ');
});

test('tokens are issued, read, reviewed and used', async ({ page }) => {
  await createCluster(page, 'tokens');
  await goTo(page, '#/tokens/access/tokens');
  await page.getByLabel('Service account').selectOption('default/default');
  await page.getByRole('button', { name: 'Issue a token' }).click();
  const account = 'system:serviceaccount:default:default';
  await expect(page.getByRole('region', { name: 'The token says' }).getByText(account).first()).toBeVisible();
  await page.getByRole('button', { name: 'Ask the server whose it is' }).click();
  await expect(page.getByRole('region', { name: 'The server says' }).getByText(account).first()).toBeVisible();
  await page.getByRole('button', { name: `Act as ${account}` }).click();
  expect(await ask(page, 'tokens', PODS)).toContain(`User \\"${account}\\" cannot list`);
  expect(page.url()).not.toContain('eyJ');
});

test('one request as several people, with the reason of each refusal', async ({ page }) => {
  await createCluster(page, 'compare');
  await goTo(page, '#/compare/access/compare');
  await page.getByRole('button', { name: 'Somebody else' }).click();
  await page.getByRole('button', { name: 'Ask as each' }).click();
  const columns = page.getByRole('list', { name: 'Side by side' });
  await expect(columns.getByText('200', { exact: true })).toHaveCount(1);
  await expect(columns.getByText('403', { exact: true })).toHaveCount(2);
  await expect(columns.getByText('No module allowed it, and what nobody allows is denied.').first()).toBeVisible();
});
