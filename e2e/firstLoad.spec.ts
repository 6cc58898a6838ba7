/** What a first visit has to fetch: until a cluster is ready, and while it is left alone. */
import { expect, test, type Page } from '@playwright/test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { boot, createByForm } from './support.ts';

/**
 * In bytes by gzip. The second is what a person waits for who makes a cluster by the form, down to its first room, the Glass;
 * it is to stay within 400,000. Both may only go down.
 */
const limit = 310_400;
const byFormLimit = 370_200;
/** In bytes by Brotli, which is how most servers answer browsers: the aim. */
const aim = 400_000;
/** Of that, the worker's script: all that is a control plane before anything is asked of it. */
const workerLimit = 240_100;

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

interface Fetched {
  readonly path: string;
  readonly gzip: number;
  readonly brotli: number;
}

/** What the page fetches while `use` goes on and until it has been quiet for a while, the heaviest first. */
async function fetchedBy(page: Page, use: () => Promise<unknown>): Promise<readonly Fetched[]> {
  const fetched = new Map<string, Promise<Buffer>>();
  let last = Date.now();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.includes('/clusters/')) return;
    last = Date.now();
    fetched.set(pathname, response.body());
  });
  await use();
  await expect.poll(() => Date.now() - last, { timeout: 50_000 }).toBeGreaterThan(QUIET);
  const files = await Promise.all([...fetched].map(async ([path, body]) => [path, await body] as const));
  return files
    .map(([path, body]) => ({ path, gzip: gzipSync(body).byteLength, brotli: brotliCompressSync(body).byteLength }))
    .sort((a, b) => b.gzip - a.gzip);
}

const sum = (files: readonly Fetched[], form: 'gzip' | 'brotli'): number =>
  files.reduce((all, file) => all + file[form], 0);
const listed = (files: readonly Fetched[]): string => files.map(({ path, gzip }) => `${gzip} ${path}`).join('\n  ');

function tell(what: string, files: readonly Fetched[]): void {
  const sizes = `${sum(files, 'gzip')} bytes by gzip, ${sum(files, 'brotli')} by Brotli`;
  console.log(`${what}: ${sizes}, in ${files.length} files\n  ${listed(files.slice(0, 8))}`);
}

test('the first load is small, and nothing more is fetched while nobody asks for anything', async ({ page }) => {
  const files = await fetchedBy(page, () => boot(page, options));
  const worker = files.filter(({ path }) => /\/(main|core)-/.test(path));
  tell('first load', files);
  tell('of that, the worker’s own', worker);
  expect(sum(worker, 'gzip'), listed(files)).toBeLessThan(workerLimit);
  expect(sum(files, 'gzip'), listed(files)).toBeLessThan(limit);
});

test('a cluster made by the form is opened without the editor, within the aim', async ({ page }) => {
  const files = await fetchedBy(page, () => createByForm(page, 'light', ''));
  tell('first load by the form', files);
  expect(files.filter(({ path }) => /monaco|editor\.worker|yaml\.worker|SchemaEditor/.test(path))).toEqual([]);
  expect(sum(files, 'brotli'), listed(files)).toBeLessThan(aim);
  expect(sum(files, 'gzip'), listed(files)).toBeLessThan(byFormLimit);
});
