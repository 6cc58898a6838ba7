/** A cluster on its way to somebody else: by a link, which is shown and asked about before anything runs. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@playwright/test';
import { encodeLink } from '../src/ui/share/link.ts';
import { ask, boot, cluster, configMap, picture } from './support.ts';

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
  await picture(elsewhere, 'shared link');
  await expect(elsewhere.getByRole('navigation', { name: 'Panels' })).toHaveCount(0);
  await offer.getByRole('button', { name: 'Make this cluster' }).click();
  await expect(elsewhere.getByRole('main').first()).toContainText('frontend', { timeout: 60_000 });
  await elsewhere.context().close();
});

test('a cluster is saved with its history, and goes on in another browser', async ({ page, browser }) => {
  test.setTimeout(150_000);
  const base = await boot(page, cluster('whole', { storage: 'indexeddb' }));
  const maps = '/api/v1/namespaces/default/configmaps';
  const made = await ask(page, base, maps, 'POST', configMap('gone'));
  const revision = made.body.metadata?.resourceVersion ?? '';
  await ask(page, base, `${maps}/gone`, 'DELETE');
  await page.evaluate(() => (location.hash = '#/whole/explore/core/configmaps?ns=default'));
  await page.getByRole('button', { name: /^Cluster/ }).click();
  await page.getByRole('menuitem', { name: /Share or export/ }).click();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save with its history' }).click();
  const file = await (await saved).path();

  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto('./');
  await elsewhere
    .locator('input[type="file"]')
    .first()
    .setInputFiles({
      name: 'whole.history.ndjson',
      mimeType: 'application/x-ndjson',
      buffer: await readFile(file),
    });
  const offer = elsewhere.getByRole('region', { name: 'Saved history' });
  await expect(offer).toContainText('whole');
  await offer.getByRole('button', { name: 'Open this cluster' }).click();
  await expect(elsewhere.getByRole('navigation', { name: 'Panels' })).toBeVisible({ timeout: 60_000 });
  await elsewhere.evaluate((at) => (location.hash = `#/whole/explore/core/configmaps?ns=default&at=${at}`), revision);
  await expect(elsewhere.getByText('Everything is shown as it was')).toBeVisible({ timeout: 30_000 });
  await expect(elsewhere.getByRole('row', { name: /gone/ })).toBeVisible();
  await elsewhere.context().close();
});

test('the share dialog offers a file when the cluster is too large for a link', async ({ page }) => {
  const base = await boot(page, cluster('large'));
  // Texts that do not compress.
  const noise = Array.from({ length: 1200 }, (_, i) => createHash('sha256').update(String(i)).digest('base64'));
  const made = configMap('noise', { text: noise.join('') });
  expect((await ask(page, base, '/api/v1/namespaces/default/configmaps', 'POST', made)).status).toBe(201);
  await page.evaluate(() => (location.hash = '#/large/explore/core/configmaps'));
  await page.getByRole('button', { name: /^Cluster/ }).click();
  await page.getByRole('menuitem', { name: /Share or export/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Share this cluster' });
  await expect(dialog).toContainText('It is too large for a link. Save it as a file');
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Save as file' }).click();
  expect((await saved).suggestedFilename()).toBe('large.vitrine.json');
  await picture(page, 'too large for a link');
});

test('a broken history says why, and can be tried again', async ({ page }) => {
  await page.goto('./');
  const lines = [
    { history: 'vitrine-history/1', name: 'cut', options: { naming: 'k8s.io' } },
    { revision: 9, compacted: 1 },
    { nothing: 'known' },
  ];
  const buffer = Buffer.from(`${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  const file = { name: 'cut.history.ndjson', mimeType: 'application/x-ndjson', buffer };
  await page.locator('input[type="file"]').first().setInputFiles(file);
  const offer = page.getByRole('region', { name: 'Saved history' });
  for (let attempt = 0; attempt < 2; attempt++) {
    await offer.getByRole('button', { name: 'Open this cluster' }).click();
    await expect(page.getByText('The history could not be opened.')).toHaveCount(attempt + 1);
  }
});

test('a link that lost a part says why it can’t be opened', async ({ page }) => {
  await page.goto('./#share=1.abc');
  await expect(page.getByRole('alert')).toContainText('a part of the link is missing');
  await page.getByRole('button', { name: 'Go on without it' }).click();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Open the demo cluster' })).toBeVisible();
});

test('a page elsewhere frames chosen panels, and readers change nothing', async ({ page, baseURL }) => {
  test.setTimeout(120_000);
  const manifests = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: shown, namespace: default}\n';
  const options = { naming: 'k8s.io', nodes: 1 } as const;
  const link = await encodeLink({ name: 'framed', options, manifests, open: 'explore/core/configmaps?ns=default' });
  const address = `${baseURL}?embed=explore,network&read-only#share=${link}`;
  const host = createServer((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<iframe src="${address}" width="1100" height="700"></iframe>`),
  );
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
  await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
  const frame = page.frameLocator('iframe');
  await frame.getByRole('button', { name: 'Make this cluster' }).click();
  await expect(frame.getByRole('row', { name: /shown/ })).toBeVisible({ timeout: 60_000 });
  await expect(frame.getByRole('navigation', { name: 'Panels' }).getByRole('link')).toHaveText(['Explore', 'Network']);
  await frame.getByRole('row', { name: /shown/ }).click();
  await frame.getByRole('table', { name: 'configmaps' }).press('Control+d');
  const remove = frame.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true });
  await expect(remove).toHaveAttribute('aria-disabled', 'true');
  await remove.hover();
  await expect(frame.getByRole('tooltip', { name: 'This page is read-only.' })).toBeVisible();
  await frame.getByRole('button', { name: 'Cancel' }).click();
  await expect(frame.getByRole('button', { name: 'Create', exact: true })).toHaveAttribute('aria-disabled', 'true');
  host.close();
});
