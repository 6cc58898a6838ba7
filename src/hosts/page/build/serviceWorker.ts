import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import { fileName } from '../serviceWorkerFile.ts';

const require = createRequire(import.meta.url);

/** The version that the patches below were written for; another one needs a review. */
const knownChecksum = '9eb78a8fdbfa4da7';

/** Each changes one place of msw's worker. `from` occurs exactly once. */
const patches: readonly { readonly why: string; readonly from: string; readonly to: string }[] = [
  {
    why: 'A cloned stream buffers without bound and never hears that its reader has gone; nobody here reads the clone.',
    from: 'const responseClone = isEventStreamResponse ? null : response.clone()',
    to: 'const responseClone = null',
  },
  {
    why: 'A registration that ends with the last tab would leave nothing to answer when the page is next opened offline.',
    from: 'await self.registration.unregister()',
    to: '',
  },
  {
    why: 'A new worker that takes over under a running page is one whose messages msw ignores there; it has to wait.',
    from: `addEventListener('install', function () {
  self.skipWaiting()
})`,
    to: '',
  },
];

/** The text of the service worker: the page's files for when there is no network, then msw's worker, mended. */
function serviceWorkerText(shellFiles: readonly string[]): string {
  const shell = readFileSync(new URL('./shell.js', import.meta.url), 'utf8');
  const version = checksum(shellFiles.join('\n'));
  const filled = shell
    .replace("'%VERSION%'", () => JSON.stringify(version))
    .replace("'%FILES%'", () => JSON.stringify(shellFiles));
  return `${filled}\n${mend(readFileSync(require.resolve('msw/mockServiceWorker.js'), 'utf8'))}`;
}

function mend(original: string): string {
  const found = checksum(original);
  if (found !== knownChecksum) {
    throw new Error(
      `msw's service worker has changed (${found}): check each patch in src/hosts/page/build/serviceWorker.ts against it`,
    );
  }
  return patches.reduce((text, { from, to }) => {
    if (text.split(from).length !== 2) throw new Error(`msw's service worker no longer has exactly one: ${from}`);
    return text.replace(from, () => to);
  }, original);
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Serves the service worker while developing, and writes it with the list of the page's files when building. */
export function serviceWorker(): Plugin {
  return {
    name: 'vitrine:service-worker',
    configureServer(server) {
      server.middlewares.use(`/${fileName}`, (_request, response) => {
        response.setHeader('content-type', 'text/javascript');
        response.setHeader('cache-control', 'no-cache');
        response.end(serviceWorkerText([]));
      });
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = Object.keys(bundle).filter((name) => name !== 'index.html' && !name.endsWith('.map'));
        // index.html is named './': the folder itself is what a visitor opens. It is kept last, as it needs the others.
        this.emitFile({ type: 'asset', fileName, source: serviceWorkerText([...files.sort(), './']) });
      },
    },
  };
}
