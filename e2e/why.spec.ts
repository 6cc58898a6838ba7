/** The answers to "why?" of refused requests, each with the button that makes the change after all. */
import { expect, test, type Page } from '@playwright/test';
import { ask, boot, cluster, configMap, configMaps } from './support.ts';

const NAME = 'why';

/** Opens a cluster and waits until the page records its requests. */
async function open(page: Page): Promise<string> {
  const base = await boot(page, cluster(NAME));
  await page.goto(`./#/${NAME}/requests`);
  await expect(page.getByRole('radio', { name: 'Yours' })).toBeVisible();
  return base;
}

async function openRequest(page: Page, status: string): Promise<void> {
  await page.goto(`./#/${NAME}/requests`);
  await page.getByRole('row').filter({ hasText: status }).first().click();
}

test('a conflict names the write that came first, and its button makes the change after all', async ({ page }) => {
  const base = await open(page);
  const created = await ask(page, base, configMaps, 'POST', configMap('settings', { colour: 'red', size: 's' }));
  const put = (data: Record<string, string>) =>
    ask(page, base, `${configMaps}/settings`, 'PUT', { ...created.body, data });
  expect((await put({ colour: 'blue', size: 's' })).status).toBe(200);
  expect((await put({ colour: 'red', size: 'l' })).status).toBe(409);

  await openRequest(page, '409');
  const inspector = page.getByRole('complementary', { name: 'Request' });
  await expect(inspector).toContainText(/is based on revision \d+ of ConfigMap default\/settings/);
  await expect(inspector.getByRole('list', { name: 'Writes since then' })).toContainText('data.colour red → blue');
  await expect(inspector.getByRole('list', { name: 'Writes since then' })).toContainText('update by admin');
  await inspector.getByRole('button', { name: 'Make the same change again' }).click();
  await expect(page.getByText('The change was written.')).toBeVisible();
  const { body } = await ask(page, base, `${configMaps}/settings`);
  expect(body['data']).toEqual({ colour: 'blue', size: 'l' });
});

test('a page of a list that has expired says so, and its button lists anew', async ({ page }) => {
  const base = await open(page);
  for (const name of ['a', 'b', 'c']) await ask(page, base, configMaps, 'POST', configMap(name));
  const first = await ask(page, base, `${configMaps}?limit=1`);
  const token = (first.body.metadata as { continue?: string }).continue ?? '';
  // The latest revision is never compacted away.
  await ask(page, base, configMaps, 'POST', configMap('d'));
  await page.goto(`./#/${NAME}/watch/storage`);
  await page.getByRole('button', { name: 'Compact' }).click();
  await expect(page.getByText('History was compacted.')).toBeVisible();
  expect((await ask(page, base, `${configMaps}?limit=1&continue=${token}`)).status).toBe(410);

  await openRequest(page, '410');
  const inspector = page.getByRole('complementary', { name: 'Request' });
  await expect(inspector).toContainText(/continues from revision \d+, which is no longer kept: storage was compacted/);
  await inspector.getByRole('button', { name: 'List anew' }).click();
  await expect(page.getByText('The list was read anew.')).toBeVisible();
});
