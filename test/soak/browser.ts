/** The built page in a browser, for soaks in tabs. */
import { chromium } from '@playwright/test';
import { resolve } from 'node:path';
import { launchOptions, serveBuiltPage } from '../tools/servedPage.ts';
import type { SoakOutcome } from './outcome.ts';
import { soakInTabs } from './soakInTabs.ts';

export interface SoakBrowser {
  /** Plays one seed through, in a profile of its own. */
  soak(seed: number, rounds: number): Promise<SoakOutcome>;
  close(): Promise<void>;
}

/** Builds the page and serves it. */
export async function openBrowser(): Promise<SoakBrowser> {
  const { address, folder, close } = await serveBuiltPage();
  return {
    close,
    soak: async (seed, rounds) => {
      const context = await chromium.launchPersistentContext(resolve(folder, `profile-${seed}`), launchOptions());
      try {
        return await soakInTabs(context, address, seed, rounds);
      } finally {
        await context.close();
      }
    },
  };
}
