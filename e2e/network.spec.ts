/** NetworkPolicy as a person learns it: what can reach what, why not, what a draft would change, and how to open it again. */
import { expect, test, type Page } from '@playwright/test';
import { ask, boot, cluster } from './support.ts';

const pods = '/api/v1/namespaces/default/pods';

const pod = (name: string): object => ({
  metadata: { name, labels: { app: name } },
  spec: { containers: [{ name: 'c', image: 'nginx', ports: [{ containerPort: 80 }] }] },
});

/** The addresses of the pods that have one. */
async function addresses(page: Page, base: string): Promise<string[]> {
  const { items = [] } = (await ask(page, base, pods)).body as { items?: { status?: { podIP?: string } }[] };
  return items.flatMap(({ status }) => status?.podIP ?? []);
}

/** A cluster with two pods, shown in the Network room. Returns where its API is. */
async function openShop(page: Page): Promise<string> {
  const apiserver = ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'];
  const controllerManager = ['--use-service-account-credentials=true'];
  const base = await boot(page, cluster('shop', { nodes: 1, apiserver, controllerManager, storage: 'indexeddb' }));
  // The namespace's service account comes a moment after the namespace.
  for (const name of ['web', 'db'])
    await expect.poll(async () => (await ask(page, base, pods, 'POST', pod(name))).status).toBe(201);
  await expect.poll(() => addresses(page, base)).toHaveLength(2);
  await page.evaluate(() => {
    location.hash = '#/shop/network/matrix';
  });
  return base;
}

const cell = (page: Page, words: string | RegExp) => page.getByRole('button', { name: words });

test('the map marks what a draft denies, explains it, and opens it again', async ({ page }) => {
  await openShop(page);
  await expect(cell(page, 'web reaches db')).toBeVisible();

  await page.getByRole('button', { name: 'New policy' }).click();
  await page.getByRole('menuitem', { name: /Deny all incoming/ }).click();
  await expect(page.getByRole('heading', { name: 'The draft closes 2 connections, opens none' })).toBeVisible();
  await expect(cell(page, 'web reaches db; the draft closes this')).toBeVisible();

  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await cell(page, /web does not reach db/).click();
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details.getByText(/pod default\/web does not reach pod default\/db/i)).toBeVisible();
  await expect(details.getByText(/isolated for incoming traffic by default\/default-deny-ingress/)).toBeVisible();

  await details.getByRole('button', { name: 'Allow TCP 80 from these pods' }).click();
  await expect(page.getByRole('heading', { name: 'The draft closes none, opens 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(cell(page, /^web reaches db/)).toBeVisible();
  await expect(cell(page, /^db does not reach web/)).toBeVisible();
});

test('arrow keys go through the matrix, and the map says in words what it shows', async ({ page }) => {
  await openShop(page);
  await cell(page, 'db reaches db').focus();
  await page.keyboard.press('ArrowDown');
  await expect(cell(page, 'web reaches db')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/from=default\/Pod\/web/);

  await page.getByRole('radio', { name: 'Map' }).click();
  await page.getByRole('button', { name: /^web/ }).focus();
  await expect(page.getByText('web reaches 1 of 1 others, and 1 reach it.')).toBeVisible();
});

test('a matrix of many pods renders what is in sight, and the last pod is reached', async ({ page }) => {
  const apiserver = ['--token-auth-file=tokens.csv'];
  const base = await boot(page, cluster('many', { apiserver, storage: 'indexeddb' }));
  const make = (i: number): Promise<{ status: number }> => ask(page, base, pods, 'POST', pod(`p${100 + i}`));
  await expect.poll(async () => (await make(0)).status).toBe(201);
  await Promise.all(Array.from({ length: 149 }, (_, i) => make(i + 1)));
  // There is no node: none of them runs.
  await page.evaluate(() => {
    location.hash = '#/many/network/matrix?by=pod';
  });
  await cell(page, 'p100 does not yet reach p101').focus();
  expect(await page.locator('[data-cell]').count()).toBeLessThan(150 * 150);
  await page.getByRole('table').evaluate((table) => table.parentElement?.scrollTo(1e6, 1e6));
  await expect(cell(page, 'p248 does not yet reach p249')).toBeVisible();
  await cell(page, 'p249 does not yet reach p248').focus();
  await page.keyboard.press('ArrowRight');
  await expect(cell(page, 'p249 does not yet reach p249')).toBeFocused();
});

test('a name is looked up step by step, and an allow rule is applied at once', async ({ page }) => {
  const base = await openShop(page);
  const policy = { metadata: { name: 'deny' }, spec: { podSelector: {}, policyTypes: ['Ingress'] } };
  const service = { metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } };
  const policies = '/apis/networking.cluster.io/v1/namespaces/default/networkpolicies';
  expect((await ask(page, base, '/api/v1/namespaces/default/services', 'POST', service)).status).toBe(201);
  expect((await ask(page, base, policies, 'POST', policy)).status).toBe(201);

  const details = page.getByRole('complementary', { name: 'Details' });
  await details.getByRole('combobox', { name: 'Pod that asks' }).selectOption('default/db');
  await details.getByRole('combobox', { name: 'Name to look up' }).fill('web');
  await expect(details.getByText(/^"web" stands for 10\.\d+\.\d+\.\d+, after 1 question\.$/)).toBeVisible();
  await expect(details.getByText(/^web\.default\.svc\.cluster\.local: A /)).toBeVisible();

  await details.getByRole('combobox', { name: 'Name or address' }).fill('web.default');
  await expect(details.getByText(/isolated for incoming traffic by default\/deny/)).toBeVisible();
  await details.getByRole('button', { name: 'Apply it now' }).click();
  await expect(details.getByText('Pod default/db reaches web.default at TCP 80.')).toBeVisible();
});

test('on a phone the editor says what its policy would do, and leads to the picture and back', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openShop(page);
  await page.getByRole('radio', { name: 'Map' }).click();
  await page.getByRole('button', { name: 'New policy' }).click();
  await page.getByRole('menuitem', { name: /Deny all incoming/ }).click();
  await expect(page.getByText('Applied, it closes 2 connections, opens none at TCP 80.')).toBeVisible();

  await page.getByRole('button', { name: 'Show it' }).click();
  await expect(page.getByRole('button', { name: 'Apply', exact: true })).toBeHidden();
  await expect(page.getByText('The draft closes 2 connections, opens none', { exact: true }).first()).toBeVisible();
  const map = page.getByRole('region', { name: 'Namespace default' }).locator('xpath=../..');
  expect(await map.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0);

  await page.getByRole('button', { name: 'Back to the editor' }).click();
  await expect(page.getByRole('button', { name: 'Apply', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(page.getByText('Applied, it changes no connection at TCP 80.')).toBeVisible();
});
