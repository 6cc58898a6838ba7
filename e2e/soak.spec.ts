/** Tabs that come, go and crash, full disks and hours that pass: `npm run soak -- --chromium` plays it for as long as one likes. */
import { chromium, expect, test } from '@playwright/test';
import { soakInTabs } from '../test/soak/soakInTabs.ts';

test('a cluster in tabs under faults of every kind loses nothing', async ({ baseURL, launchOptions }, info) => {
  test.setTimeout(600_000);
  const context = await chromium.launchPersistentContext(info.outputPath('profile'), launchOptions);
  try {
    const { faults, steps, answered, events } = await soakInTabs(context, baseURL ?? '', 1, 12);
    expect(faults, steps.join('; ')).toEqual([]);
    expect([answered, events].every((count) => count > 0)).toBe(true);
  } finally {
    await context.close();
  }
});
