/**
 * Every view by the rules of axe, and whether keys reach all that a pointer does, found by walking the page as it is: each panel that the rail leads to, each tab and
 * way of showing within it, each menu and popover there, the inspector of each of some objects with what its actions
 * open, the tabs of the dock. A new panel is walked by itself. `accessibility.spec.ts` has the views that need an address.
 */
import { expect, test, type Locator, type Page } from '@playwright/test';
import { faults } from './axe.ts';
import { pointerOnly } from './keyboard.ts';

const looks = [
  { name: 'light', colorScheme: 'light', contrast: 'no-preference', width: 1440, height: 900 },
  { name: 'dark, on a phone', colorScheme: 'dark', contrast: 'no-preference', width: 390, height: 844 },
  { name: 'high contrast', colorScheme: 'dark', contrast: 'more', width: 1440, height: 900 },
] as const;

/** Of each kind of inspector one. */
const objects = ['core/pods', 'core/nodes', 'core/services', 'apps/deployments', 'networking.k8s.io/networkpolicies'];

const goTo = (page: Page, hash: string): Promise<void> => page.evaluate((to) => void (location.hash = to), hash);

interface Walk {
  readonly page: Page;
  /** Looks at the page as it stands. */
  readonly look: (where: string) => Promise<void>;
}

/** What stands there, by its words; what is marked as chosen already is there, too. */
const namesOf = (all: Locator): Promise<readonly string[]> =>
  all.evaluateAll((found) => [
    ...new Set(
      found
        .filter((each) => each.checkVisibility() && each.getAttribute('aria-disabled') !== 'true')
        .map(
          (each) => each.getAttribute('aria-label') ?? (each as HTMLElement).innerText.trim().replaceAll(/\s+/g, ' '),
        ),
    ),
  ]);

/** What is fetched or listed is there. */
async function settled(page: Page): Promise<void> {
  await expect(page.getByRole('status').filter({ hasText: /…$/ })).toHaveCount(0, { timeout: 30_000 });
}

/** Everything that opens within `place`: tabs, ways of showing, menus and popovers. */
async function walkThrough({ page, look }: Walk, place: Locator, where: string): Promise<void> {
  for (const role of ['tab', 'radio'] as const)
    for (const name of await namesOf(place.getByRole(role))) {
      const one = place.getByRole(role, { name, exact: true }).first();
      // Choosing one way of showing may take another away.
      if (!(await one.isVisible())) continue;
      await one.click();
      await settled(page);
      await look(`${where} › ${name}`);
    }
  await walkPopups({ page, look }, place, where);
}

/** A name as it was read, whatever time a clock in it shows by now. */
const lastingName = (name: string): RegExp =>
  new RegExp(
    `^${name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(/\d\d:\d\d:\d\d/g, '\\d\\d:\\d\\d:\\d\\d')}$`,
  );

async function walkPopups({ page, look }: Walk, place: Locator, where: string): Promise<void> {
  const openers = place.locator('[aria-haspopup]');
  for (const name of await namesOf(openers)) {
    const opener = place.getByRole('button', { name: lastingName(name) }).first();
    if (!(await opener.isVisible())) continue;
    await opener.click();
    await expect(opener).toHaveAttribute('aria-expanded', 'true');
    await look(`${where} › ${name}`);
    await page.keyboard.press('Escape');
    await expect(opener).toHaveAttribute('aria-expanded', 'false');
  }
}

/** An object's inspector: its tabs, and what each of its actions opens. */
async function walkObject({ page, look }: Walk, type: string): Promise<void> {
  await goTo(page, `#/demo/explore/${type}`);
  const row = page.locator('main tbody tr[tabindex="0"]').first();
  await row.click();
  const inspector = page.getByRole('complementary', { name: 'Object' });
  await settled(page);
  await look(type);
  await walkThrough({ page, look }, inspector, type);
  const menu = inspector.getByRole('button', { name: 'Actions', exact: true });
  await menu.click();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  const actions = await namesOf(page.getByRole('menuitem'));
  await page.keyboard.press('Escape');
  const address = new URL(page.url()).hash;
  for (const action of actions) {
    // Some lead elsewhere.
    await goTo(page, address);
    await menu.click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
    await settled(page);
    await look(`${type} › ${action}`);
    if (await page.getByRole('dialog').first().isVisible()) await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toHaveCount(0);
  }
}

for (const { name, width, height, ...media } of looks)
  test(`every view passes axe and can be used by keyboard alone, ${name}`, async ({ page }) => {
    test.setTimeout(900_000);
    page.setDefaultTimeout(60_000);
    await page.emulateMedia({ ...media, reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('./');
    const found: string[] = [];
    const seen: string[] = [];
    const look = async (where: string): Promise<void> => {
      seen.push(where);
      found.push(...(await faults(page, where)).map((each) => each.slice(0, 300)));
      found.push(...(await pointerOnly(page, where)));
    };
    await look('start');
    await page.getByRole('button', { name: 'Open the demo cluster' }).click();
    await expect(page.getByRole('region', { name: 'Try this' }).getByRole('button').first()).toBeEnabled({
      timeout: 60_000,
    });
    const rail = page.getByRole('navigation', { name: 'Panels' }).getByRole('link');
    const addresses = await rail.evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    expect(addresses.length).toBeGreaterThan(10);
    await page.setViewportSize({ width, height });
    await walkPopups({ page, look }, page.getByRole('banner'), 'top bar');
    for (const address of addresses) {
      await goTo(page, address);
      await settled(page);
      await look(address);
      await walkThrough({ page, look }, page.getByRole('main').first(), address);
    }
    if (width > 1000) {
      for (const type of objects) await walkObject({ page, look }, type);
      await goTo(page, '#/demo/settings');
      await page.keyboard.press('Escape');
      const dock = page.getByRole('region', { name: 'Dock' });
      if (!(await dock.getByRole('tab').first().isVisible())) await page.keyboard.press('`');
      await expect(dock.getByRole('tab').first()).toBeVisible();
      await walkThrough({ page, look }, dock, 'dock');
    }
    console.log(`${seen.length} views: ${seen.join(' | ')}`);
    expect(found).toEqual([]);
  });
