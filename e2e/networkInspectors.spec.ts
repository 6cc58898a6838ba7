/** What objects of the network do, in words; flows that are paused, filtered and saved; what changed since a revision; the line that denies. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { ask, boot, cluster } from './support.ts';

const CORE = '/api/v1/namespaces/default';
const NETWORKING = '/apis/networking.cluster.io/v1';
const LOOP = 'while true; do wget -q -T 1 -O /dev/null http://web; sleep 1; done';

const pod = (name: string, container: object, labels: object = { app: name }): [string, object] => [
  `${CORE}/pods`,
  { metadata: { name, labels }, spec: { containers: [{ name: 'c', ...container }] } },
];

const objects: readonly [path: string, object: object][] = [
  pod('web', { image: 'nginx', ports: [{ containerPort: 80 }] }),
  pod('slow', { image: 'nginx', readinessProbe: { exec: { command: ['false'] } } }, { app: 'web' }),
  pod('client', { image: 'busybox', command: ['sh', '-c', LOOP] }),
  [`${CORE}/services`, { metadata: { name: 'web' }, spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } }],
  [
    `${NETWORKING}/namespaces/default/networkpolicies`,
    {
      metadata: { name: 'web' },
      spec: {
        podSelector: { matchLabels: { app: 'web' } },
        ingress: [{ from: [{ podSelector: { matchLabels: { app: 'client' } } }], ports: [{ port: 80 }] }],
      },
    },
  ],
  [`${NETWORKING}/ingressclasses`, { metadata: { name: 'simulated' }, spec: { controller: 'vitrine.dev/ingress' } }],
  [
    `${NETWORKING}/namespaces/default/ingresses`,
    {
      metadata: { name: 'shop' },
      spec: {
        ingressClassName: 'simulated',
        rules: [
          {
            host: 'shop.test',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 80 } } } }],
            },
          },
        ],
      },
    },
  ],
];

/** Opens a cluster with all of them in the Network room, once the pod `web` takes connections. */
async function openShop(page: Page, path: string): Promise<string> {
  const apiserver = ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'];
  const controllerManager = ['--use-service-account-credentials=true'];
  const base = await boot(page, cluster('words', { nodes: 1, apiserver, controllerManager, storage: 'indexeddb' }));
  // The namespace's service account comes a moment after the namespace.
  for (const [at, object] of objects)
    await expect.poll(async () => (await ask(page, base, at, 'POST', object)).status).toBe(201);
  const addresses = async (): Promise<number> => {
    const { body } = await ask(page, base, `${CORE}/endpoints/web`);
    return ((body['subsets'] ?? []) as { addresses?: unknown[] }[]).flatMap((each) => each.addresses ?? []).length;
  };
  await expect.poll(addresses, { timeout: 30_000 }).toBe(1);
  await goTo(page, path);
  return base;
}

const goTo = (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => void (location.hash = to), `#/words/network/${path}`);

const inspector = (page: Page): Locator => page.getByRole('complementary', { name: 'Object' });

test('policies, services, Ingresses and Endpoints say what they do', async ({ page }) => {
  await openShop(page, 'map?sel=object:networking.cluster.io/networkpolicies/default/web');
  const policy = inspector(page);
  await expect(policy.getByText('It restricts pods with app=web in namespace default.')).toBeVisible();
  await expect(policy.getByText('It allows only these incoming connections:')).toBeVisible();
  await expect(policy.getByText('pods with app=client of the same namespace')).toBeVisible();
  await expect(policy.getByText('TCP 80')).toBeVisible();
  await expect(policy.getByText('It leaves outgoing connections as they are.')).toBeVisible();

  await goTo(page, 'map?sel=object:core/services/default/web');
  const service = inspector(page);
  await expect(service.getByText('1 pod takes its connections.')).toBeVisible();
  await expect(service.getByText('It has the labels and is ready.')).toBeVisible();
  await expect(service.getByText('Not ready: c.')).toBeVisible();
  await service.getByText('1 other pod of the namespace, and why not').click();
  await expect(service.getByText('It lacks app=web.')).toBeVisible();

  await goTo(page, 'map?sel=object:networking.cluster.io/ingresses/default/shop');
  await expect(inspector(page).getByText('A controller serves it at 203.0.113.80.')).toBeVisible();
  await expect(inspector(page).getByText('shop.test/ …')).toBeVisible();

  await goTo(page, 'map?sel=object:core/endpoints/default/web');
  await expect(inspector(page).getByText(/^10\.\d+\.\d+\.\d+ \(not ready\) slow$/)).toBeVisible();
});

