/** The built page in a browser, for soaks in tabs. */
import { chromium } from '@playwright/test';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { build, preview } from 'vite';
import { ensureBrowser } from '../tools/install.mjs';
import type { SoakOutcome } from './outcome.ts';
import { soakInTabs } from './soakInTabs.ts';

export interface SoakBrowser {
  /** Plays one seed through, in a profile of its own. */
  soak(seed: number, rounds: number): Promise<SoakOutcome>;
  close(): Promise<void>;
}

/** Builds the page and serves it. */
export async function openBrowser(): Promise<SoakBrowser> {
  const cache = resolve('node_modules/.cache/soak', String(process.pid));
  const outDir = resolve(cache, 'dist');
  await build({ logLevel: 'warn', build: { outDir, emptyOutDir: true } });
  const server = await preview({ logLevel: 'warn', build: { outDir }, preview: { port: 0 } });
  const address = server.resolvedUrls?.local[0] ?? '';
  return {
    soak: async (seed, rounds) => {
      const context = await chromium.launchPersistentContext(resolve(cache, `profile-${seed}`), {
        executablePath: ensureBrowser(),
        args: ['--no-sandbox', '--disable-gpu'],
      });
      try {
        return await soakInTabs(context, address, seed, rounds);
      } finally {
        await context.close();
      }
    },
    close: async () => {
      await server.close();
      rmSync(cache, { recursive: true, force: true });
    },
  };
}
