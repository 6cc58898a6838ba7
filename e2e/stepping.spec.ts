/** Time that is stepped in a cluster that the browser keeps: all that falls due happens, at its own moment. */
import { expect, test, type Page } from '@playwright/test';
import type { ClusterOptions } from '../src/cluster/index.ts';
import { ask, boot, cluster } from './support.ts';

const CRON_JOBS = '/apis/batch/v1beta1/namespaces/default/cronjobs';
const JOBS = '/apis/batch/v1/namespaces/default/jobs';
const MINUTE = 60_000;

/** A cluster that the browser keeps, whose nodes may register. */
const withNodes = (name: string): ClusterOptions =>
  cluster(name, {
    storage: 'indexeddb',
    nodes: 3,
    apiserver: ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'],
    controllerManager: ['--use-service-account-credentials=true'],
  });

interface Item {
  readonly metadata: { readonly name: string };
  readonly status?: {
    readonly succeeded?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

const items = async (page: Page, base: string, path: string): Promise<readonly Item[]> =>
  (await ask(page, base, path)).body.items as readonly Item[];

const step = (page: Page, ms: number): Promise<{ readonly now: number }> =>
  page.evaluate((by) => window.vitrine.clock.step(by), ms);

const everyMinute = {
  metadata: { name: 'tick' },
  spec: {
    schedule: '* * * * *',
    successfulJobsHistoryLimit: 100,
    jobTemplate: {
      spec: {
        template: {
          spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox', command: ['sleep', '1'] }] },
        },
      },
    },
  },
};

test('ten minutes stepped make ten jobs of a CronJob that runs every minute', async ({ page }) => {
  test.setTimeout(120_000);
  const base = await boot(page, withNodes('stepped'));
  const isReady = ({ status }: Item): boolean =>
    status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
  await expect.poll(async () => (await items(page, base, '/api/v1/nodes')).filter(isReady).length).toBe(3);
  const { now } = await page.evaluate(() => window.vitrine.clock.pause());
  // From half a minute past, ten full minutes come by.
  await step(page, MINUTE - ((now + MINUTE / 2) % MINUTE));
  expect((await ask(page, base, CRON_JOBS, 'POST', everyMinute)).status).toBe(201);

  await step(page, 10 * MINUTE);
  const jobs = await items(page, base, JOBS);
  expect(jobs.map(({ status }) => status?.succeeded)).toEqual(Array(10).fill(1));
  expect((await items(page, base, '/api/v1/nodes')).filter(isReady)).toHaveLength(3);
});

test('a step can be stopped, and its moment survives a reload', async ({ page }) => {
  const base = await boot(page, withNodes('stopped'));
  const { now } = await page.evaluate(() => window.vitrine.clock.pause());
  // A job every minute keeps a month from being over at once.
  expect((await ask(page, base, CRON_JOBS, 'POST', everyMinute)).status).toBe(201);
  const stepped = step(page, 30 * 24 * 60 * MINUTE);
  await expect
    .poll(() => page.evaluate(() => window.vitrine.clock.state().then(({ now: at }) => at)))
    .toBeGreaterThan(now);
  await page.evaluate(() => window.vitrine.clock.stopStep());
  const { now: reached } = await stepped;
  expect(reached).toBeGreaterThan(now);
  expect(reached).toBeLessThan(now + 30 * 24 * 60 * MINUTE);
  await page.reload();
  await boot(page, withNodes('stopped'));
  expect(await page.evaluate(() => window.vitrine.clock.state())).toMatchObject({ now: reached, paused: true });
  expect((await ask(page, base, '/api/v1/nodes')).status).toBe(200);
});
