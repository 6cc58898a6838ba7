import { readFileSync } from 'node:fs';
import { expect, test, type Page } from '@playwright/test';
import { faults } from './axe.ts';
import { administrator, boot, cluster, configMap, configMaps } from './support.ts';

const sizes = [
  { name: 'on a screen', width: 1440, height: 900 },
  { name: 'on a phone', width: 390, height: 844 },
];

/** Opens a lesson from the list, by keyboard. */
async function openLesson(page: Page, title: string): Promise<void> {
  await page.goto('./#/lessons');
  const start = page.getByRole('button', { name: `Start: ${title}`, exact: true });
  await start.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Show me' })).toBeVisible({ timeout: 40_000 });
}

const task = (page: Page, title: string) => page.getByRole('button', { name: title, expanded: true });

/** On a phone the lesson is a sheet over the page: it is closed to work, and opened to read. */
async function toPage(page: Page): Promise<void> {
  const sheet = page.getByRole('dialog', { name: 'Lesson' });
  if (await sheet.isVisible()) await page.keyboard.press('Escape');
}

async function toLesson(page: Page): Promise<void> {
  const bar = page.locator('button', { hasText: / of \d: |All done/ });
  if (await bar.isVisible()) await bar.press('Enter');
}

/** Applies a text by the editor. */
async function writeYaml(page: Page, yaml: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await toPage(page);
  await page.keyboard.press('c');
  const editor = page.locator('.monaco-editor').first();
  await expect(editor).toBeVisible();
  await editor.locator('.view-line').first().click({ timeout: 30_000 });
  await page.keyboard.press('ControlOrMeta+a');
  await page.evaluate((text) => navigator.clipboard.writeText(text), yaml);
  await page.keyboard.press('ControlOrMeta+v');
  await page.getByRole('button', { name: 'Apply', exact: true }).press('Enter');
  await expect(page.getByRole('list', { name: 'Results' })).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).press('Enter');
}

