import { chromium, type Browser, type Page } from '@playwright/test';
import { resolve } from 'node:path';
import { launchOptions, serveBuiltPage } from '../tools/servedPage.ts';
import type { Measured, Row } from './row.ts';
import type { Round } from './servers/round.ts';

/** What the benchmark's page offers (page/main.ts). */
export interface BenchPage {
  readonly rows: readonly Pick<Row, 'name' | 'aim'>[];
  run(name: string): Promise<Measured>;
  /** For the comparison of servers: opens a cluster that is kept there, and gives it one round of a workload. */
  open(storage: 'memory' | 'indexeddb'): Promise<void>;
  round(workload: string): Promise<Round>;
}

declare global {
  interface Window {
    bench: BenchPage;
  }
}

interface OpenBenchPage {
  readonly browser: Browser;
  readonly tab: Page;
  close(): Promise<void>;
}

/** Builds the benchmark's page, which has the product's own modules in it, and opens it in Chromium. */
export async function openBenchPage(): Promise<OpenBenchPage> {
  // This program runs as a bundle elsewhere: where the project lies, only the folder it was started in says.
  const served = await serveBuiltPage({ root: resolve(process.cwd(), 'test/bench/page') });
  const browser = await chromium.launch(launchOptions());
  const close = async (): Promise<void> => {
    await browser.close();
    await served.close();
  };
  try {
    const tab = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await tab.goto(served.address);
    await tab.waitForFunction(() => 'bench' in window);
    return { browser, tab, close };
  } catch (error) {
    await close();
    throw error;
  }
}
