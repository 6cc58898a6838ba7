/** What a person does with a pod: read its log, type into its shell, browse it, break it and mend it. */
import { expect, test, type Page } from '@playwright/test';
import { boot } from './support.ts';

const PODS = '/api/v1/namespaces/default/pods';
const token = { authorization: 'Bearer admintoken', 'content-type': 'application/json' };

const nginx = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', labels: { app: 'web' } },
  spec: {
    containers: [
      {
        name: 'nginx',
        image: 'nginx',
        ports: [{ containerPort: 80 }],
        readinessProbe: { httpGet: { path: '/', port: 80 }, periodSeconds: 1 },
      },
    ],
  },
};
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
};

async function create(page: Page, url: string, object: object): Promise<void> {
  const send = (): Promise<number> =>
    page.evaluate(
      async ([address, headers, body]) =>
        (await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })).status,
      [url, token, object] as const,
    );
  // The account of a new namespace takes a moment.
  await expect.poll(send).toBe(201);
}

/** How many addresses of the service are ready. */
const readyAddresses = (page: Page, base: string): Promise<number> =>
  page.evaluate(
    async ([url, headers]) => {
      const endpoints = (await (await fetch(url, { headers })).json()) as { subsets?: { addresses?: unknown[] }[] };
      return (endpoints.subsets ?? []).reduce((sum, { addresses = [] }) => sum + addresses.length, 0);
    },
    [`${base}/api/v1/namespaces/default/endpoints/web`, token] as const,
  );

async function act(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: label }).click();
}

test('a pod’s log, shell, pages and faults', async ({ page }) => {
  test.setTimeout(120_000);
  const base = await boot(page, {
    name: 'pods',
    naming: 'k8s.io',
    nodes: 1,
    storage: 'indexeddb',
    apiserver: ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'],
    controllerManager: ['--use-service-account-credentials=true'],
    files: { 'tokens.csv': 'admintoken,admin,uid-admin,"system:masters"\n' },
  });
  await create(page, base + PODS, nginx);
  await create(page, `${base}/api/v1/namespaces/default/services`, service);
  await page.evaluate(
    () => void (location.hash = '#/pods/explore/core/pods?sel=object:core/pods/default/web&tab=logs'),
  );
  const inspector = page.getByRole('complementary', { name: 'Object' });

  const log = inspector.getByRole('log', { name: 'Lines' });
  await expect(log).toContainText('"GET / HTTP/1.1" 200', { timeout: 30_000 });
  const before = Number(await log.getAttribute('data-rows'));
  await expect.poll(async () => Number(await log.getAttribute('data-rows'))).toBeGreaterThan(before);

  await act(page, 'Shell');
  const shell = page.getByRole('region', { name: 'Shell in web / nginx' });
  await expect(shell.locator('.xterm-rows')).toContainText('/ #', { timeout: 15_000 });
  const html = '<script>document.body.textContent = "ran"</script><a href="/missing?x=1">a link</a>';
  await page.keyboard.type(`echo '${html}' > /usr/share/nginx/html/links.html\n`);
  await page.keyboard.type('wget -qO- localhost; exit 3\n');
  await expect(shell.locator('.xterm-rows')).toContainText('Welcome to nginx!');
  await expect(shell.locator('.xterm-rows')).toContainText('ended with exit code 3');
  await expect(shell.getByRole('button', { name: 'Start again' })).toBeVisible();

  await act(page, 'Browse');
  const browser = page.getByRole('region', { name: 'Browser on web' });
  await expect(browser.frameLocator('iframe').getByRole('heading', { name: 'Welcome to nginx!' })).toBeVisible();
  await browser.getByRole('textbox', { name: 'Path' }).fill('/links.html');
  await browser.getByRole('button', { name: 'Go' }).click();
  await expect(browser.frameLocator('iframe').locator('body')).toHaveText('a link');
  await browser.getByRole('button', { name: 'a link' }).click();
  await expect(browser.getByText('404', { exact: true })).toBeVisible();
  await expect(browser.getByRole('textbox', { name: 'Path' })).toHaveValue('/missing?x=1');

  await inspector.getByRole('tab', { name: 'Files' }).click();
  await inspector.getByRole('button', { name: 'directory etc' }).click();
  await inspector.getByRole('button', { name: 'file hosts' }).click();
  await expect(inspector.getByRole('region', { name: '/etc/hosts' })).toContainText('localhost');

  await inspector.getByRole('tab', { name: 'Summary' }).click();
  await expect.poll(() => readyAddresses(page, base)).toBe(1);
  await act(page, 'Break things');
  await page.getByRole('button', { name: 'Break: Make it not ready', exact: true }).click();
  await page.keyboard.press('Escape');
  await expect(inspector.getByRole('region', { name: 'Broken on purpose' })).toContainText('Readiness: fail');
  await expect(page.getByRole('img', { name: 'Broken on purpose: Readiness: fail' })).toBeVisible();
  await expect.poll(() => readyAddresses(page, base), { timeout: 15_000 }).toBe(0);
  await inspector.getByRole('button', { name: 'Mend: Make it not ready' }).click();
  await expect(inspector.getByRole('region', { name: 'Broken on purpose' })).toHaveCount(0);
  await expect.poll(() => readyAddresses(page, base), { timeout: 15_000 }).toBe(1);
});
