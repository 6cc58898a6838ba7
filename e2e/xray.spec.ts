/** A request looked through: where it was refused, what changed it, held and edited on its way, and what the audit log says of it. */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { createByForm } from './support.ts';

const panels = (page: Page): Locator => page.getByRole('navigation', { name: 'Panels' });

const goTo = (page: Page, hash: string): Promise<void> =>
  page.evaluate((to) => {
    location.hash = to;
  }, hash);

/** Puts a text into an editor in the place of what is there. */
async function type(page: Page, editor: Locator, text: string): Promise<void> {
  await editor.locator('.view-line').first().click({ timeout: 30_000 });
  await page.keyboard.press('ControlOrMeta+a');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((pasted) => navigator.clipboard.writeText(pasted), text);
  await page.keyboard.press('ControlOrMeta+v');
}

async function apply(page: Page, text: string): Promise<void> {
  if (!page.url().includes('sel=editor')) await page.getByRole('button', { name: 'Write YAML' }).click();
  await type(page, page.locator('.monaco-editor').first(), text);
  await page.getByRole('button', { name: 'Apply', exact: true }).click();
}

const results = (page: Page): Locator => page.getByRole('list', { name: 'Results' });
const rows = (page: Page, table: string): Locator =>
  page.getByRole('table', { name: table }).locator('tbody tr[tabindex="0"]');

/** Sends a request by the console of the requests panel. */
async function send(page: Page, cluster: string, path: string, object: object): Promise<void> {
  await goTo(page, `#/${cluster}/requests`);
  await page.getByLabel('Method').selectOption('POST');
  await page.getByLabel('Path').fill(path);
  await page.getByLabel('Body', { exact: true }).fill(JSON.stringify(object));
  await page.getByRole('button', { name: /^Send as/ }).click();
}

const limit = `apiVersion: v1
kind: LimitRange
metadata: {name: small}
spec:
  limits:
  - type: Container
    max: {memory: 1Mi}
    default: {memory: 1Mi}
`;

const pod = (name: string, memory: string): string => `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
spec:
  containers:
  - name: c
    image: nginx
    resources:
      limits: {memory: ${memory}}
`;

const configMap = (name: string): object => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name },
  data: { colour: 'teal' },
});
const configMaps = '/api/v1/namespaces/default/configmaps';

test('a refusal points at the step and at the line; a mutation shows its change', async ({ page }) => {
  await createByForm(page, 'xray');
  await apply(page, limit);
  await expect(results(page).getByText('created')).toBeVisible();

  await apply(page, pod('large', '1Gi'));
  await expect(results(page).getByText('denied')).toBeVisible();
  await goTo(page, '#/xray/requests');
  await rows(page, 'Requests').filter({ hasText: '403' }).first().click();
  const inspector = page.getByRole('complementary', { name: 'Request' });
  const refusal = inspector.getByRole('region', { name: 'Why it was refused' });
  await expect(refusal).toContainText('Refused by LimitRanger');
  await expect(refusal).toContainText('maximum memory usage per Container is 1Mi');
  const marked = inspector.locator('[data-refused]');
  await expect(marked).toHaveCount(1);
  await expect(marked).toContainText('LimitRanger');

  await apply(page, pod('P!', '1Mi'));
  await expect(results(page).getByText('failed')).toBeVisible();
  await goTo(page, '#/xray/requests');
  await rows(page, 'Requests').filter({ hasText: '422' }).first().click();
  await expect(refusal).toContainText('Refused by Validation');
  await refusal.getByRole('link', { name: 'metadata.name' }).click();
  await expect(page.locator('.monaco-editor .view-lines')).toContainText('P!');

  await apply(page, pod('mutated', '1Mi'));
  await expect(results(page).getByText('created')).toBeVisible();
  await goTo(page, '#/xray/requests');
  // The limit was created, too, and the log shows a new request a moment later.
  await rows(page, 'Requests').filter({ hasText: '201' }).filter({ hasText: '/pods' }).click();
  const step = inspector.getByRole('listitem').filter({ hasText: 'Mutation: DefaultTolerationSeconds' });
  await expect(step.getByLabel('Changes')).toContainText('+spec.tolerations:');
  await expect(step.getByLabel('Changes')).toContainText('tolerationSeconds: 300');
  await expect(inspector.getByRole('list', { name: 'Watches that were notified' })).toContainText('ADDED');
  await inspector
    .getByText(/plugins had no objection/)
    .first()
    .click();
  await expect(inspector.getByText('PodSecurityPolicy').or(inspector.getByText('ResourceQuota')).first()).toBeVisible();
  await inspector.getByRole('tab', { name: 'Bodies' }).click();
  await expect(inspector.getByRole('region', { name: 'Sent' })).toContainText('"mutated"');
});

