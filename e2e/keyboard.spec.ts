/** Menus, popovers and dialogs by keys alone: where the focus goes, and what escape closes. */
import { expect, test } from '@playwright/test';
import { createByForm } from './support.ts';

test('menus walk by arrows, popovers give the focus back, escape closes what was opened last', async ({ page }) => {
  await createByForm(page, 'keyboard');

  const appearance = page.getByRole('button', { name: 'Appearance' });
  await appearance.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'As the system says' })).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Light' })).toBeFocused();
  await page.keyboard.press('End');
  await expect(page.getByRole('menuitem', { name: 'Projector size' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(appearance).toBeFocused();

  await page.keyboard.press('n');
  await expect(page.getByRole('combobox', { name: 'Namespace' })).toBeFocused();
  await page.keyboard.type('def');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Namespace: default' })).toBeFocused();

  await page.keyboard.press(':');
  await page.keyboard.type('serviceaccount');
  await page.keyboard.press('Enter');
  // The list has the focus, as it has after its filter.
  await expect(page.getByRole('row', { name: /^default/ })).toBeFocused();
  await page.keyboard.press('/');
  await page.keyboard.type('def');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('row', { name: /^default/ })).toBeFocused();
  await page.keyboard.press('Enter');
  const inspector = page.getByRole('complementary', { name: 'Object' });
  const heading = inspector.getByRole('heading', { level: 2 }).first();
  await expect(heading).toBeVisible();
  // A key leads into the inspector, back to the row, and in again.
  await page.keyboard.press('i');
  await expect(heading).toBeFocused();
  await page.keyboard.press('i');
  await expect(page.getByRole('row', { name: /^default/ })).toBeFocused();
  await page.keyboard.press('i');
  await inspector.getByRole('tab', { name: 'Summary' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(inspector.getByRole('tab', { name: 'YAML' })).toBeFocused();
  await page.keyboard.press('Control+d');
  const dialog = page.getByRole('dialog', { name: 'Delete ServiceAccount?' });
  await expect(dialog).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('radio', { name: 'Background' })).toBeFocused();
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByRole('radio', { name: 'Foreground' })).toBeChecked();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(inspector.getByRole('tab', { name: 'YAML' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(inspector).toHaveCount(0);
  const row = page.getByRole('row', { name: /^default/ });
  await expect(row).toBeFocused();

  // The editor takes the focus; escape leads out of it, then closes it.
  await page.keyboard.press('Enter');
  await expect(inspector).toBeVisible();
  await page.keyboard.press('e');
  const editor = page.getByRole('complementary', { name: 'Editor' });
  await expect(editor.getByRole('textbox', { name: /^YAML editor/ })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(editor.getByRole('heading', { level: 2 })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(editor).toHaveCount(0);
  await expect(row).toBeFocused();
});

test('the palette says what the person whom the page acts as may not do, and does not try it', async ({ page }) => {
  await page.goto('./');
  await page.getByRole('button', { name: 'Open the demo cluster' }).click();
  await expect(page.getByRole('region', { name: 'Try this' }).getByRole('button').first()).toBeEnabled({
    timeout: 60_000,
  });
  await page.evaluate(() => void (location.hash = '#/demo/explore/apps/deployments?ns=shop'));
  const find = async (who: string): Promise<void> => {
    await page.getByRole('button', { name: /^As:/ }).click();
    await page.getByRole('combobox', { name: /Act as/ }).fill(who);
    await page.keyboard.press('Enter');
    await expect(page.getByRole('row', { name: /^cart/ })).toBeVisible();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('scale cart');
  };
  const palette = page.getByRole('dialog', { name: 'Find anything' });
  const scale = palette.getByRole('option', { name: /^Scale: cart/ }).first();
  await find('ben');
  await expect(scale).toHaveAttribute('aria-disabled', 'true');
  await expect(scale).toContainText('Not allowed to patch deployments.apps/scale in shop.');
  await page.keyboard.press('Enter');
  await expect(palette).toBeVisible();
  await page.keyboard.press('Escape');
  await find('anna');
  // Enter may come before the objects are found.
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: /^Scale/ })).toBeVisible();
});
