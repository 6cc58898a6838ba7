/** Journeys through the Lifecycle room and the cluster's time: a stuck namespace, a roll-out, a moment of the past. */
import { expect, test, type Page } from '@playwright/test';
import { ask, boot, cluster, configMap, picture } from './support.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';

async function open(page: Page, name: string, nodes = 1): Promise<string> {
  const apiserver = ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'];
  const controllerManager = ['--use-service-account-credentials=true'];
  return boot(page, cluster(name, { nodes, apiserver, controllerManager, storage: 'indexeddb' }));
}

const visit = (page: Page, address: string): Promise<void> =>
  page.evaluate((hash) => {
    location.hash = hash;
  }, address);

test('a namespace that a finalizer holds is understood and freed', async ({ page }) => {
  const base = await open(page, 'stuck', 0);
  await ask(page, base, '/api/v1/namespaces', 'POST', { metadata: { name: 'old' } });
  const held = { metadata: { name: 'm', finalizers: ['example.com/hold'] } };
  expect((await ask(page, base, '/api/v1/namespaces/old/configmaps', 'POST', held)).status).toBe(201);
  await visit(page, '#/stuck/lifecycle/deleting?obj=core/namespaces/-/old');
  await expect(page.getByText(/1 object will wait for a finalizer|2 objects will wait for a finalizer/)).toBeVisible();

  await ask(page, base, '/api/v1/namespaces/old', 'DELETE');
  const hold = page.getByRole('region', { name: 'NamespaceFinalizersRemaining' });
  await expect(hold.getByText('example.com/hold', { exact: true })).toBeVisible({ timeout: 30_000 });
  await picture(page, 'stuck namespace');
  await hold.getByRole('button', { name: 'Remove by hand' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect
    .poll(async () => (await ask(page, base, '/api/v1/namespaces/old')).status, { timeout: 60_000 })
    .toBe(404);
});

const template = (image: string): object => ({
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image }] },
});

test('a roll-out is watched, stopped and undone', async ({ page }) => {
  const base = await open(page, 'shop');
  const spec = { replicas: 2, selector: { matchLabels: { app: 'web' } }, template: template('nginx:1.18') };
  const web = { metadata: { name: 'web' }, spec };
  expect((await ask(page, base, deployments, 'POST', web)).status).toBe(201);
  await visit(page, '#/shop/lifecycle/rollout?obj=apps/deployments/default/web');
  await expect(page.getByText('revision 1: 2 ready now')).toBeVisible({ timeout: 60_000 });

  await page.getByRole('button', { name: 'Pause roll-out' }).click();
  await expect(page.getByRole('button', { name: 'Resume roll-out' })).toBeVisible();
  const { body } = await ask(page, base, `${deployments}/web`);
  await ask(page, base, `${deployments}/web`, 'PUT', {
    ...body,
    spec: { ...(body['spec'] as object), template: template('nginx:1.19') },
  });
  await page.getByRole('button', { name: 'Resume roll-out' }).click();
  await expect(page.getByText('revision 2: 2 ready now')).toBeVisible({ timeout: 60_000 });

  await picture(page, 'roll-out');
  await page.getByRole('button', { name: 'Go back to 1' }).click();
  await expect(page.getByRole('dialog').getByText('nginx:1.18')).toBeVisible();
  await picture(page, 'go back');
  await page.getByRole('button', { name: 'Go back', exact: true }).click();
  await expect(page.getByText('revision 3: 2 ready now')).toBeVisible({ timeout: 60_000 });
});

