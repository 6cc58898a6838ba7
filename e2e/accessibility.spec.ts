/** Every view by the rules of axe: names, roles, contrast, headings, landmarks. In both themes, on a screen and on a phone. */
import { expect, test, type Page } from '@playwright/test';
import { faults } from './axe.ts';

const object = (ref: string): string => `sel=object:${ref}`;
const deployment = 'apps/deployments/shop/frontend';

/** Addresses within the demo cluster, and what shows that the view is there. */
const rooms: readonly (readonly [at: string, shows: string | RegExp])[] = [
  ['glass', 'What happens'],
  [`glass?follow=${deployment}`, 'Show everything'],
  ['explore/core/pods', /frontend-/],
  [`explore/apps/deployments?ns=shop&${object(deployment)}`, 'Summary'],
  [`explore/apps/deployments?ns=shop&${object(deployment)}&tab=yaml`, 'frontend'],
  [`explore/apps/deployments?ns=shop&${object(deployment)}&tab=history`, 'frontend'],
  [`explore/apps/deployments?ns=shop&${object(deployment)}&tab=events`, 'frontend'],
  [`explore/apps/deployments?ns=shop&${object(deployment)}&tab=links`, 'frontend'],
  [`explore/core/nodes?${object('core/nodes//node-1')}`, 'node-1'],
  ['explore/rbac.authorization.k8s.io/clusterroles', 'cluster-admin'],
  ['network/map', 'denied by a policy'],
  ['network/matrix', 'denied by a policy'],
  ['network/flows', /No connections yet|Result/],
  ['scheduling', 'node-1'],
  ['lifecycle/deleting', 'Deleting'],
  [`lifecycle/graph?${object(deployment)}`, 'ReplicaSet'],
  [`lifecycle/rollout?${object(deployment)}`, 'frontend'],
  ['controllers', 'What controllers do'],
  ['watch', 'Watches'],
  ['watch/paging', 'Paging'],
  ['watch/storage', 'Kept since'],
  ['access', 'Who can'],
  ['access/what-can', 'What can'],
  ['access/compare', 'Compare'],
  ['access/refusals', 'Refusals'],
  ['access/certificates', 'Certificates'],
  ['access/tokens', 'Tokens'],
  ['requests', 'Log'],
  ['requests/breakpoints', 'Hold requests'],
  ['requests/audit', 'Audit'],
  ['webhooks', 'Webhooks'],
  ['lessons', 'First steps'],
  ['lessons/author', 'Write a lesson'],
  ['settings', 'Cluster'],
  ['settings/apiserver', 'Generic'],
  ['settings/files', 'Files'],
];

/** Dialogs, by what is typed into the palette to open them. */
const dialogs = ['Show the keys', 'Share or export', 'Keep a snapshot'];

async function openDemo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open the demo cluster' }).click();
  await expect(page.getByRole('region', { name: 'Try this' })).toBeVisible({ timeout: 30_000 });
}

const sizes = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;

for (const colorScheme of ['light', 'dark'] as const)
  for (const size of sizes)
    test(`axe finds no violation on any view, ${colorScheme}, ${size.width} wide`, async ({ page }) => {
      test.setTimeout(240_000);
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const found: string[] = [];
      const check = async (name: string): Promise<void> => void found.push(...(await faults(page, name)));
      await page.goto('./');
      await page.getByRole('button', { name: 'New cluster with your own settings' }).click();
      await check('start');
      await openDemo(page);
      for (const [at, shows] of rooms) {
        await page.evaluate((to) => void (location.hash = to), `#/demo/${at}`);
        await expect(page.getByText(shows).first(), at).toBeAttached();
        await check(at);
      }
      await page.evaluate(() => void (location.hash = '#/demo/glass'));
      for (const words of dialogs) {
        await page.keyboard.press('Control+k');
        await page.keyboard.type(words);
        await expect(page.getByRole('option', { name: words })).toBeVisible();
        await check(`palette: ${words}`);
        await page.keyboard.press('Enter');
        await expect(page.getByRole('dialog').getByRole('heading', { level: 2 })).toBeVisible();
        await check(words);
        await page.keyboard.press('Escape');
      }
      await page.keyboard.press('Control+k');
      await page.keyboard.type('Load');
      await page.getByRole('option', { name: /^Load/ }).first().click();
      await expect(page.getByRole('form', { name: 'New load' })).toBeVisible();
      await check('dock: Load');
      expect(found.map((each) => each.slice(0, 300))).toEqual([]);
    });

test('with reduced motion the editor and the Glass have the colours of the theme', async ({ page }) => {
  test.setTimeout(120_000);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto('./');
  await openDemo(page);
  await page.getByRole('button', { name: 'Write YAML' }).click();
  await expect(page.locator('.monaco-editor-background').first()).toHaveCSS('background-color', 'rgb(255, 255, 255)', {
    timeout: 30_000,
  });
  // A colour that is read as soon as it is chosen is that one, whatever stood there before.
  const read = (): Promise<readonly string[]> =>
    page.evaluate(() => {
      const probe = document.body.appendChild(document.createElement('span'));
      return ['--text', '--surface'].map((token) => {
        probe.style.color = `var(${token})`;
        return getComputedStyle(probe).color;
      });
    });
  expect(await read()).toEqual(['rgb(16, 25, 27)', 'rgb(255, 255, 255)']);
});
