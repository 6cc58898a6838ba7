/** The built page for benches and soaks, which are programs of their own. */
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { build, preview } from 'vite';
import { ensureBrowser } from './install.mjs';

/** How the browser is started. */
export const launchOptions = (): { readonly executablePath: string; readonly args: string[] } => ({
  executablePath: ensureBrowser(),
  args: ['--no-sandbox', '--disable-gpu'],
});

export interface ServedPage {
  readonly address: string;
  /** A folder that goes with it. */
  readonly folder: string;
  close(): Promise<void>;
}

/** Where a script of a name lies in the built page. */
export const scriptFile = (name: string): string => `assets/${name}.js`;

interface BuildWish {
  /** The folder of another page than the product's. */
  readonly root?: string;
  /** Scripts that are built with the page and share its modules, by name. */
  readonly scripts?: Readonly<Record<string, string>>;
}

/** Builds the product's page, or another one, and serves it on a free port of this machine. */
export async function serveBuiltPage({ root = resolve('.'), scripts = {} }: BuildWish = {}): Promise<ServedPage> {
  const folder = resolve('node_modules/.cache/served', String(process.pid));
  const outDir = resolve(folder, 'dist');
  const config = { configFile: resolve('vite.config.ts'), root, logLevel: 'warn' as const };
  const input = { index: resolve(root, 'index.html'), ...scripts };
  const entryFileNames = ({ name }: { readonly name: string }): string =>
    Object.hasOwn(scripts, name) ? scriptFile(name) : 'assets/[name]-[hash].js';
  await build({
    ...config,
    build: { outDir, emptyOutDir: true, rolldownOptions: { input, output: { entryFileNames } } },
  });
  const server = await preview({ ...config, build: { outDir }, preview: { port: 0 } });
  return {
    address: server.resolvedUrls?.local[0] ?? '',
    folder,
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
