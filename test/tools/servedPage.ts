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

/** Builds the product's page, or another one whose folder is `root`, and serves it on a free port of this machine. */
export async function serveBuiltPage(root?: string): Promise<ServedPage> {
  const folder = resolve('node_modules/.cache/served', String(process.pid));
  const outDir = resolve(folder, 'dist');
  const config = {
    configFile: resolve('vite.config.ts'),
    ...(root !== undefined && { root }),
    logLevel: 'warn' as const,
  };
  await build({ ...config, build: { outDir, emptyOutDir: true } });
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
