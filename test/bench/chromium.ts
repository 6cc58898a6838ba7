import { chromium } from '@playwright/test';
import { resolve } from 'node:path';
import { launchOptions, serveBuiltPage } from '../tools/servedPage.ts';
import type { Measured, Row } from './row.ts';
import { runBusy } from './busy/index.ts';
import { runRooms } from './rooms/index.ts';
import { describeRow } from './row.ts';

/** What the benchmark's page offers (page/main.ts). */
export interface BenchPage {
  readonly rows: readonly Pick<Row, 'name' | 'aim'>[];
  run(name: string): Promise<Measured>;
}

/** Builds the benchmark's page, which has the product's own modules in it, and runs its rows in Chromium. */
export async function runInChromium(only: string, print: (line: string) => void): Promise<void> {
  // This program runs as a bundle elsewhere: where the project lies, only the folder it was started in says.
  const served = await serveBuiltPage({ root: resolve(process.cwd(), 'test/bench/page') });
  const browser = await chromium.launch(launchOptions());
  try {
    print(`In Chromium ${browser.version()}`);
    const tab = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    tab.on('pageerror', (error) => print(`  ${error.message}`));
    await tab.goto(served.address);
    await tab.waitForFunction(() => 'bench' in window);
    const rows = await tab.evaluate(() =>
      (window as unknown as { bench: BenchPage }).bench.rows.map(({ name, aim }) => ({ name, aim })),
    );
    for (const row of rows.filter(({ name }) => name.includes(only))) {
      const measured = await tab.evaluate(
        (name) => (window as unknown as { bench: BenchPage }).bench.run(name),
        row.name,
      );
      print(`  ${describeRow(row, measured)}`);
    }
  } finally {
    await browser.close();
    await served.close();
  }
  await runRooms(only, print);
  await runBusy(only, print);
}
