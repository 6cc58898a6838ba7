/** A page that shows the cluster of the server that it came from: `npm run serve -- --page`. */
import { expect, test, type Page } from '@playwright/test';
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { kubectlHere } from '../test/hosts/kubectlClient.ts';

if (!kubectlHere.has) console.warn(`${kubectlHere.why}: the served page is tested without it.`);

interface Server {
  readonly process: ChildProcess;
  readonly link: string;
  /** Everything that it printed until it was ready. */
  readonly said: string;
}

const servers: ChildProcess[] = [];
test.afterEach(async () => {
  await Promise.all(servers.splice(0).map(end));
});

function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return Promise.resolve();
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  server.kill('SIGINT');
  return ended;
}

const options = {
  ...{ name: 'served', naming: 'k8s.io', nodes: 2, apiserver: ['--authorization-mode=Node,RBAC'] },
  controllerManager: ['--use-service-account-credentials=true'],
};

/** Starts a server; resolves when it has printed where its page is. */
async function serve(config: string, ...args: readonly string[]): Promise<Server> {
  writeFileSync(config, JSON.stringify(options));
  const given = ['--port', '0', '--page-port', '0', '--config', config, ...args];
  const server = spawn('node', ['test/tools/run.mjs', 'src/hosts/node/main.ts', ...given]);
  servers.push(server);
  let said = '';
  return new Promise((resolve, reject) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString();
      const link = /http:\/\/127\.0\.0\.1:\d+\/#\S+/.exec(said)?.[0];
      if (link !== undefined) resolve({ process: server, link, said });
    };
    server.stdout.on('data', hear);
    server.stderr.on('data', hear);
    server.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${said}`)));
  });
}

const goTo = (page: Page, hash: string): Promise<void> => page.evaluate((to) => void (location.hash = to), hash);

test('pods that kubectl makes appear, and what is done in the page kubectl sees', async ({ page }, info) => {
  test.skip(!kubectlHere.has, kubectlHere.why);
  test.setTimeout(120_000);
  const file = info.outputPath('kubeconfig');
  const { link } = await serve(info.outputPath('config.json'), '--kubeconfig', file);
  const run = (...args: readonly string[]): string =>
    execFileSync(kubectlHere.program, ['--kubeconfig', file, ...args], { encoding: 'utf8', cwd: info.outputDir });
  await page.goto(link);
  await expect(page.getByRole('main', { name: 'Glass' })).toBeVisible({ timeout: 30_000 });
  expect(page.url()).not.toContain('key=');

  // The Glass shows what happens from when its trace has begun.
  let written = 0;
  await expect(async () => {
    run('create', 'configmap', `seen-${written++}`);
    await expect(page.getByText(/created ConfigMap default\/seen-/).first()).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 30_000 });
  run('create', 'deployment', 'web', '--image=nginx', '--replicas=2');
  await expect(page.getByText(/deployment controller created ReplicaSet/).first()).toBeVisible();
  await goTo(page, '#/served/explore/core/pods');
  const pods = page.getByRole('main').locator('tbody tr', { hasText: /web-/ });
  await expect(pods).toHaveCount(2);
  await expect(pods.filter({ hasText: 'Running' })).toHaveCount(2);

  await page.keyboard.press('Control+`');
  const shown = page.locator('.xterm-accessibility-tree');
  await expect(shown).toContainText('~ $', { timeout: 30_000 });
  await page.keyboard.type('kubectl scale deployment web --replicas=3\n');
  await expect(shown).toContainText('deployment.apps/web scaled');
  await expect(pods).toHaveCount(3);
  expect(run('get', 'deployment', 'web', '-o', 'jsonpath={.spec.replicas}')).toBe('3');
  await page.keyboard.type('kubectl exec deploy/web -- hostname\n');
  await expect(shown).toContainText(/hostname\s*web-\w+-\w+/);

  const refused = spawnSync(kubectlHere.program, ['--kubeconfig', file, '--as=jane', 'get', 'secrets'], {
    encoding: 'utf8',
  });
  expect(refused.stderr).toContain('Forbidden');
  await goTo(page, '#/served/requests');
  const row = page.getByRole('table', { name: 'Requests' }).locator('tbody tr', { hasText: 'jane' }).first();
  await expect(row).toContainText('403');
  await row.click();
  await expect(page.getByRole('complementary').filter({ hasText: 'Authorization' }).first()).toContainText(
    /jane.*cannot list|No role|no rule|refused/i,
  );
});

test('a page without the key is told what to do, and a reload keeps it', async ({ page, context }, info) => {
  const { link } = await serve(info.outputPath('config.json'));
  await page.goto(link.replace(/key=.*/, 'key=wrong'));
  await expect(page.getByText('this page has no key of the server')).toBeVisible();
  await page.goto(link);
  await expect(page.getByRole('main', { name: 'Glass' })).toBeVisible({ timeout: 30_000 });
  expect(page.url()).not.toContain('key=');
  await page.reload();
  await expect(page.getByRole('main', { name: 'Glass' })).toBeVisible({ timeout: 30_000 });
  const other = await context.newPage();
  await other.goto(new URL('/', link).href);
  await other.getByRole('region', { name: 'Served here' }).getByRole('button').click();
  await expect(other.getByText('this page has no key of the server')).toBeVisible();
});

test('an open page goes on after its server was started again from the same directory', async ({ page }, info) => {
  const directory = ['--data-dir', info.outputPath('data')];
  const { process: first, link } = await serve(info.outputPath('config.json'), ...directory);
  await page.goto(link);
  await expect(page.getByRole('main', { name: 'Glass' })).toBeVisible({ timeout: 30_000 });
  await goTo(page, '#/served/explore/core/nodes');
  await expect(page.getByRole('main').locator('tbody tr', { hasText: /node-/ })).toHaveCount(2, { timeout: 30_000 });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('snapshot');
  await expect(page.getByRole('option', { name: 'Keep a snapshot' })).toContainText('This cluster runs in a server');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Keep a snapshot' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await end(first);
  const away = page.getByText('The server of this cluster does not answer.');
  await expect(away).toBeVisible();
  await goTo(page, '#/served/access');
  await expect(page.getByRole('main', { name: 'Access' })).toContainText('does not answer');
  await expect(page.getByRole('banner')).not.toContainText('NaN');
  const port = new URL(link).port;
  await serve(info.outputPath('config.json'), ...directory, '--page-port', port);
  await expect(away).toHaveCount(0, { timeout: 15_000 });
  await goTo(page, '#/served/explore/core/namespaces');
  await expect(page.getByRole('main').locator('tbody tr', { hasText: 'kube-system' })).toHaveCount(1);
});
