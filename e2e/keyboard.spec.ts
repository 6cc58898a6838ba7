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
});
