import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Connect, Plugin } from 'vite';

/** Only the page's own files run, and nothing evaluates text. Workers made by the editor come from blobs. */
const page: Readonly<Record<string, readonly string[]>> = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'", 'data:'],
  'worker-src': ["'self'", 'blob:'],
  'connect-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'self'"],
  'form-action': ["'none'"],
};

/**
 * What only a header can say: who may frame the page, and what workers may do, which have a policy of their own by the header
 * of their script. The sandbox's worker compiles its engine, which is WebAssembly.
 */
const byHeader = { ...page, 'script-src': ["'self'", "'wasm-unsafe-eval'"], 'frame-ancestors': ["'none'"] };

const textOf = (policy: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(policy)
    .map(([directive, sources]) => [directive, ...sources].join(' '))
    .join('; ');

/** The policy as a header, for a server that gives out the built page. */
export const pagePolicy = textOf(byHeader);

/**
 * The Content Security Policy: in the built page as a meta element, since static servers send no header of ours, and as a
 * header from the servers of `npm start` and `vite preview`. The development server's own inline scripts carry a nonce.
 */
export function contentPolicy(): Plugin {
  const nonce = randomBytes(16).toString('base64');
  const inDevelopment = { ...byHeader, 'script-src': [...byHeader['script-src'], `'nonce-${nonce}'`] };
  return {
    name: 'vitrine:content-policy',
    config: (_config, { command }) => (command === 'serve' ? { html: { cspNonce: nonce } } : {}),
    configureServer: (server) => void server.middlewares.use(sendPolicy(textOf(inDevelopment))),
    configurePreviewServer: (server) => void server.middlewares.use(sendPolicy(pagePolicy)),
    transformIndexHtml: (_html, { server }) =>
      server
        ? []
        : [
            {
              tag: 'meta',
              attrs: { 'http-equiv': 'Content-Security-Policy', content: textOf(page) },
              injectTo: 'head-prepend',
            },
          ],
  };
}

/**
 * Only a page that declares itself as embedded may be framed. Browsers give it separate storage, so it can't access
 * other clusters.
 */
const isEmbedded = ({ url = '' }: Connect.IncomingMessage): boolean => /^[^#]*[?&]embed=/.test(url);

function sendPolicy(policy: string): Connect.NextHandleFunction {
  const framed = policy.replace("frame-ancestors 'none'", 'frame-ancestors *');
  return (request, response: ServerResponse, next) => {
    response.setHeader('content-security-policy', isEmbedded(request) ? framed : policy);
    response.setHeader('x-content-type-options', 'nosniff');
    next();
  };
}
