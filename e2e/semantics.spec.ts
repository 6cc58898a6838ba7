/** What the page makes visible of watches, paging and storage: backlog, expiry, what a client does then. */
import { expect, test, type Page } from '@playwright/test';
import { configMap, configMaps, createByForm } from './support.ts';

/** Creates a cluster by the start page's form and goes to a place in it. */
async function open(page: Page, name: string, place: string): Promise<void> {
  await createByForm(page, name);
  await goTo(page, `#/${name}/${place}`);
}

const goTo = (page: Page, hash: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

/** Makes ConfigMaps as the page's administrator. */
const make = (page: Page, names: readonly string[], size = 0): Promise<void> =>
  page.evaluate(
    async ([path, objects]) => {
      const headers = { 'content-type': 'application/json' };
      for (const object of objects) {
        const response = await window.vitrine.fetch(path, { method: 'POST', headers, body: JSON.stringify(object) });
        if (!response.ok) throw new Error(await response.text());
      }
    },
    [configMaps, names.map((name) => configMap(name, { text: 'x'.repeat(size) }))] as const,
  );

async function chooseConfigMaps(page: Page): Promise<void> {
  await page.getByRole('main').locator('form button[aria-haspopup="dialog"]').first().click();
  await page.getByRole('combobox', { name: 'Resource type' }).fill('configmap');
  await page.keyboard.press('Enter');
}

/** Has storage forget its history, by the panel's own button. */
async function compact(page: Page, name: string): Promise<void> {
  await goTo(page, `#/${name}/watch/storage`);
  await page.getByRole('button', { name: 'Compact', exact: true }).click();
  const kept = page.locator('dt', { hasText: 'Kept since' }).locator('xpath=following-sibling::dd');
  await expect(kept).not.toHaveText('revision 1');
}

test('a watch that is held has a backlog; one that expired says so, and lists again', async ({ page }) => {
  await open(page, 'expiry', 'watch?ns=default');
  await chooseConfigMaps(page);
  await page.getByRole('button', { name: 'Open watch' }).click();
  const column = page.getByRole('region', { name: 'configmaps' });
  await make(page, ['first']);
  await expect(column.getByRole('link', { name: 'first' })).toBeVisible();
  await column.getByRole('button', { name: 'Hold' }).click();
  await make(
    page,
    Array.from({ length: 40 }, (_, at) => `held-${at}`),
    8_000,
  );
  await expect(column.getByText(/\d+ waiting/)).toBeVisible();
  await column.getByRole('button', { name: 'Resume reading' }).click();
  await expect(column.getByRole('link', { name: 'held-39' })).toBeAttached();
  await expect(column.getByText(/\d+ waiting/)).toHaveCount(0);

  await column.getByRole('button', { name: 'Drop' }).click();
  await expect(column.getByRole('button', { name: /Resume from @\d+/ })).toBeVisible();
  await make(page, ['missed']);
  await compact(page, 'expiry');
  await goTo(page, '#/expiry/watch?ns=default');
  await column.getByRole('button', { name: /Resume from/ }).click();
  await expect(column.getByText('expired', { exact: true })).toBeVisible();
  await expect(column.getByText(/410/).first()).toBeVisible();
  await column.getByRole('button', { name: 'List and watch again' }).click();
  await expect(column.getByText('open', { exact: true })).toBeVisible();
  await make(page, ['after']);
  await expect(column.getByRole('link', { name: 'after' })).toBeAttached();
});

test('pages show one snapshot beside live writes; an expired token offers a new start', async ({ page }) => {
  await open(page, 'pages', 'watch/paging?ns=default');
  await make(page, ['a', 'b', 'c', 'd', 'e', 'f', 'g']);
  await chooseConfigMaps(page);
  await page.getByRole('button', { name: 'Read the first page' }).click();
  const first = page.getByRole('article', { name: 'Page 1' });
  await expect(first.getByRole('link')).toHaveText(['a', 'b', 'c']);
  await expect(first).toContainText('after c, at revision');
  await make(page, ['ca', 'h']);
  await page.getByRole('button', { name: 'Next page' }).click();
  const second = page.getByRole('article', { name: 'Page 2' });
  await expect(second.getByRole('link')).toHaveText(['cluster-root-ca.crt', 'd', 'e']);
  await expect(page.getByRole('region', { name: 'Now' }).getByRole('link', { name: 'ca', exact: true })).toBeVisible();

  await compact(page, 'pages');
  await goTo(page, '#/pages/watch/paging?ns=default');
  await page.getByRole('button', { name: 'Next page' }).click();
  await expect(page.getByRole('alert')).toContainText('410');
  await page.getByRole('button', { name: 'Go on without consistency' }).click();
  const third = page.getByRole('article', { name: 'Page 3' });
  await expect(third).toContainText('from a newer snapshot');
  await expect(third.getByRole('link')).toHaveText(['f', 'g', 'h']);
  await page.getByRole('button', { name: 'Read the first page' }).click();
  await expect(first.getByRole('link')).toHaveText(['a', 'b', 'c']);
});

test('an object’s history shows each kept revision and what it changed', async ({ page }) => {
  await open(page, 'past', 'explore/core/configmaps?ns=default');
  await make(page, ['settings']);
  await page.evaluate(
    async ([path]) => {
      const headers = { 'content-type': 'application/merge-patch+json' };
      const body = JSON.stringify({ data: { text: 'amber' } });
      await window.vitrine.fetch(`${path}/settings`, { method: 'PATCH', headers, body });
    },
    [configMaps] as const,
  );
  await goTo(page, '#/past/explore/core/configmaps?ns=default&sel=object:core/configmaps/default/settings&tab=history');
  const inspector = page.getByRole('complementary', { name: 'Object' });
  await expect(inspector.getByRole('button', { name: /@\d+ changed/ })).toHaveCount(1);
  await expect(inspector.getByRole('button', { name: /@\d+ created/ })).toHaveCount(1);
  await expect(inspector.locator('pre')).toContainText('amber');
});
