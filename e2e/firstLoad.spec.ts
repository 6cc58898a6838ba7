/** What a first visit has to fetch: until a cluster is ready, and while it is left alone. */
import { expect, test } from '@playwright/test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { boot } from './support.ts';

/** In bytes by gzip; it may only go down. */
const limit = 390_000;
/** Of that, the worker's script: all that is a control plane before anything is asked of it. */
const workerLimit = 258_000;

/** As the page makes a cluster where nothing is changed in its form. */
const options = {
  name: 'light',
  nodes: 3,
  storage: 'indexeddb',
  apiserver: ['--authorization-mode=Node,RBAC'],
  controllerManager: ['--use-service-account-credentials=true'],
} as const;

/** Milliseconds without any file: longer than nodes, controllers and scheduler need to settle and to renew what they hold. */
const QUIET = 11_000;

test('the first load is small, and nothing more is fetched while nobody asks for anything', async ({ page }) => {
  const fetched = new Map<string, Promise<Buffer>>();
  let last = Date.now();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.includes('/clusters/')) return;
    last = Date.now();
    fetched.set(pathname, response.body());
  });
  await boot(page, options);
  await expect.poll(() => Date.now() - last, { timeout: 50_000 }).toBeGreaterThan(QUIET);
  const files = await Promise.all([...fetched].map(async ([path, body]) => [path, await body] as const));
  const heaviest = files
    .map(([path, body]) => ({ path, gzip: gzipSync(body).byteLength, brotli: brotliCompressSync(body).byteLength }))
    .sort((a, b) => b.gzip - a.gzip);
  const sum = (form: 'gzip' | 'brotli', of = heaviest): number => of.reduce((all, file) => all + file[form], 0);
  const lines = heaviest.map(({ path, gzip }) => `${gzip} ${path}`);
  const worker = heaviest.filter(({ path }) => /\/(main|core)-/.test(path));
  console.log(
    `first load: ${sum('gzip')} bytes by gzip, ${sum('brotli')} by Brotli, in ${files.length} files\n` +
      `  the worker's own: ${sum('gzip', worker)} by gzip, ${sum('brotli', worker)} by Brotli\n  ${lines.slice(0, 8).join('\n  ')}`,
  );
  expect(lines.filter((line) => /monaco|editor\.worker|yaml\.worker|SchemaEditor/.test(line))).toEqual([]);
  expect(sum('gzip', worker), lines.join('\n')).toBeLessThan(workerLimit);
  expect(sum('gzip'), lines.join('\n')).toBeLessThan(limit);
});
