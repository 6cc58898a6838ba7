/** Rule 8 of storage where it counts: in a worker that is killed at any moment, on the browser's own disk. */
import { expect, test } from '@playwright/test';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { PreviewServer } from 'vite';
import { build, preview } from 'vite';
import type { Outcome } from './storageKill/page.ts';

const ROUNDS = 200;
const outDir = resolve('node_modules/.cache/e2e', `kill-${process.pid}`);
let server: PreviewServer;

test.beforeAll(async () => {
  const config = { configFile: false as const, root: resolve('e2e/storageKill'), logLevel: 'warn' as const };
  await build({
    ...config,
    base: './',
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, target: 'es2022' },
  });
  server = await preview({ ...config, build: { outDir }, preview: { host: '127.0.0.1', port: 0 } });
});

test.afterAll(async () => {
  await server.close();
  rmSync(outDir, { recursive: true, force: true });
});

test(`${ROUNDS} workers killed at random moments lose nothing that was acknowledged`, async ({ page }) => {
  test.setTimeout(300_000);
  await page.goto(server.resolvedUrls?.local[0] ?? '');
  await page.waitForFunction(() => 'run' in window);
  const outcome = await page.evaluate(
    (rounds) => (window as unknown as { run(n: number): Promise<Outcome> }).run(rounds),
    ROUNDS,
  );
  test.info().annotations.push({ type: 'outcome', description: JSON.stringify(outcome) });
  expect(outcome.lost).toEqual([]);
  expect(outcome.opened, 'most rounds get as far as writing').toBeGreaterThan(ROUNDS / 2);
  expect(outcome.acknowledged).toBeGreaterThan(ROUNDS);
  expect(outcome.killed).toBe(ROUNDS);
});