const web = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: default}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: nginx}]}
`;

for (const { name, width, height } of sizes) {
  test.describe(name, () => {
    test.use({ viewport: { width, height } });

    test('the first lesson is played by keyboard, to its end', async ({ page }) => {
      test.setTimeout(120_000);
      await openLesson(page, 'Your first Deployment');
      await expect(page.getByText('Now: there is no deployment web.').first()).toBeVisible();
      expect(await faults(page, 'a lesson')).toEqual([]);
      // On a phone the lesson makes room, though the page is already where the task leads.
      await page.getByRole('button', { name: 'Go to Explore' }).press('Enter');
      await expect(page.getByRole('dialog', { name: 'Lesson' })).toBeHidden();
      // By hand: what is checked is what came of it.
      await writeYaml(page, web);
      await toLesson(page);
      await expect(task(page, 'Delete a pod')).toBeVisible({ timeout: 40_000 });
      const said = page.getByRole('status').filter({ hasText: 'Task 1 is done. Next: Delete a pod.' });
      await expect(said).not.toHaveCount(0);
      await expect(said.first()).toContainText('Delete one pod or both, and watch what happens.');
      await page.getByRole('button', { name: 'Hint', exact: true }).press('Enter');
      await expect(page.getByRole('list', { name: 'Hints' })).toContainText('Choose Delete in the menu of a pod');
      expect(await faults(page, 'a task done, another with a hint')).toEqual([]);
      for (const next of ['Change the number of pods', 'Delete the Deployment']) {
        await page.getByRole('button', { name: 'Show me' }).press('Enter');
        await expect(task(page, next)).toBeVisible({ timeout: 40_000 });
      }
      await page.getByRole('button', { name: 'Show me' }).press('Enter');
      await expect(page.getByRole('heading', { name: 'Why this matters' })).toBeVisible({ timeout: 40_000 });
      expect(await faults(page, 'a lesson at its end')).toEqual([]);

      // How far one came is kept.
      await page.reload();
      await expect(page.getByRole('img', { name: '4 of 4 tasks done' })).toBeVisible({ timeout: 40_000 });
    });

    test('roles are learned by acting as somebody, and the lesson starts over', async ({ page }) => {
      test.setTimeout(120_000);
      await openLesson(page, 'Roles and bindings');
      await page.getByRole('radio', { name: 'anna' }).click();
      await page.getByRole('button', { name: 'Go to Explore' }).press('Enter');
      await toLesson(page);
      await expect(task(page, 'Write a Role')).toBeVisible({ timeout: 20_000 });
      await page.getByRole('button', { name: 'Start over' }).press('Enter');
      await page.getByRole('button', { name: 'Start over' }).last().press('Enter');
      await expect(task(page, 'Be refused')).toBeVisible({ timeout: 40_000 });
      await expect(page.getByRole('img', { name: '0 of 4 tasks done' })).toBeVisible();
    });
  });
}

test('a teacher has the page large, notes, and the next command one key away, also in the terminal', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await openLesson(page, 'Your first Deployment');
  await page.getByRole('button', { name: 'Teaching mode: large text, notes, next command' }).press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-size', 'projector');
  await expect(page.getByText('Keep the request log open')).toBeVisible();
  expect(await faults(page, 'a lesson as it is taught')).toEqual([]);
  await page.keyboard.press('n');
  const shown = page.locator('.xterm-accessibility-tree');
  await expect(shown).toContainText('kubectl create deployment web', { timeout: 30_000 });
  await expect(page.getByRole('textbox', { name: 'Terminal input' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(shown).toContainText('deployment.apps/web created');
  await expect(task(page, 'Delete a pod')).toBeVisible({ timeout: 40_000 });
  await page.keyboard.press('F8');
  await expect(shown).toContainText('kubectl get replicasets,pods');
  await page.keyboard.press('Enter');
  await expect(shown).toContainText('replicaset.apps/web-');
  await page.getByRole('button', { name: 'Teaching mode: large text, notes, next command' }).press('Enter');
  await expect(page.locator('html')).not.toHaveAttribute('data-size', 'projector');
  // A page that was large before stays large.
  await page.getByRole('button', { name: 'Appearance' }).press('Enter');
  await page.getByRole('menuitem', { name: 'Projector size' }).press('Enter');
  await expect(page.locator('html')).toHaveAttribute('data-size', 'projector');
  const teach = page.getByRole('button', { name: 'Teaching mode: large text, notes, next command' });
  await teach.press('Enter');
  await expect(teach).toHaveAttribute('aria-pressed', 'true');
  await teach.press('Enter');
  await expect(teach).toHaveAttribute('aria-pressed', 'false');
  await expect(page.locator('html')).toHaveAttribute('data-size', 'projector');
});

test('in a talk, keys put the next command into the terminal while the lesson is hidden, for every task', async ({
  page,
}) => {
  test.setTimeout(120_000);
  await openLesson(page, 'Default deny and five common mistakes');
  await expect(page.getByRole('button', { name: /^Copy command/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Teaching mode: large text, notes, next command' }).press('Enter');
  await page.keyboard.press('n');
  const shown = page.locator('.xterm-accessibility-tree');
  await expect(shown).toContainText('name: default-deny', { timeout: 30_000 });
  await page.keyboard.press('Enter');
  await expect(shown).toContainText('/default-deny created');
  await expect(task(page, 'Mistake 1: the wrong namespace')).toBeVisible({ timeout: 40_000 });
  await page.getByRole('button', { name: 'Hide the lesson' }).press('Enter');
  for (const [put, answer] of [
    ['delete networkpolicy db-from-api', '"db-from-api" deleted'],
    ['name: db-from-api', '/db-from-api created'],
  ] as const) {
    await page.keyboard.press('F8');
    await expect(shown).toContainText(put);
    await page.keyboard.press('Enter');
    await expect(shown).toContainText(answer);
  }
  await page.getByRole('button', { name: 'Lesson', exact: true }).press('Enter');
  await expect(task(page, 'Mistake 2: one dash too many')).toBeVisible({ timeout: 40_000 });
});

for (const [width, height] of [
  [1280, 720],
  [1440, 900],
  [1920, 1080],
] as const)
  test(`on a projector of ${width} by ${height} a task, its note, the next command and the terminal are in sight together`, async ({
    page,
  }) => {
    test.setTimeout(120_000);
    await page.setViewportSize({ width, height });
    await openLesson(page, 'Your first Deployment');
    await page.getByRole('button', { name: 'Teaching mode: large text, notes, next command' }).press('Enter');
    await page.keyboard.press('Control+`');
    await expect(page.getByRole('textbox', { name: 'Terminal input' })).toBeFocused({ timeout: 30_000 });
    for (let count = 0; count < 2; count += 1) {
      const current = page.locator('li[aria-current=step]');
      for (const part of [
        current.locator('button[aria-expanded]'),
        current.getByText(/^Note: /),
        current.getByRole('button', { name: /^Next command/ }),
        page.locator('.xterm'),
      ])
        await expect(part).toBeInViewport({ ratio: 0.99 });
      const [lesson, terminal] = [page.getByRole('complementary', { name: 'Lesson' }), page.locator('.xterm')];
      const [left, right] = [await lesson.boundingBox(), await terminal.boundingBox()];
      expect((left?.x ?? 0) + (left?.width ?? 0)).toBeLessThanOrEqual(right?.x ?? 0);
      const title = await current.locator('button[aria-expanded]').textContent();
      await page.getByRole('button', { name: 'Show me' }).press('Enter');
      await expect(current.locator('button[aria-expanded]')).not.toHaveText(title ?? '', { timeout: 40_000 });
    }
  });

