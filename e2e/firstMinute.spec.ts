/** A first visit: what the start page offers, opened with one press. */
import { expect, test, type Page } from '@playwright/test';

async function openScenario(page: Page, name: RegExp): Promise<void> {
  await page.goto('./');
  await page.getByRole('region', { name: 'Scenarios' }).getByRole('button', { name }).click();
  await expect(page.getByRole('region', { name: 'Try this' })).toBeVisible({ timeout: 30_000 });
}

const tryThis = (page: Page, name: string): Promise<void> =>
  page.getByRole('region', { name: 'Try this' }).getByRole('button', { name }).click();

const toStart = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: /^Cluster/ }).click();
  await page.getByRole('menuitem', { name: /Leave this cluster/ }).click();
};

test('a scenario leads to its answers, and a reset begins it again', async ({ page }) => {
  test.setTimeout(120_000);
  await openScenario(page, /Why was I refused/);
  await tryThis(page, 'Look at deployments as Dora');
  await expect(page.getByRole('alert')).toContainText('User "dora" cannot list resource "deployments"');
  await tryThis(page, 'Deploy as the pipeline');
  await expect(page.getByText('The account pipeline gave the deployment a new image.')).toBeVisible();

  await toStart(page);
  await page.getByRole('button', { name: 'More about refused' }).click();
  await page.getByRole('menuitem', { name: /Reset/ }).click();
  await page.getByRole('button', { name: 'Reset refused' }).click();
  await expect(page.getByRole('table', { name: 'pods' })).toContainText('api-', { timeout: 30_000 });

  // The same from within it: what was made since is gone, and the page goes on where the scenario begins.
  const made = (method: string, path: string, body?: object): Promise<number> =>
    page.evaluate(
      async ([verb, to, sent]) => {
        const headers = { 'content-type': 'application/json' };
        const more = sent ? { body: JSON.stringify(sent), headers } : {};
        return (await window.vitrine.fetch(to, { method: verb, ...more })).status;
      },
      [method, path, body] as const,
    );
  expect(await made('POST', '/api/v1/namespaces', { metadata: { name: 'made-since' } })).toBe(201);
  await page.getByRole('row', { name: /^api-/ }).first().click();
  const inspector = page.getByRole('complementary', { name: 'Object' });
  await expect(inspector).toBeVisible();
  await page.getByRole('button', { name: /^Cluster/ }).click();
  await page.getByRole('menuitem', { name: /^Reset/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reset refused' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('table', { name: 'pods' })).toContainText('api-', { timeout: 30_000 });
  expect(await made('GET', '/api/v1/namespaces/made-since')).toBe(404);
  await expect(inspector).toHaveCount(0);

  await toStart(page);
  await page.getByRole('button', { name: 'More about refused' }).click();
  await page.getByRole('menuitem', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Remove refused' }).click();
  await expect(page.getByRole('region', { name: 'Kept in this browser' })).toHaveCount(0);
});

test('manifests for other names and versions are converted in one press', async ({ page }) => {
  await page.goto('./');
  await page.getByRole('textbox', { name: 'Manifests' }).fill(`apiVersion: rbac.authorization.cluster.io/v1
kind: ClusterRole
metadata: { name: looker }
rules: []
---
apiVersion: batch/v1
kind: CronJob
metadata: { name: nightly }
spec:
  schedule: '0 3 * * *'
  timeZone: Europe/Berlin
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers: [{ name: main, image: busybox }]
`);
  await page.getByRole('button', { name: 'Open in a new cluster' }).click();
  const notice = page.getByRole('region', { name: 'Names and versions' });
  await expect(notice).toContainText('batch/v1 → batch/v1beta1 (CronJob)', { timeout: 45_000 });
  await notice.getByRole('button', { name: 'Convert' }).click();
  await expect(notice).toHaveCount(0);
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Results' }).getByText('created')).toHaveCount(2);
});

test('the palette finds an object by its name and what can be done with it, and a skip link leads to the content', async ({
  page,
}) => {
  await openScenario(page, /Why was I refused/);
  await expect(page.getByRole('table', { name: 'pods' })).toContainText('api-', { timeout: 30_000 });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find anything' }).fill('dora-reads');
  await expect(page.getByRole('option', { name: /dora-reads-pods/ }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: 'Object' })).toContainText('dora-reads-pods');

  // What can be done with it, too: what asks for more is asked in its inspector.
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Find anything' }).fill('scale api');
  await expect(page.getByRole('option', { name: /^Scale: api/ }).first()).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: /Scale/ })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.getByRole('link', { name: 'Skip to the content' }).focus();
  await page.keyboard.press('Enter');
  await expect(page.locator('main :focus, main:focus')).toHaveCount(1);
});
