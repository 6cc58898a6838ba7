/** Editing flags, features and files of a cluster, and starting it with them. */
import { expect, test, type Page } from '@playwright/test';
import { administrator, ask, boot, cluster, configMap, configMaps, fillForm } from './support.ts';

async function openSettings(page: Page, name: string): Promise<void> {
  await page.evaluate((to) => {
    location.hash = to;
  }, `#/${name}/settings/apiserver`);
  await expect(page.getByRole('tab', { name: /API server/ })).toBeVisible({ timeout: 30_000 });
}

test('a flag is found, explained, checked as it is typed and taken at a restart that keeps what is stored', async ({
  page,
}) => {
  const options = cluster('flags', { storage: 'indexeddb' });
  const base = await boot(page, options);
  expect((await ask(page, base, configMaps, 'POST', configMap('kept'))).status).toBe(201);
  await page.reload();
  await openSettings(page, 'flags');
  await page.getByRole('searchbox', { name: 'Find a flag' }).fill('node-port-range');
  const flag = page.getByLabel('--service-node-port-range');
  const restart = page.getByRole('button', { name: 'Restart with these' });
  await expect(flag).toHaveAttribute('placeholder', '30000-32767');
  await expect(restart).toHaveAttribute('aria-disabled', 'true');
  await flag.fill('9-1');
  await expect(page.getByRole('alert')).toContainText('end port cannot be less than start port: 9-1');
  await expect(restart).toHaveAttribute('aria-disabled', 'true');
  await flag.fill('31000-31000');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await restart.click();
  await expect(page.getByRole('tab', { name: /API server/ })).toContainText('3');
  expect((await ask(page, base, `${configMaps}/kept`)).status).toBe(200);
  const service = { metadata: { name: 'web' }, spec: { type: 'NodePort', ports: [{ port: 80 }] } };
  const made = await ask(page, base, '/api/v1/namespaces/default/services', 'POST', service);
  expect(made.body['spec']).toMatchObject({ ports: [{ nodePort: 31000 }] });
  await page.evaluate(() => window.vitrine.remove('flags'));
});

test('a feature is switched and a deprecated one warned of', async ({ page }) => {
  const base = await boot(page, cluster('features', { storage: 'indexeddb' }));
  await page.reload();
  await openSettings(page, 'features');
  await page.getByRole('radio', { name: 'Features' }).click();
  await page.getByLabel('WarningHeaders').selectOption('off');
  await page.getByLabel('DryRun').selectOption('on');
  await expect(page.getByRole('list', { name: 'Warnings' })).toContainText('Setting GA feature gate DryRun=true');
  await page.getByRole('button', { name: 'Restart with these' }).click();
  const warnings = (): Promise<string | null> =>
    page.evaluate(async ([url, headers]) => (await fetch(url, { headers })).headers.get('warning'), [
      `${base}/apis/extensions/v1beta1/ingresses`,
      administrator,
    ] as const);
  await expect.poll(warnings).toBeNull();
  await page.evaluate(() => window.vitrine.remove('features'));
});

test('a start that fails says why, and leads to where it is mended', async ({ page }) => {
  await fillForm(page, 'mended');
  await page.getByRole('button', { name: 'Flags and seed' }).click();
  await page.getByLabel('API server').fill('--authorization-mode=Sudo');
  await page.getByRole('button', { name: 'Create cluster' }).click();
  await expect(page.getByRole('alert')).toContainText('authorization-mode "Sudo" is not a valid mode');
  await page.getByRole('button', { name: 'Edit the settings' }).click();
  await page.getByRole('tab', { name: /API server/ }).click();
  await page.getByRole('radio', { name: 'Given' }).click();
  await page.getByLabel('--authorization-mode').fill('RBAC');
  await page.getByRole('button', { name: 'Start with these' }).click();
  await expect(page.getByRole('navigation', { name: 'Panels' })).toBeVisible({ timeout: 30_000 });
  await page.evaluate(() => window.vitrine.remove('mended'));
});
