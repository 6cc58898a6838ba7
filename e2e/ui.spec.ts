/** What a person does with the page: create, write, apply, look, scale, delete, reload, ask as somebody else. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { administrator, ask, boot, bootHere, cluster, createByForm, picture } from './support.ts';

/** Goes to a place of the page by its address, as a link does. */
const goTo = (page: Page, hash: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

/** Opens the editor and pastes a text in the place of what is there. */
async function write(page: Page, text: string): Promise<void> {
  const editor = page.locator('.monaco-editor').first();
  if (!page.url().includes('sel=editor')) await page.getByRole('button', { name: 'Write YAML' }).click();
  await editor.locator('.view-line').first().click({ timeout: 30_000 });
  await page.keyboard.press('ControlOrMeta+a');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text);
  await page.keyboard.press('ControlOrMeta+v');
}

const apply = (page: Page): Promise<void> => page.getByRole('button', { name: 'Apply', exact: true }).click();
const results = (page: Page): Locator => page.getByRole('list', { name: 'Results' });
const rows = (page: Page, table: string): Locator =>
  page.getByRole('table', { name: table }).locator('tbody tr[tabindex="0"]');

const deployment = (replicas: number): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: ${replicas}
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers: [{name: web, image: 'nginx:1.19'}]
`;

const settings = `---
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  colour: teal
`;

/** What the summary says under a name. */
const fact = (page: Page, name: string): Promise<string> =>
  page
    .getByRole('region', { name: 'Metadata' })
    .locator('dt', { hasText: name })
    .first()
    .locator('xpath=following-sibling::dd')
    .innerText();

async function identityOf(page: Page, hash: string): Promise<readonly string[]> {
  await goTo(page, hash);
  await expect(page.getByRole('region', { name: 'Metadata' })).toBeVisible();
  return [await fact(page, 'UID'), await fact(page, 'Revision')];
}

/** The Deployment's pods; the cluster has a name server of its own besides. */
const webPods = (page: Page): Locator => rows(page, 'pods').filter({ hasText: 'web-' });

test('a deployment is typed, applied, seen to run, scaled, deleted; a reload finds everything as it was', async ({
  page,
}) => {
  await createByForm(page, 'walk');
  await write(page, deployment(3) + settings);
  await apply(page);
  await expect(results(page).getByText('created')).toHaveCount(2);
  await expect(webPods(page).filter({ hasText: 'Running' })).toHaveCount(3);

  await goTo(page, '#/walk/explore/core/pods?sel=object:apps/deployments/default/web');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(page.locator('.view-lines')).toContainText('kind: Deployment');
  await write(page, deployment(5));
  await apply(page);
  await expect(results(page).getByText('changed')).toHaveCount(1);
  await expect(webPods(page).filter({ hasText: 'Running' })).toHaveCount(5);

  await goTo(page, '#/walk/explore/core/pods?sel=object:apps/deployments/default/web');
  await page.getByRole('button', { name: 'Actions' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(webPods(page)).toHaveCount(0, { timeout: 45_000 });

  const address = '#/walk/explore/core/configmaps?sel=object:core/configmaps/default/settings';
  const before = await identityOf(page, address);
  await page.reload();
  await expect(page.getByRole('region', { name: 'Metadata' })).toBeVisible({ timeout: 30_000 });
  expect(await identityOf(page, address)).toEqual(before);
  await goTo(page, '#/walk/explore/apps/replicasets');
  await expect(rows(page, 'replicasets').filter({ hasText: 'coredns-' })).toHaveCount(1);
  await expect(rows(page, 'replicasets')).toHaveCount(1);
});

interface Listed {
  readonly items: readonly {
    readonly metadata: { readonly uid: string; readonly resourceVersion: string };
    readonly status: { readonly phase?: string };
  }[];
}

test('the same by plain fetch from the page’s console', async ({ page }) => {
  const options = cluster('console', {
    nodes: 2,
    apiserver: ['--authorization-mode=Node,RBAC', '--token-auth-file=tokens.csv'],
    controllerManager: ['--use-service-account-credentials=true'],
  });
  const base = await boot(page, options);
  const deployments = '/apis/apps/v1/namespaces/default/deployments';
  const pods = '/api/v1/namespaces/default/pods';
  const list = async (path: string): Promise<Listed['items']> =>
    ((await ask(page, base, path)).body as unknown as Listed).items;
  const running = async (): Promise<number> =>
    (await list(pods)).filter((pod) => pod.status.phase === 'Running').length;
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'nginx:1.19' }] },
  };
  const spec = { replicas: 3, selector: { matchLabels: { app: 'web' } }, template };
  const object = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec };

  expect((await ask(page, base, deployments, 'POST', object)).status).toBe(201);
  await expect.poll(running, { timeout: 30_000 }).toBe(3);
  const scale = {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas: 5 },
  };
  expect((await ask(page, base, `${deployments}/web/scale`, 'PUT', scale)).status).toBe(200);
  await expect.poll(running, { timeout: 30_000 }).toBe(5);
  expect((await ask(page, base, `${deployments}/web`, 'DELETE')).status).toBe(200);
  await expect.poll(async () => (await list(pods)).length, { timeout: 45_000 }).toBe(0);

  const accounts = async (): Promise<unknown> =>
    (await list('/api/v1/serviceaccounts')).map(({ metadata }) => [metadata.uid, metadata.resourceVersion]);
  const before = await accounts();
  await page.reload();
  expect(await bootHere(page, options)).toBe(base);
  expect(await accounts()).toEqual(before);
  expect(
    await page.evaluate(async ([url, headers]) => (await fetch(url, { headers })).status, [
      `${base}/healthz`,
      administrator,
    ] as const),
  ).toBe(200);
});

test('errors of form and of the server are shown at their lines, and lead there', async ({ page }) => {
  await createByForm(page, 'errors');
  await write(page, 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  name: b\n');
  await expect(results(page)).toContainText('line 5');
  await expect(page.getByRole('button', { name: 'Apply', exact: true })).toHaveAttribute('aria-disabled', 'true');

  await write(page, deployment(3).replace('replicas: 3', 'replicas: -1'));
  await apply(page);
  await expect(results(page)).toContainText('422');
  await expect(results(page)).toContainText('line 6');
  await expect(page.locator('.squiggly-error').first()).toBeVisible();
  await results(page)
    .getByRole('button', { name: /line 6/ })
    .click();
  await expect(page.locator('.line-numbers.active-line-number')).toHaveText('6');
});

test('a dry run shows what would change, and changes nothing', async ({ page }) => {
  await createByForm(page, 'dry');
  await write(page, settings);
  await page.getByRole('button', { name: 'Dry run' }).click();
  await expect(results(page)).toContainText('would be created');
  await goTo(page, '#/dry/explore/core/configmaps?ns=default&sel=editor:new');
  await expect(rows(page, 'configmaps').filter({ hasText: 'settings' })).toHaveCount(0);
  await apply(page);
  await expect(rows(page, 'configmaps').filter({ hasText: 'settings' })).toHaveCount(1);
  await write(page, settings.replace('teal', 'amber'));
  await page.getByRole('button', { name: 'Dry run' }).click();
  await expect(results(page).locator('pre')).toContainText('colour: amber');
});

test('a watch shows each event, can be dropped, and goes on from its revision', async ({ page }) => {
  await createByForm(page, 'watching');
  await goTo(page, '#/watching/watch');
  await page.getByRole('button', { name: 'Pod', exact: true }).click();
  await page.getByRole('combobox', { name: 'Resource type' }).fill('configmap');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Open watch' }).click();
  const column = page.getByRole('region', { name: 'configmaps' });
  await expect(column.getByText('open', { exact: true })).toBeVisible();
  const put = async (text: string): Promise<void> => {
    await goTo(page, '#/watching/watch?sel=editor:new');
    await write(page, text);
    await apply(page);
    await expect(results(page)).toContainText(/created|changed/);
  };
  await put(settings);
  await expect(column.getByText('ADDED')).not.toHaveCount(0);
  await expect(column.getByRole('link', { name: 'settings' })).toHaveCount(1);
  await column.getByRole('button', { name: 'Drop' }).click();
  await put(settings.replace('teal', 'amber'));
  await expect(column.getByText('MODIFIED')).toHaveCount(0);
  await column.getByRole('button', { name: /Resume/ }).click();
  await expect(column.getByText('MODIFIED')).toHaveCount(1);
  await column.getByRole('button', { name: 'Show the object' }).last().click();
  await expect(column.locator('pre')).toContainText('colour: amber');
});

/** Creates a pod by the page's own way; the code of the answer. */
const makePod = (page: Page, name: string): Promise<number> =>
  page.evaluate(async (called) => {
    const body = JSON.stringify({ metadata: { name: called }, spec: { containers: [{ name: 'c', image: 'nginx' }] } });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    return (await window.vitrine.fetch('/api/v1/namespaces/default/pods', init)).status;
  }, name);

test('whom the page acts as decides what it may see; a refusal comes with its proof', async ({ page }) => {
  await createByForm(page, 'asking');
  await expect.poll(() => makePod(page, 'seen')).toBe(201);
  await page.getByRole('button', { name: /^As:/ }).click();
  await page.getByRole('combobox', { name: /Act as/ }).fill('jane dev');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('User "jane" cannot list resource "pods"');
  await expect(page.getByRole('region', { name: 'Why' })).toContainText(
    'subject is Group system:masters, not User jane',
  );
  await picture(page, 'refused');
  // The first change lets jane list, which shows the rows; the watch that follows is refused by itself.
  await page.getByRole('button', { name: 'Apply as administrator' }).first().click();
  const unwatched = page.getByText('You may list pods, but not watch them');
  await expect(unwatched).toBeVisible();
  await expect(rows(page, 'pods').filter({ hasText: 'seen' })).toBeVisible();
  await unwatched.click();
  await picture(page, 'may list but not watch');
  await page.getByRole('button', { name: 'Apply as administrator' }).first().click();
  await expect(unwatched).toHaveCount(0, { timeout: 30_000 });
  await expect(rows(page, 'pods').filter({ hasText: 'seen' })).toBeVisible();
  await goTo(page, '#/asking/access/who-can');
  await page.getByRole('button', { name: 'What would allow it' }).click();
  await expect(page.getByRole('button', { name: 'Write it' }).first()).toBeVisible();
  await picture(page, 'what would allow it');
  await page.getByRole('button', { name: 'Write it' }).first().click();
  await expect(page.locator('.view-lines')).toContainText('ClusterRoleBinding');
});

test('keys and the palette lead everywhere', async ({ page }) => {
  await createByForm(page, 'keys');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('dark');
  await page.keyboard.press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  await page.keyboard.press(':');
  await page.keyboard.type('deploy default');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/keys\/explore\/apps\/deployments\?ns=default/);
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await expect(page.getByRole('heading', { name: 'Requests', level: 1 })).toBeVisible();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keys' })).toContainText('Go to Watch');
});

test('a phone has room for all of it', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await createByForm(page, 'phone');
  await write(page, deployment(2));
  await apply(page);
  await expect(results(page)).toContainText('created');
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(webPods(page).filter({ hasText: 'Running' })).toHaveCount(2);
  // What tells pods of one workload apart is the end of their names: none is cut.
  const names = rows(page, 'pods').locator('td:first-child');
  await expect(names.filter({ hasText: 'coredns-' })).toHaveCount(2);
  const cut = (cells: Element[]): number => cells.filter((cell) => cell.scrollWidth > cell.clientWidth).length;
  expect(await names.evaluateAll(cut)).toBe(0);
  const selected = (cell: Element): string | undefined => {
    getSelection()?.selectAllChildren(cell);
    return getSelection()?.toString();
  };
  expect(await names.filter({ hasText: 'coredns-' }).first().evaluate(selected)).toMatch(/^coredns-[a-z\d-]+$/);
  for (const panel of ['Explore', 'Watch', 'Access']) {
    const link = page.getByRole('link', { name: panel });
    if (!(await link.isVisible())) await page.getByRole('button', { name: 'More' }).click();
    await link.click();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  }
  await context.close();
});

test('a certificate is asked for, approved and signed', async ({ page }) => {
  await createByForm(page, 'signing');
  await goTo(page, '#/signing/access/certificates');
  await page.getByLabel('User', { exact: true }).fill('jane');
  await page.getByLabel('Groups', { exact: true }).fill('dev ops');
  await page.getByRole('button', { name: 'Make a key and ask' }).click();
  await expect(page.getByRole('main')).toContainText('Asks for');
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect(page.getByText('Issued', { exact: true })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('O=dev, O=ops, CN=jane');
});

test('a restart with other flags changes what is allowed and keeps what is stored', async ({ page }) => {
  await createByForm(page, 'restart');
  await write(page, settings);
  await apply(page);
  await expect(results(page)).toContainText('created');
  await goTo(page, '#/restart/settings/apiserver?ns=default');
  await page.getByRole('radio', { name: 'As text' }).click();
  const flags = page.getByLabel('Flags, one on a line');
  await flags.fill('--authorization-mode=AlwaysAllow');
  await page.getByRole('button', { name: 'Restart with these' }).click();
  await expect(page.getByRole('button', { name: 'Restart with these' })).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('radio', { name: 'As text' }).click();
  await expect(flags).toHaveValue('--authorization-mode=AlwaysAllow');
  await page.getByRole('button', { name: /^As:/ }).click();
  await page.getByRole('combobox', { name: /Act as/ }).fill('jane');
  await page.keyboard.press('Enter');
  await goTo(page, '#/restart/explore/core/configmaps?ns=default');
  await expect(rows(page, 'configmaps').filter({ hasText: 'settings' })).toHaveCount(1);
});

test('the editor completes and checks by the server’s own schema', async ({ page }) => {
  await createByForm(page, 'schema');
  await write(
    page,
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\nspec:\n  nodeNam: b\n  containers:\n    - name: a\n      im',
  );
  await expect(page.locator('.squiggly-error, .squiggly-warning').first()).toBeVisible({ timeout: 20_000 });
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.press('Control+Space');
  await expect(page.locator('.suggest-widget .monaco-list-row')).toContainText(['image', 'imagePullPolicy']);
});
