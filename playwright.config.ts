import { defineConfig } from '@playwright/test';
import { findBrowser } from './test/tools/install.mjs';

// The workers are started with this process's environment, so all agree on the port it chooses.
process.env['VITRINE_PORT'] ??= String(20_000 + (process.pid % 20_000));
const port = process.env['VITRINE_PORT'];
const base = `http://127.0.0.1:${port}/`;
const executablePath = findBrowser();

export default defineConfig({
  testDir: 'e2e',
  fullyParallel: true,
  forbidOnly: true,
  // A test that fails now and then is a fault of the product or of the test. `npm test` runs it once more, and names it.
  retries: 0,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: process.env['PLAYWRIGHT_JSON_OUTPUT_FILE'] ? [['list'], ['json']] : [['list']],
  outputDir: `test-results/${port}`,
  use: {
    baseURL: base,
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath !== undefined && { executablePath }),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // A name of this machine that is not one of those that browsers trust without encryption.
        '--host-resolver-rules=MAP vitrine.test 127.0.0.1',
      ],
    },
  },
  webServer: {
    command: `npx vite preview --port ${port} --strictPort --outDir "${process.env['VITRINE_DIST'] ?? 'dist'}"`,
    url: base,
    reuseExistingServer: false,
    stdout: 'ignore',
  },
});
