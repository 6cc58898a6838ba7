// `npm start`: serves the page and prints its address. `npm start -- --port 5173` chooses the port.
import { ensurePackages, root } from './install.mjs';

ensurePackages();
const { createServer } = await import('vite');
const at = process.argv.indexOf('--port');
const port = at > 0 ? Number(process.argv[at + 1]) : 5173;
const server = await createServer({ root, configFile: `${root}/vite.config.ts`, server: { port }, clearScreen: false });
await server.listen();
const [address] = server.resolvedUrls?.local ?? [];
console.log(`\n  Vitrine is at ${address}\n`);
