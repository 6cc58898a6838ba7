/** Scheduling as a person learns it: why a pod waits, what would help, and that it does. */
import { expect, test, type Page } from '@playwright/test';
import type { ClusterOptions } from '../src/cluster/index.ts';
import { ask, boot, cluster, picture } from './support.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const pods = '/api/v1/namespaces/default/pods';

const web = {
  metadata: { name: 'web' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '9' } } }] },
    },
  },
};

async function open(page: Page, more: Partial<ClusterOptions> = {}): Promise<string> {
  const apiserver = ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'];
  const controllerManager = ['--use-service-account-credentials=true'];
  const base = await boot(
    page,
    cluster('place', { nodes: 2, apiserver, controllerManager, storage: 'indexeddb', ...more }),
  );
  await expect.poll(async () => (await ask(page, base, deployments, 'POST', web)).status).toBe(201);
  await page.evaluate(() => {
    location.hash = '#/place/scheduling';
  });
  return base;
}

test('a pod that waits is understood, a remedy is tried, applied, and the pod runs', async ({ page }) => {
  const base = await open(page);
  const queue = page.getByRole('complementary', { name: 'Scheduling queue' });
  await queue.getByRole('link', { name: /default\/web-/ }).click();
  await expect(page.getByText(/fits on none of 2 nodes/)).toBeVisible();
  await expect(page.getByRole('list', { name: 'Why nodes were refused' })).toContainText('Insufficient cpu');
  await picture(page, 'pending');

  const { metadata: then } = (await ask(page, base, pods)).body;

  await page.getByRole('button', { name: 'node-1' }).click();
  await expect(page.getByRole('list', { name: 'What every filter says of node-1' })).toContainText('NodeResourcesFit');

  await page.getByRole('button', { name: /Try: Request \d+m CPU or less/ }).click();
  const whatIf = page.getByRole('complementary', { name: 'What if' });
  await expect(whatIf.getByText(/It would go to node-/)).toBeVisible();
  await picture(page, 'what if');
  await whatIf.getByRole('button', { name: 'Change the template' }).click();
  const running = async () =>
    ((await ask(page, base, pods)).body as { items?: { status?: { phase?: string } }[] }).items?.filter(
      ({ status }) => status?.phase === 'Running',
    ).length;
  await expect.poll(running).toBe(1);

  // The revision from before shows the queue and the decision as they were.
  await page.evaluate((at) => void (location.hash = `#/place/scheduling?at=${at}`), then?.resourceVersion);
  await queue.getByRole('link', { name: /default\/web-/ }).click();
  await expect(page.getByText('Everything is shown as it was')).toBeVisible();
  await expect(page.getByText(/fits on none of 2 nodes/)).toBeVisible();
});

test('what if shows which node would win under other rules', async ({ page }) => {
  const base = await open(page);
  const low = { metadata: { name: 'low' }, spec: { containers: [{ name: 'c', image: 'nginx' }], nodeName: 'node-1' } };
  await expect.poll(async () => (await ask(page, base, pods, 'POST', low)).status).toBe(201);
  await page.evaluate(() => void (location.hash = '#/place/scheduling/pod/default/low'));
  const whatIf = page.getByRole('complementary', { name: 'What if' });
  await whatIf.getByLabel('Begin with a rule').selectOption('Only in some zones');
  await expect(whatIf.getByText(/It would fit nowhere, instead of on node-/)).toBeVisible();
  await expect(whatIf.getByLabel('Affinity and spreading')).toHaveValue(/nodeAffinity/);
  await whatIf.getByLabel('Affinity and spreading').fill('affinity: [');
  await expect(whatIf.getByText(/Flow sequence/)).toBeVisible();
  await whatIf.getByRole('button', { name: 'Start over' }).click();
  await whatIf.getByLabel('Requests CPU').fill('64');
  await expect(whatIf.getByText(/^At 4 it goes to node-/)).toBeVisible();
  await picture(page, 'rules');
});

test('an extender that is written in the page has its say, in the scheduler and in what if', async ({ page }) => {
  const base = await open(page);
  const label = async (): Promise<number> => {
    const { body } = await ask(page, base, '/api/v1/nodes/node-1');
    const metadata = body.metadata as { labels?: object } | undefined;
    const labels = { ...metadata?.labels, power: 'coal' };
    return (await ask(page, base, '/api/v1/nodes/node-1', 'PUT', { ...body, metadata: { ...metadata, labels } }))
      .status;
  };
  await expect.poll(label).toBe(200);
  await page.evaluate(() => void (location.hash = '#/place/webhooks'));
  await page.getByRole('button', { name: 'Write a webhook' }).first().click();
  await page.getByRole('menuitem', { name: /Take part in scheduling/ }).click();
  await page.getByRole('button', { name: 'Restart with these flags' }).click();
  await expect(page.getByText('The scheduler asks it by')).toBeVisible();
  const small = { metadata: { name: 'small' }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
  await expect.poll(async () => (await ask(page, base, pods, 'POST', small)).status, { timeout: 30_000 }).toBe(201);
  const placed = async () =>
    ((await ask(page, base, `${pods}/small`)).body as { spec?: { nodeName?: string } }).spec?.nodeName;
  await expect.poll(placed, { timeout: 30_000 }).toBe('node-2');
  await page.evaluate(() => void (location.hash = '#/place/scheduling/pod/default/small'));
  await expect(page.getByText(/default\/small goes to node-2: it fits on no other of 2 nodes/)).toBeVisible();
  await expect(page.getByRole('list', { name: 'Why nodes were refused' })).toContainText(
    'the node burns coal on node-1 (green-nodes.default.svc)',
  );
  await picture(page, 'extender');
});

test('a drain is rehearsed from a node’s tile', async ({ page }) => {
  await open(page);
  await page.getByRole('link', { name: 'Drain?' }).first().click();
  await expect(page.getByText('node-1 has no pods: it could go at once.')).toBeVisible();
});

test('a list says that the scheduler, which is paused, is behind, and what leads to where it goes on', async ({
  page,
}) => {
  await open(page, { schedulerPaused: true });
  await page.evaluate(() => {
    location.hash = '#/place/explore/core/pods';
  });
  await page.getByRole('link', { name: 'behind by 1' }).click();
  await page
    .getByRole('navigation', { name: 'Controllers' })
    .getByRole('link', { name: /^scheduler/ })
    .click();
  await expect(page.getByText('paused, 1 waiting')).toBeVisible();
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByText('paused, 1 waiting')).toBeHidden();
  await page.evaluate(() => {
    location.hash = '#/place/explore/core/pods';
  });
  await expect(page.getByRole('link', { name: 'behind by 1' })).toBeHidden();
});