test('a revision is opened, read-only, and forked', async ({ page }) => {
  const base = await open(page, 'first', 0);
  // What the Glass shows of the past is what it recorded while it was open.
  await visit(page, '#/first/glass');
  await expect(page.getByText('Live', { exact: true })).toBeVisible();
  await ask(page, base, '/api/v1/namespaces', 'POST', { metadata: { name: 'before' } });
  const account = '/api/v1/namespaces/before/serviceaccounts/default';
  await expect.poll(async () => (await ask(page, base, account)).status).toBe(200);
  const maps = '/api/v1/namespaces/default/configmaps';
  const made = await ask(page, base, maps, 'POST', configMap('kept'));
  const revision = made.body.metadata?.resourceVersion ?? '';
  await ask(page, base, `${maps}/kept`, 'DELETE');
  await visit(page, `#/first/explore/core/configmaps?ns=default&at=${revision}`);
  await expect(page.getByText('Everything is shown as it was')).toBeVisible();
  await expect(page.getByRole('row', { name: /kept/ })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Create', exact: true })).toBeDisabled();
  await picture(page, 'past');
  await page.getByRole('button', { name: 'What happened next' }).click();
  await expect(page.getByRole('button', { name: /deleted configmaps\/default\/kept/ })).toBeVisible();
  await page.keyboard.press('Escape');

  await visit(page, `#/first/glass?at=${revision}`);
  const log = page.getByRole('log');
  await expect(page.getByText(`Revision ${revision}`, { exact: true })).toHaveCount(2);
  await expect(log.getByText('controller created ServiceAccount before/default')).toBeVisible();
  await expect(log.getByText('deleted ConfigMap default/kept')).toHaveCount(0);
  await picture(page, 'past Glass');
  // It can be played on from there, to the answer of the request that made the revision and to what came next.
  await page.getByRole('button', { name: 'Play', exact: true }).click();
  await expect(log.getByText('created ConfigMap default/kept')).toBeVisible();
  await expect(log.getByText('deleted ConfigMap default/kept')).toBeVisible();

  await page.getByRole('button', { name: 'Fork', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('second');
  await page.getByRole('dialog').getByRole('button', { name: 'Fork' }).click();
  await expect(page).toHaveURL(/#\/second\//, { timeout: 30_000 });
  await visit(page, '#/second/explore/core/configmaps?ns=default');
  await expect(page.getByRole('row', { name: /kept/ })).toBeVisible({ timeout: 30_000 });
});

/** A signing request for `CN=someone`, in PEM and base64. */
const CSR = [
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlITk1IUUNBUUF3RWpFUU1BNEdBMVVFQXd3SGMyOXRaVzl1WlRCWk1CTUdCeX',
  'FHU000OUFnRUdDQ3FHU000OQpBd0VIQTBJQUJQUHlROHZTRnNUNXo3djJpdzVLUGVzSVJuTzRkTzN1Q3FsVGY1SU5yTVRQbktrRUdWWVFFVUkz',
  'ClB3Z1dtbmpsZWU3VU4vV0hKeTM4UFhrZVpEU2toQUdnQURBS0JnZ3Foa2pPUFFRREFnTkpBREJHQWlFQW1JSUoKMGgzUmdaMmdQcWlUZXhBUC',
  't5Uy9aWmFkamVpVmpQbWdqc2JqYU9NQ0lRQzN0QkZRbm5OdzN6MkVIVUkrWjIrZwo3cFdUTXY4REtGdEI0enhGUGxiR2FnPT0KLS0tLS1FTkQg',
  'Q0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==',
].join('');

test('an hour goes by, and a signing request that was denied is gone', async ({ page }) => {
  const base = await open(page, 'later', 0);
  const requests = '/apis/certificates.cluster.io/v1/certificatesigningrequests';
  const spec = { request: CSR, signerName: 'cluster.io/kube-apiserver-client', usages: ['client auth'] };
  const made = await ask(page, base, requests, 'POST', { metadata: { name: 'asked' }, spec });
  expect(made.status).toBe(201);
  const denied = { conditions: [{ type: 'Denied', status: 'True', reason: 'Test', message: 'no' }] };
  await ask(page, base, `${requests}/asked/approval`, 'PUT', { ...made.body, status: denied });
  await visit(page, '#/later/explore');
  await page.getByRole('button', { name: /^Time/ }).click();
  await expect(page.getByText(/^Next: /)).toBeVisible();
  await picture(page, 'time');
  await page.getByRole('button', { name: '1 h', exact: true }).click();
  await page.getByRole('button', { name: '10 min', exact: true }).click();
  await expect.poll(async () => (await ask(page, base, `${requests}/asked`)).status, { timeout: 60_000 }).toBe(404);
});
