// Runs a TypeScript program in Node: `node test/tools/run.mjs FILE.ts [arguments]`.
// Node 20 strips no types, so the program is bundled first (some 100 ms); packages stay outside the bundle.
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensurePackages, root } from './install.mjs';

const [entry, ...args] = process.argv.slice(2);
if (!entry) {
  console.error('usage: node test/tools/run.mjs FILE.ts [arguments]');
  process.exit(2);
}
ensurePackages();

// The bundle has to lie under node_modules so that it finds the packages; each process has its own folder.
const cache = resolve(root, 'node_modules/.cache/run');
mkdirSync(cache, { recursive: true });
removeLeftovers();
const out = resolve(cache, String(process.pid));
process.on('exit', () => rmSync(out, { recursive: true, force: true }));

const { rolldown } = await import('rolldown');
const bundle = await rolldown({
  input: {
    main: resolve(root, entry),
    // A server starts threads of its own for code that people write.
    ...(entry === 'src/hosts/node/main.ts' && { sandboxThread: resolve(root, 'src/hosts/node/sandboxThread.ts') }),
  },
  cwd: root,
  platform: 'node',
  external: /^(?![./\0]|[a-z]:\\)/i,
  logLevel: 'warn',
});
await bundle.write({
  dir: out,
  format: 'esm',
  sourcemap: 'inline',
  entryFileNames: '[name].mjs',
  chunkFileNames: '[name]-[hash].mjs',
});
await bundle.close();

process.argv = [process.argv[0], resolve(root, entry), ...args];
process.setSourceMapsEnabled(true);
try {
  await import(pathToFileURL(resolve(out, 'main.mjs')).href);
} catch (error) {
  // An option that the program does not have, or one without its value.
  if (!String(error?.code).startsWith('ERR_PARSE_ARGS_')) throw error;
  console.error(`error: ${error.message}`);
  process.exit(2);
}

/** A process that was killed could not remove its folder. */
function removeLeftovers() {
  for (const name of readdirSync(cache)) {
    try {
      process.kill(Number(name), 0);
    } catch {
      rmSync(resolve(cache, name), { recursive: true, force: true });
    }
  }
}
