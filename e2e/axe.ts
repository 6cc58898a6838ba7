/** What axe finds wrong with a page. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';

/** Evaluated by the test itself: the page's policy lets no script of elsewhere in. */
const axe = readFileSync(new URL('../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

type Checked = Window & typeof globalThis & { readonly axe: { run(options: RunOptions): Promise<AxeResults> } };

/** It is read with the control that it describes, wherever it stands: no landmark has to lead to it. */
const TOOLTIP = /^<[^>]* role="tooltip"/;

/** What is wrong with the page as it stands, a line for each element. */
export async function faults(page: Page, name: string): Promise<readonly string[]> {
  // Where a row flashes or a menu fades, its contrast would be that of a moment.
  await page.evaluate(() => document.getAnimations().forEach((each) => each.finish()));
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  const { violations } = await page.evaluate(() => (window as Checked).axe.run({ resultTypes: ['violations'] }));
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ html }) => id !== 'region' || !TOOLTIP.test(html))
      .map(({ target, any, html }) => `${name}: ${id}: ${String(target)} ${any[0]?.message ?? ''} ${html}`),
  );
}
