/** Parts of the worker's script: fetched when they are first used, and again where they could not be had. */
import { expect, test, type Page } from '@playwright/test';
import { ask, bootHere, cluster, serveBuild } from './support.ts';

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
  },
};

const definition = {
  apiVersion: 'apiextensions.cluster.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'lamps.shop.example' },
  spec: {
    group: 'shop.example',
    scope: 'Namespaced',
    names: { plural: 'lamps', kind: 'Lamp' },
    versions: [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties: {} } } },
    ],
  },
};

/** A cluster whose controllers and nodes may do their work. */
const working = (name: string): ReturnType<typeof cluster> =>
  cluster(name, {
    nodes: 2,
    storage: 'memory',
    apiserver: ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'],
    controllerManager: ['--use-service-account-credentials=true'],
  });

const deployments = '/apis/apps/v1/namespaces/default/deployments';

/** How many pods run. */
async function running(page: Page, base: string): Promise<number> {
  const { body } = await ask(page, base, '/api/v1/namespaces/default/pods');
  const pods = body['items'] as readonly { readonly status: { readonly phase?: string } }[];
  return pods.filter(({ status }) => status.phase === 'Running').length;
}

test('what a cluster is asked for the first time works, whatever has to be fetched for it', async ({ page }) => {
  const files: string[] = [];
  page.on('response', (response) => files.push(new URL(response.url()).pathname));
  await page.goto('./');
  const base = await bootHere(page, working('parts'));
  const before = files.length;
  expect((await ask(page, base, deployments, 'POST', deployment)).status).toBe(201);
  await expect.poll(() => running(page, base), { timeout: 30_000 }).toBe(2);
  const definitions = '/apis/apiextensions.cluster.io/v1/customresourcedefinitions';
  expect((await ask(page, base, definitions, 'POST', definition)).status).toBe(201);
  const lamps = '/apis/shop.example/v1/namespaces/default/lamps';
  await expect.poll(async () => (await ask(page, base, lamps)).status).toBe(200);
  const lamp = { apiVersion: 'shop.example/v1', kind: 'Lamp', metadata: { name: 'a' } };
  expect((await ask(page, base, lamps, 'POST', lamp)).status).toBe(201);
  expect((await ask(page, base, '/openapi/v2')).body['swagger']).toBe('2.0');
  expect((await ask(page, base, `${deployments}/web/scale`)).status).toBe(200);
  console.log(`fetched by use: ${files.slice(before).filter((file) => file.includes('/assets/')).length} files`);
});

test('a part that can’t be had fails the request that needs it, and the next one tries again', async ({ page }) => {
  let reachable = false;
  const { port, close } = await serveBuild('/', (file) => !reachable && /\/workloads-/.test(file));
  try {
    await page.goto(`http://127.0.0.1:${port}/`);
    const base = await bootHere(page, working('broken'));
    const refused = await ask(page, base, deployments, 'POST', deployment);
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({
      kind: 'Status',
      reason: 'ServiceUnavailable',
      details: { retryAfterSeconds: 1 },
    });
    expect((await ask(page, base, deployments)).body['items']).toEqual([]);
    reachable = true;
    expect((await ask(page, base, deployments, 'POST', deployment)).status).toBe(201);
    await expect.poll(() => running(page, base), { timeout: 30_000 }).toBe(2);
  } finally {
    await close();
  }
});
