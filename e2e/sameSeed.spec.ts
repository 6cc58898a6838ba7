/** The same seed and commands give the same bytes in the page too, with a clock that only commands move. */
import { expect, test, type Page } from '@playwright/test';
import { ask, boot, cluster } from './support.ts';

const LISTS = [
  ...['namespaces', 'serviceaccounts', 'secrets', 'configmaps', 'services', 'endpoints', 'nodes', 'pods', 'events'].map(
    (plural) => `/api/v1/${plural}`,
  ),
  ...['/apis/apps/v1/replicasets', '/apis/apps/v1/deployments'],
];
const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

const web = {
  metadata: { name: 'web' },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } },
  },
};

/** All objects as texts, after a deployment came up in a new page; a cluster that storage keeps begins empty. */
async function play(page: Page, storage: 'memory' | 'indexeddb'): Promise<readonly string[]> {
  const options = cluster('seeded', {
    ...({ seed: 7, nodes: 2, clock: 'manual', storage } as const),
    apiserver: ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'],
    controllerManager: ['--use-service-account-credentials=true'],
  });
  const base = await boot(page, options);
  const step = (ms: number): Promise<unknown> => page.evaluate((passed) => window.vitrine.clock.step(passed), ms);
  await step(5000);
  expect((await ask(page, base, DEPLOYMENTS, 'POST', web)).status).toBe(201);
  await step(30_000);
  const texts: string[] = [];
  for (const list of LISTS) {
    const { body } = await ask(page, base, list);
    const { items } = body as { items: readonly object[] };
    texts.push(...items.map((item) => `${list} ${JSON.stringify(item)}`));
  }
  return texts;
}

for (const storage of ['memory', 'indexeddb'] as const)
  test(`the same seed twice, ${storage === 'memory' ? 'in memory' : 'over IndexedDB'}`, async ({ page }) => {
    const first = await play(page, storage);
    await page.evaluate(() => window.vitrine.remove('seeded'));
    await page.goto('about:blank');
    const second = await play(page, storage);
    expect(first.filter((text) => text.includes('"phase":"Running"'))).toHaveLength(3);
    expect(second.filter((text) => !first.includes(text)).map((text) => text.slice(0, 400))).toEqual([]);
    expect(second).toHaveLength(first.length);
  });
