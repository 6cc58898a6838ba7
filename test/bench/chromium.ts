import { chromium } from '@playwright/test';
import { resolve } from 'node:path';
import { build, preview } from 'vite';
import { ensureBrowser } from '../tools/install.mjs';
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
  const root = process.cwd();
  const page = resolve(root, 'test/bench/page');
  const outDir = resolve(root, 'node_modules/.cache/bench', String(process.pid));
  const config = { configFile: resolve(root, 'vite.config.ts'), root: page, logLevel: 'warn' as const };
  await build({ ...config, build: { outDir, emptyOutDir: true } });
  const server = await preview({ ...config, build: { outDir }, preview: { port: 0 } });
  const browser = await chromium.launch({ executablePath: ensureBrowser(), args: ['--no-sandbox', '--disable-gpu'] });
  try {
    print(`In Chromium ${browser.version()}`);
    const tab = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    tab.on('pageerror', (error) => print(`  ${error.message}`));
    await tab.goto(server.resolvedUrls?.local[0] ?? '');
    await tab.waitForFunction(() => 'bench' in window);
    const rows = await tab.evaluate(() =>
      (window as unknown as { bench: BenchPage }).bench.rows.map(({ name, aim }) => ({ name, aim })),
    );
    for (const row of rows.filter(({ name }) => name.includes(only))) {
      const measured = await tab.evaluate(
        (name) => (window as unknown as { bench: BenchPage }).bench.run(name),
        row.name,
      );
      print(`  ${describeRow({ ...row, run: () => Promise.resolve(measured) }, measured)}`);
    }
  } finally {
    await browser.close();
    await server.close();
  }
  await runRooms(only, print);
  await runBusy(only, print);
}
