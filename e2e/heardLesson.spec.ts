/** The first lesson by keyboard and by ear: each step has its key, and each says what came of it. */
import { expect, test, type Page } from '@playwright/test';

const terminal = (page: Page) => page.getByRole('textbox', { name: 'Terminal input' });
const said = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).first();
const taskTitle = (page: Page, text: string) => page.getByRole('button', { name: text, expanded: true });

/** Presses Tab until a control has the focus. */
async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const wanted = page.getByRole('button', { name });
  for (let presses = 0; presses < 12; presses += 1) {
    if (await wanted.evaluateAll((found) => found.includes(document.activeElement as HTMLElement))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`“${String(name)}” is not within twelve presses of Tab`);
}

/** Puts a command of the current task into the terminal, and runs it. */
async function runFromTask(page: Page, title: string, command: string): Promise<void> {
  await page.keyboard.press('F6');
  await expect(taskTitle(page, title)).toBeFocused();
  await expect(taskTitle(page, title)).toHaveAccessibleDescription(/\w{3}/);
  await tabTo(page, new RegExp(`^Put into the terminal, command( \\d)?: ${command}$`));
  await page.keyboard.press('Enter');
  await expect(terminal(page)).toBeFocused({ timeout: 30_000 });
  await expect(said(page, 'is in the terminal. Press Enter to run it.')).toBeAttached();
  await expect(page.locator('.xterm-accessibility-tree')).toContainText(command);
  await page.keyboard.press('Enter');
}

test('the first lesson is started on the start page, done and left by keys alone', async ({ page }) => {
  test.setTimeout(120_000);
  await page.goto('./');
  await expect(page.getByRole('button', { name: 'Start the first lesson' })).toBeVisible();
  await tabTo(page, 'Start the first lesson');
  await page.keyboard.press('Enter');
  await expect(said(page, 'First task: Create a Deployment.')).toBeAttached({ timeout: 40_000 });
  await expect(said(page, 'F6 leads to the task, and from the task to the terminal.')).toBeAttached();
  await runFromTask(page, 'Create a Deployment', 'kubectl create deployment web --image=nginx --replicas=2');
  await expect(said(page, 'Task 1 is done. Next: Delete a pod.')).toBeAttached({ timeout: 40_000 });
  await page.keyboard.press('F6');
  await expect(taskTitle(page, 'Delete a pod')).toBeFocused();
  await page.keyboard.press('F6');
  await expect(terminal(page)).toBeFocused();
  await runFromTask(page, 'Delete a pod', 'kubectl delete pods -l app=web');
  await expect(said(page, 'Task 2 is done.')).toBeAttached({ timeout: 40_000 });
  await runFromTask(page, 'Change the number of pods', 'kubectl scale deployment web --replicas=4');
  await expect(said(page, 'Task 3 is done.')).toBeAttached({ timeout: 40_000 });
  await runFromTask(page, 'Delete the Deployment', 'kubectl delete deployment web');
  const end = said(
    page,
    'The lesson is complete. F6 leads to a summary and the next lesson, “Why is my pod Pending?”.',
  );
  await expect(end).toBeAttached({ timeout: 40_000 });
  await page.keyboard.press('F6');
  await expect(page.getByRole('heading', { name: 'The lesson is complete' })).toBeFocused();
  await expect(page.getByRole('heading', { name: 'The lesson is complete' })).toBeInViewport();
  await tabTo(page, 'Next: Why is my pod Pending?');
});

test('the list of lessons begins at its heading, which has the name of its region', async ({ page }) => {
  await page.goto('./');
  await page.getByRole('link', { name: 'All lessons' }).press('Enter');
  const main = page.getByRole('main', { name: 'Lessons' });
  await expect(main.getByRole('heading', { name: 'Lessons', level: 1 })).toBeFocused();
});

test('a command that is copied is announced', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('./');
  await page.getByRole('button', { name: 'Start the first lesson' }).press('Enter');
  await page.getByRole('button', { name: /^Copy command/ }).press('Enter', { timeout: 40_000 });
  await expect(page.getByRole('status').filter({ hasText: /^Copied$/ })).toBeAttached();
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } });

  test('F8 and F6 work while the terminal or the lesson lies over the page', async ({ page }) => {
    test.setTimeout(90_000);
    await page.goto('./');
    await page.getByRole('button', { name: 'Start the first lesson' }).press('Enter');
    await page
      .getByRole('button', { name: 'Teaching mode: large text, notes, next command' })
      .press('Enter', { timeout: 40_000 });
    const shown = page.locator('.xterm-accessibility-tree');
    await page.keyboard.press('F8');
    await expect(shown).toContainText('kubectl create deployment web', { timeout: 30_000 });
    await expect(terminal(page)).toBeFocused();
    await page.keyboard.press('Enter');
    // The lesson goes on below the terminal.
    await expect(page.locator('[aria-current=step]')).toContainText('Delete a pod', { timeout: 40_000 });
    await page.keyboard.press('F6');
    await expect(taskTitle(page, 'Delete a pod')).toBeFocused({ timeout: 40_000 });
    await page.keyboard.press('F6');
    await expect(terminal(page)).toBeFocused();
    await page.keyboard.press('F8');
    await expect(shown).toContainText('kubectl get replicasets,pods');
    await expect(page.getByText('Command 1 of 2 for task 2 is in the terminal.')).toBeVisible();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Next command of the lesson' }).press('Enter');
    await expect(shown).toContainText('kubectl delete pods -l app=web');
  });
});
