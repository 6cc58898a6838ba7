/** The first minute of somebody who has never been here, at human pace. */
import { expect, test, type Locator } from '@playwright/test';
import { picture } from './support.ts';

/** How long a person takes at human pace: 200 words a minute are read, and a press takes three seconds. */
class Person {
  seconds = 0;

  async reads(what: Locator): Promise<void> {
    const words = (await what.innerText()).split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
    this.seconds += (words.length * 60) / 200;
  }

  async presses(what: Locator): Promise<void> {
    await what.click();
    this.seconds += 3;
  }
}

test('somebody who has never been here understands something within a minute', async ({ page }) => {
  test.setTimeout(240_000);
  const newcomer = new Person();
  await page.goto('./');
  // They read what the page begins with, and press the one button that stands out.
  await picture(page, 'start');
  await newcomer.reads(page.getByRole('heading', { level: 1 }));
  const demo = page.getByRole('region', { name: 'Demo' });
  await newcomer.reads(demo);
  await newcomer.presses(demo.getByRole('button'));
  // They read the list above the panel, and press what stands first.
  const guide = page.getByRole('region', { name: 'Try this' });
  await expect(guide.getByRole('button').first()).toBeEnabled({ timeout: 60_000 });
  await picture(page, 'demo');
  await newcomer.reads(guide);
  await newcomer.presses(guide.getByRole('listitem').first().getByRole('button'));
  // The sentence says what to see, and the panel shows why.
  const look = guide.getByText('a network policy lets only the cart through');
  await expect(look).toBeVisible();
  await newcomer.reads(look);
  const proof = page.getByRole('main').first().getByText('db-only-from-cart').first();
  await expect(proof).toBeVisible({ timeout: 45_000 });
  await newcomer.reads(proof);
  await picture(page, 'first insight');
  expect(newcomer.seconds).toBeLessThan(60);
});