test('flows are paused, filtered and saved as lines of JSON', async ({ page }) => {
  await openShop(page, 'flows');
  const times = page.getByRole('row', { name: /web:80 TCP/ });
  await expect(times.first()).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: 'Pause' }).click();
  const shown = await times.count();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('flows.jsonl');
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  const flows = lines.map((line) => JSON.parse(line) as { asked: string; outcome: string; from: { pod?: string } });
  const mine = flows.filter(({ asked }) => asked === 'web');
  expect(mine).toHaveLength(shown);
  expect(mine[0]).toMatchObject({ topic: 'flow', port: 80, protocol: 'TCP', from: { pod: 'default/client' } });

  await page.getByRole('button', { name: 'Go on' }).click();
  await expect.poll(() => times.count()).toBeGreaterThan(shown);
  await page.getByPlaceholder('Name or app=web').fill('nobody');
  await expect(page.getByText('No connections yet')).toBeVisible();
});

test('what changed since a revision is told with the change that did it', async ({ page }) => {
  const base = await openShop(page, 'map');
  const revision = page.getByRole('textbox', { name: 'Revision' });
  await revision.pressSequentially('x1y');
  await expect(revision, 'no letters stay in it').toHaveValue('1');
  await page.getByRole('button', { name: 'From now on' }).click();
  await expect(page.getByText('The same pods reach each other now as then.')).toBeVisible();
  const deny = { metadata: { name: 'deny' }, spec: { podSelector: { matchLabels: { app: 'client' } } } };
  expect((await ask(page, base, `${NETWORKING}/namespaces/default/networkpolicies`, 'POST', deny)).status).toBe(201);
  await expect(page.getByText('2 connections closed, 0 opened.')).toBeVisible();
  await expect(page.getByText(/NetworkPolicy.*deny was created at revision \d+: closes 2, opens 0\./)).toBeVisible();
  await expect(page.getByText('default/web no longer reaches default/client.')).toBeVisible();
});

test('a packet that is denied leads to the line that would have to change', async ({ page }) => {
  await openShop(page, 'map?from=default/Pod/slow&to=web&toPort=TCP/80');
  const details = page.getByRole('complementary', { name: 'Details' });
  await expect(details.getByText(/is isolated for incoming traffic by default\/web/)).toBeVisible();
  await expect(details.getByText(/ingress rule 1: the pod’s labels do not match/)).toBeVisible();
  await details.getByRole('button', { name: 'Edit this line' }).click();
  await expect(page).toHaveURL(/sel=editor:networking\.cluster\.io\/networkpolicies\/default\/web/);
  await expect(page).toHaveURL(/field=spec\.ingress/);
});

test('the map shows what a name or a label finds', async ({ page }) => {
  await openShop(page, 'map');
  const node = (name: string): Locator => page.getByRole('button', { name: new RegExp(`^${name} ?Pod`) });
  await expect(node('web')).toBeVisible();
  await page.getByPlaceholder('Name or app=web').fill('app=client');
  await expect(node('web')).toBeHidden();
  await expect(node('client')).toBeVisible();
  const width = (): Promise<number> => node('client').evaluate((element) => element.getBoundingClientRect().width);
  // Who calls from outside is drawn as soon as a call is seen, and the map then takes less room for each: once it stays, sizes are the same again.
  await expect(async () => {
    await page.getByRole('button', { name: 'Fit' }).click();
    const before = await width();
    await page.getByRole('button', { name: 'Smaller' }).click();
    expect(await width()).toBeLessThan(before);
    await page.getByRole('button', { name: 'Fit' }).click();
    expect(await width()).toBeCloseTo(before);
  }).toPass();
});
