// `npm run e2e -- FILE …`: builds into a folder of its own and runs the browser tests named (all where none is).
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { ensureBrowser, ensureClients, ensurePackages, root } from './install.mjs';

ensurePackages();
ensureClients();
const dist = resolve(root, 'node_modules/.cache/e2e', String(process.pid));
const env = { ...process.env, CHROMIUM: ensureBrowser(), VITRINE_DIST: dist };
const run = (program, ...args) =>
  spawnSync(resolve(root, 'node_modules/.bin', program), args, { cwd: root, env, stdio: 'inherit' }).status ?? 1;

let status = run('vite', 'build', '--logLevel', 'warn');
if (status === 0) status = run('playwright', 'test', ...process.argv.slice(2));
rmSync(dist, { recursive: true, force: true });
process.exit(status);
