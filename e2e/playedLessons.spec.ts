/** Every lesson is played to its end in the page: its tasks are solved one after another by *Show me*. */
import { expect, test } from '@playwright/test';
import { cards } from '../src/lessons/cards.ts';

const sizes = [
  { name: 'on a screen', width: 1440, height: 900 },
  { name: 'on a phone', width: 390, height: 844 },
];

for (const { name, width, height } of sizes) {
  test.describe(name, () => {
    test.use({ viewport: { width, height } });

    for (const { title } of Object.values(cards)) {
      test(`“${title}” is played to its end`, async ({ page }) => {
        test.setTimeout(180_000);
        const problems: string[] = [];
        page.on('pageerror', ({ message }) => problems.push(message));
        await page.goto('./#/lessons');
        await page.getByRole('button', { name: `Start: ${title}`, exact: true }).press('Enter');
        const solve = page.getByRole('button', { name: 'Show me' });
        await expect(solve).toBeVisible({ timeout: 40_000 });
        const tasks = await page.getByRole('img', { name: /^0 of \d+ tasks done$/ }).getAttribute('aria-label');
        const count = Number(/of (\d+)/.exec(tasks ?? '')?.[1]);
        expect(count).toBeGreaterThan(2);
        for (let done = 1; done <= count; done += 1) {
          await solve.press('Enter');
          await expect(page.getByRole('img', { name: `${done} of ${count} tasks done` })).toBeVisible({
            timeout: 60_000,
          });
          // Only what is below the head of the lesson scrolls.
          await expect(page.getByRole('heading', { name: title, level: 2, exact: true })).toBeInViewport({
            ratio: 0.99,
          });
        }
        await expect(page.getByRole('heading', { name: 'Why this matters' })).toBeVisible();
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
        expect(problems).toEqual([]);
      });
    }
  });
}
