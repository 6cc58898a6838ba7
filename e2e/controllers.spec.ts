/** Controllers as a person steers them: one is paused and reconciles by hand, and two writers who fight are named. */
import { expect, test, type Page } from '@playwright/test';
import { ask, boot, cluster, configMap, configMaps, picture } from './support.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const sets = '/apis/apps/v1/namespaces/default/replicasets';
const pods = '/api/v1/namespaces/default/pods';

async function open(page: Page, name: string): Promise<string> {
  const files = {
    'tokens.csv': 'admintoken,admin,uid-admin,"system:masters"\nothertoken,other,uid-other,"system:masters"\n',
  };
  const controllerManager = ['--use-service-account-credentials=true'];
  const base = await boot(page, cluster(name, { controllerManager, files, storage: 'indexeddb' }));
  await page.evaluate((hash) => void (location.hash = hash), `#/${name}/controllers`);
  await expect(page.getByRole('navigation', { name: 'Controllers' })).toBeVisible();
  return base;
}

const web = {
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
  },
};

const count = async (page: Page, base: string, path: string): Promise<number> =>
  ((await ask(page, base, path)).body['items'] as readonly unknown[]).length;

test('a controller is paused, and its next reconcile is run by hand', async ({ page }) => {
  const base = await open(page, 'steered');
  // Every controller is loaded with the first object that concerns it.
  await expect.poll(async () => (await ask(page, base, deployments, 'POST', web)).status).toBe(201);
  await expect.poll(() => count(page, base, pods)).toBe(2);
  await page
    .getByRole('navigation', { name: 'Controllers' })
    .getByRole('link', { name: /^replicaset/ })
    .click();
  await page.getByRole('button', { name: 'Pause' }).click();
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();

  const more = { ...web, metadata: { name: 'more' } };
  expect((await ask(page, base, deployments, 'POST', more)).status).toBe(201);
  await expect.poll(() => count(page, base, sets)).toBe(2);
  const next = page.getByRole('button', { name: 'Reconcile next' });
  await expect(next).not.toHaveAttribute('aria-disabled', 'true');
  await picture(page, 'paused controller');
  expect(await count(page, base, pods)).toBe(2);

  // Keys of other objects may wait in front.
  await expect(async () => {
    if (await next.isEnabled()) await next.click();
    expect(await count(page, base, pods)).toBe(4);
  }).toPass();
  await expect(page.getByText('2 steps planned').or(page.getByText('1 step planned')).first()).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
});

test('two writers who take a field back from each other are named, with the field and both values', async ({
  page,
}) => {
  const base = await open(page, 'fought');
  expect((await ask(page, base, configMaps, 'POST', configMap('shared', { color: 'red' }))).status).toBe(201);
  for (const [token, color] of Array.from({ length: 6 }, (_, i) =>
    i % 2 ? ['admintoken', 'red'] : ['othertoken', 'blue'],
  ))
    await page.evaluate(
      async ([url, bearer, body]) => {
        const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/merge-patch+json' };
        await fetch(url, { method: 'PATCH', headers, body });
      },
      [`${base}${configMaps}/shared`, token ?? '', JSON.stringify({ data: { color } })] as const,
    );
  const fight = page.getByRole('listitem').filter({ hasText: 'data.color of configmaps/default/shared' });
  await expect(fight).toContainText(/(admin and other|other and admin) keep overwriting each other/);
  await expect(fight).toContainText('"red"');
  await expect(fight).toContainText('"blue"');
});
