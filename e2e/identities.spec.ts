/** Whom the page acts as: by certificates and tokens that are made in it, and several people side by side. */
import { expect, test, type Page } from '@playwright/test';
import { boot, createByForm } from './support.ts';

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
  await createByForm(page, 'tokens');
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

/** Makes objects as the page's administrator. */
const make = (page: Page, path: string, ...objects: readonly object[]): Promise<void> =>
  page.evaluate(
    async ([to, all]) => {
      const headers = { 'content-type': 'application/json' };
      for (const object of all) {
        const response = await window.vitrine.fetch(to, { method: 'POST', headers, body: JSON.stringify(object) });
        if (!response.ok) throw new Error(await response.text());
      }
    },
    [path, objects] as const,
  );

const RBAC = '/apis/rbac.authorization.cluster.io/v1/namespaces/default';

test('one request as several people, with the reason of each refusal and the line that would have to differ', async ({
  page,
}) => {
  await createByForm(page, 'compare');
  const metadata = { name: 'reader' };
  await make(page, `${RBAC}/roles`, { metadata, rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] });
  await make(page, `${RBAC}/rolebindings`, {
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.cluster.io', kind: 'Role', name: 'reader' },
    subjects: [{ kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.cluster.io' }],
  });
  await goTo(page, '#/compare/access/compare');
  await page.getByRole('button', { name: 'Another identity' }).click();
  await page.getByRole('button', { name: 'Ask as each' }).click();
  const columns = page.getByRole('list', { name: 'Side by side' });
  await expect(columns.getByText('200', { exact: true })).toHaveCount(1);
  await expect(columns.getByText('403', { exact: true })).toHaveCount(2);
  const jane = columns.getByRole('listitem').filter({ hasText: 'No module allowed it' }).filter({ hasText: 'jane' });
  await jane.getByRole('link', { name: 'Edit this line' }).first().click();
  expect(new URL(page.url()).hash).toContain('field=rules%5B0%5D.verbs');
  const place = page.locator('.monaco-editor .current-line').first();
  await expect(place).toBeVisible({ timeout: 30_000 });
  await expect.poll(() => cursorLine(page)).toContain('verbs');
});

/** The text of the line in which the editor's cursor stands. */
async function cursorLine(page: Page): Promise<string> {
  return page.evaluate(() => {
    const top = (element: Element | null): number => Math.round(element?.getBoundingClientRect().top ?? -1);
    const here = top(document.querySelector('.monaco-editor .view-overlays .current-line'));
    const lines = [...document.querySelectorAll('.monaco-editor .view-line')];
    return lines.find((line) => Math.abs(top(line) - here) < 3)?.textContent ?? '';
  });
}
