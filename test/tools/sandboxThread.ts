import { mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/** Bundles the thread of the sandbox for Node, as `test/tools/run.mjs` does for programs; gives the file. */
export async function bundleSandboxThread(): Promise<URL> {
  const dir = resolve('node_modules/.cache/sandbox', String(process.pid));
  mkdirSync(dir, { recursive: true });
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }));
  const bundle = await rolldown({
    input: 'src/hosts/node/sandboxThread.ts',
    platform: 'node',
    external: /^(?![./\0]|[a-z]:\\)/i,
    logLevel: 'warn',
  });
  await bundle.write({ dir, format: 'esm', entryFileNames: 'sandboxThread.mjs' });
  await bundle.close();
  return pathToFileURL(resolve(dir, 'sandboxThread.mjs'));
}