test('a breakpoint holds a request; what is stored is what a person made of it', async ({ page }) => {
  await createByForm(page, 'held');
  await goTo(page, '#/held/requests/breakpoints');
  await page.getByLabel('Resource').fill('configmaps');
  await page.getByLabel('Before').selectOption('validation');
  await page.getByRole('button', { name: 'Set the breakpoint' }).click();
  await expect(page.getByRole('list', { name: 'Breakpoints' })).toContainText('create configmaps by people');

  await send(page, 'held', configMaps, configMap('edited'));
  await expect(panels(page).getByLabel('1 held')).toBeVisible();
  await page.getByRole('tab', { name: 'Breakpoints' }).click();
  const held = page.getByRole('article', { name: 'Held request' });
  await expect(held).toContainText('before validation');
  await expect(held.locator('.view-lines')).toContainText('colour: teal', { timeout: 30_000 });
  await type(
    page,
    held.locator('.monaco-editor').first(),
    JSON.stringify({ ...configMap('edited'), data: { colour: 'amber' } }),
  );
  await held.getByRole('button', { name: 'Let go as edited' }).click();
  await expect(page.getByText('No request is held')).toBeVisible();
  await expect(panels(page).getByLabel('1 held')).toHaveCount(0);
  await goTo(page, '#/held/explore/core/configmaps?sel=object:core/configmaps/default/edited&tab=yaml');
  await expect(page.getByText('colour: amber')).toBeVisible();

  await send(page, 'held', configMaps, configMap('freed'));
  await expect(panels(page).getByLabel('1 held')).toBeVisible();
  await page.getByRole('tab', { name: 'Breakpoints' }).click();
  await page.getByRole('button', { name: /^Remove: / }).click();
  await expect(page.getByText('No request is held')).toBeVisible();
  await goTo(page, '#/held/explore/core/configmaps?sel=object:core/configmaps/default/freed&tab=yaml');
  await expect(page.getByText('colour: teal')).toBeVisible();
});

test('auditing begins by one button; a create stands in the log and can be exported', async ({ page }) => {
  await createByForm(page, 'audited');
  await goTo(page, '#/audited/requests/audit');
  await page.getByRole('button', { name: 'Restart with auditing' }).click();
  await expect(page.getByRole('region', { name: 'Audit events' })).toBeVisible({ timeout: 30_000 });
  await send(page, 'audited', configMaps, configMap('recorded'));
  await page.getByRole('tab', { name: 'Audit' }).click();
  await page.getByPlaceholder('Filter by user, verb, resource, code').fill('create recorded');
  const found = rows(page, 'Audit events');
  await expect(found).toHaveCount(1);
  await found.first().click();
  const event = page.getByRole('complementary', { name: 'Audit event' });
  await expect(event.getByRole('region', { name: 'JSON' })).toContainText('"requestObject"');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const path = await (await download).path();
  const { readFile } = await import('node:fs/promises');
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ verb: 'create', objectRef: { name: 'recorded' } });
  await event.getByRole('link', { name: 'Request path' }).click();
  const request = page.getByRole('complementary', { name: 'Request', exact: true });
  await expect(request.getByRole('link', { name: 'ResponseComplete' })).toBeVisible();
});
