import { expect, test, type Page } from '@playwright/test';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { ClusterOptions } from '../src/cluster/index.ts';

export const administrator = { authorization: 'Bearer admintoken' };

/** A cluster with an administrator's token, for tests that speak to it as any client would. */
export function cluster(name: string, more: Partial<ClusterOptions> = {}): ClusterOptions {
  return {
    name,
    apiserver: ['--authorization-mode=RBAC', '--token-auth-file=tokens.csv'],
    files: { 'tokens.csv': 'admintoken,admin,uid-admin,"system:masters"\n' },
    ...more,
  };
}

/** Opens the page and a cluster in it; its address for `fetch`. */
export async function boot(page: Page, options: ClusterOptions, path = './'): Promise<string> {
  await page.goto(path);
  return bootHere(page, options);
}

/** As `boot`, in a page that is open already. */
export async function bootHere(page: Page, options: ClusterOptions): Promise<string> {
  await page.waitForFunction(() => 'vitrine' in window);
  return page.evaluate(async (given) => (await window.vitrine.boot(given)).base, options);
}

/** Unfolds the start page's form and fills in a name. */
export async function fillForm(page: Page, name: string): Promise<void> {
  await page.goto('./');
  await page.getByRole('button', { name: 'New cluster with your own settings' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('radio', { name: 'cluster.io', exact: true }).click();
}

/** Creates a cluster by the start page's form, waits until it is open and goes to a room: by an empty name, to the one that opens. */
export async function createByForm(page: Page, name: string, room = 'explore'): Promise<void> {
  await fillForm(page, name);
  await page.getByRole('button', { name: 'Create cluster' }).click();
  await expect(page.getByRole('navigation', { name: 'Panels' })).toBeVisible({ timeout: 30_000 });
  if (room === '') return;
  await page.evaluate((to) => void (location.hash = to), `#/${name}/${room}`);
  await expect(page.getByRole('main', { name: new RegExp(`^${room}$`, 'i') })).toBeVisible();
}

export interface Answered {
  readonly status: number;
  readonly body: { readonly [key: string]: unknown } & { readonly metadata?: { readonly resourceVersion?: string } };
}

/** One request from within the page, by its own `fetch`, as the administrator. */
export function ask(page: Page, base: string, path: string, method = 'GET', body?: unknown): Promise<Answered> {
  return page.evaluate(
    async ([url, verb, payload, headers]) => {
      const init =
        payload === undefined ? { method: verb, headers } : { method: verb, headers, body: JSON.stringify(payload) };
      const response = await fetch(url, { ...init, headers: { ...headers, 'content-type': 'application/json' } });
      return { status: response.status, body: (await response.json()) as Answered['body'] };
    },
    [base + path, method, body, administrator] as const,
  );
}

export const configMaps = '/api/v1/namespaces/default/configmaps';

export const configMap = (name: string, data: Record<string, string> = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

/** Opens a watch in the page; its events gather in `window.watches[id]`, as `TYPE name`, and how it ended last. */
export async function watch(page: Page, base: string, path: string, id = 'w'): Promise<void> {
  await page.evaluate(
    async ([url, headers, key]) => {
      const seen: string[] = [];
      const all = ((window as Watching).watches ??= {});
      all[key] = seen;
      const response = await fetch(url, { headers });
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
      const read = async (): Promise<void> => {
        let rest = '';
        for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
          const lines = (rest + next.value).split('\n');
          rest = lines.pop() ?? '';
          for (const line of lines) {
            const { type, object } = JSON.parse(line) as { type: string; object: { metadata?: { name?: string } } };
            seen.push(`${type} ${object.metadata?.name ?? ''}`);
          }
        }
      };
      read().then(
        () => seen.push('END'),
        (error: Error) => seen.push(`BROKEN ${error.message}`),
      );
    },
    [base + path, administrator, id] as const,
  );
}

type Watching = Window & { watches?: Record<string, string[]> };

/** What a watch has delivered so far. */
export function watched(page: Page, id = 'w'): Promise<readonly string[]> {
  return page.evaluate((key) => (window as Watching).watches?.[key] ?? [], id);
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/** Serves the built page at `prefix` on a port of its own, as any static server does. */
export async function serveBuild(
  prefix = '/',
  /** Whether a file can't be had just now. */
  refuses: (file: string) => boolean = () => false,
): Promise<{ port: number; close(): Promise<void> }> {
  const dist = process.env['VITRINE_DIST'] ?? 'dist';
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://x').pathname);
    const file = path === prefix ? 'index.html' : path.slice(prefix.length);
    try {
      if (!path.startsWith(prefix) || refuses(file)) throw new Error('elsewhere');
      const content = readFileSync(join(dist, file));
      response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(content);
    } catch {
      response.writeHead(404).end('not here');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { port: (server.address() as AddressInfo).port, close };
}

interface Look {
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
  readonly contrast?: 'more';
  /** Large type, as for a projector. */
  readonly large?: true;
}

/** The sizes and colours in which a journey's pages have to be readable: at a desk, on a phone, by a projector; with high contrast. */
const LOOKS: readonly Look[] = (['light', 'dark'] as const).flatMap((colorScheme) => [
  { width: 1440, height: 900, colorScheme },
  { width: 390, height: 844, colorScheme },
  { width: 1920, height: 1080, colorScheme, large: true },
  { width: 1440, height: 900, colorScheme, contrast: 'more' },
]);

const nameOf = ({ width, colorScheme, contrast }: Look): string =>
  [width, colorScheme, ...(contrast ? ['contrast'] : [])].join(' ');

/** Takes a picture of the page in all of its looks; in none may it be wider than the window. */
export async function picture(page: Page, name: string): Promise<void> {
  const before = page.viewportSize();
  for (const look of LOOKS) {
    // Without motion: a picture shows the colours, not the way to them.
    await page.emulateMedia({
      colorScheme: look.colorScheme,
      reducedMotion: 'reduce',
      contrast: look.contrast ?? 'no-preference',
    });
    await page.setViewportSize(look);
    await page.evaluate((size) => void (document.documentElement.dataset['size'] = size), sizeOf(look));
    const overflow = (): Promise<number> =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.poll(overflow, { message: `${name}, ${nameOf(look)}` }).toBeLessThanOrEqual(0);
    await page.screenshot({ path: test.info().outputPath(`${name} ${nameOf(look)}.png`) });
  }
  await page.emulateMedia({ colorScheme: null, reducedMotion: null, contrast: null });
  await page.evaluate((size) => void (document.documentElement.dataset['size'] = size), 'normal');
  if (before) await page.setViewportSize(before);
}

const sizeOf = ({ large }: Look): string => (large ? 'projector' : 'normal');