test('an author who changes a draft and tries it again has one lesson of it', async ({ page }) => {
  test.setTimeout(120_000);
  await boot(page, cluster('school', { storage: 'indexeddb' }));
  const keptIds = (): Promise<string[]> =>
    page.evaluate(() => {
      const { state } = JSON.parse(localStorage.getItem('vitrine.lessons') ?? '{"state":{"files":{}}}') as {
        state: { files: Record<string, unknown> };
      };
      return Object.keys(state.files);
    });
  for (const title of ['Write a greeting', 'Write a good greeting']) {
    await page.evaluate(() => void (location.hash = '#/school/lessons/author'));
    await page.getByRole('textbox', { name: 'Title' }).first().fill('Greet');
    await page.getByRole('textbox', { name: 'Title' }).nth(1).fill(title);
    await page.getByRole('button', { name: 'Try it in a new cluster' }).click();
    await expect(task(page, title)).toBeVisible({ timeout: 40_000 });
    await expect.poll(async () => (await keptIds()).length).toBe(1);
  }
});

test('an author makes a lesson from a cluster and saves it; another person sees what it would do, opens it and plays it', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const base = await boot(page, cluster('school', { storage: 'indexeddb' }));
  await page.evaluate(() => void (location.hash = '#/school/lessons/author'));
  await page.getByRole('textbox', { name: 'Title' }).first().fill('Greet');
  await page.getByRole('textbox', { name: 'Title' }).nth(1).fill('Write a greeting');
  await page.getByRole('textbox', { name: 'Commands' }).fill('kubectl create configmap greeting');
  await page.getByRole('textbox', { name: 'Note for a talk' }).fill('Say hello.');
  const verdicts = page.getByRole('list', { name: 'Current results of the checks' });
  await expect(verdicts).toContainText('Now: there is no configmap greeting.');
  const create = (name: string): Promise<void> =>
    page.evaluate(
      async ([url, body, headers]) => {
        await fetch(url, { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body });
      },
      [base + configMaps, JSON.stringify(configMap(name)), administrator] as const,
    );
  await create('furniture');
  await page.getByRole('button', { name: 'Copy the objects from these namespaces' }).click();
  await expect(page.getByRole('textbox', { name: 'Objects, as YAML' })).toHaveValue(/name: furniture/);
  await create('greeting');
  await expect(verdicts).toContainText('Now: it exists.');
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as a file' }).click();
  const path = await (await downloading).path();

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy a link' }).click();
  await expect(page.getByText('The link is on the clipboard.')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());

  await page.getByRole('button', { name: 'All lessons' }).click();
  await page.getByLabel('A lesson’s file').setInputFiles({
    name: 'greet.lesson.json',
    mimeType: 'application/json',
    buffer: readFileSync(path),
  });
  const asks = page.getByRole('dialog', { name: 'Open “Greet”?' });
  await expect(asks).toContainText('Creates or replaces: ConfigMap furniture in default');
  await expect(asks.getByRole('listitem').filter({ hasText: 'kubectl create configmap greeting' })).toBeVisible();
  await asks.getByRole('button', { name: 'Open the lesson' }).click();
  await expect(task(page, 'Write a greeting')).toBeVisible({ timeout: 40_000 });
  await expect(page.getByRole('button', { name: 'Copy command: kubectl create configmap greeting' })).toBeVisible();
  expect(page.url()).toContain('#/lesson-own-greet/');
  await writeYaml(page, '{apiVersion: v1, kind: ConfigMap, metadata: {name: greeting, namespace: default}}');
  await expect(page.getByRole('img', { name: '1 of 1 tasks done' })).toBeVisible({ timeout: 20_000 });

  // The link carries the lesson whole: another browser has none of it.
  const other = await (await page.context().browser()?.newContext())?.newPage();
  if (!other) throw new Error('the browser opens a second context');
  await other.goto(link);
  const offered = other.getByRole('dialog', { name: 'Open “Greet”?' });
  await expect(offered).toContainText('This lesson comes from a link.', { timeout: 30_000 });
  await expect(offered).toContainText('Creates or replaces: ConfigMap furniture in default');
  await offered.getByRole('button', { name: 'Open the lesson' }).click();
  await expect(task(other, 'Write a greeting')).toBeVisible({ timeout: 40_000 });
  await other.context().close();
});
