import { openBenchPage } from './benchPage.ts';
import { runBusy } from './busy/index.ts';
import { runRooms } from './rooms/index.ts';
import { describeRow } from './row.ts';

/** Runs the rows of the benchmark's page in Chromium. */
export async function runInChromium(only: string, print: (line: string) => void): Promise<void> {
  const { browser, tab, close } = await openBenchPage();
  try {
    print(`In Chromium ${browser.version()}`);
    tab.on('pageerror', (error) => print(`  ${error.message}`));
    const rows = await tab.evaluate(() => window.bench.rows.map(({ name, aim }) => ({ name, aim })));
    for (const row of rows.filter(({ name }) => name.includes(only))) {
      print(`  ${describeRow(row, await tab.evaluate((name) => window.bench.run(name), row.name))}`);
    }
  } finally {
    await close();
  }
  await runRooms(only, print);
  await runBusy(only, print);
}
