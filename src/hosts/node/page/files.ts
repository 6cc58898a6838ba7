/** Serves the built page, with a marker that it belongs to a cluster. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { pagePolicy } from '../../page/build/contentPolicy.ts';
import { getOwn } from '../../../std/index.ts';
import { envelopeOf, refuse } from '../adapter.ts';
import { refusalOf } from '../target.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

const HEADERS = {
  'content-security-policy': pagePolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
};

/** Answers with the files of `directory`; index.html names `cluster` as the one that is served here. */
export function fileListener(
  directory: string,
  cluster: string,
): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return (incoming, outgoing) => {
    const refusal = refusalOf(envelopeOf(incoming), []);
    if (refusal) return refuse(outgoing, refusal);
    if (incoming.method !== 'GET' && incoming.method !== 'HEAD') return end(outgoing, 405, 'only files are here');
    const file = fileOf(incoming.url ?? '/');
    if (file === undefined) return end(outgoing, 404, 'not here');
    readFile(join(directory, file)).then(
      (content) => {
        const sent = file === INDEX ? named(content.toString('utf8'), cluster) : content;
        const type = getOwn(TYPES, extname(file)) ?? 'application/octet-stream';
        // Names of files carry a hash of their content, but for the page itself and its service worker.
        const caching = file.includes('assets') ? 'max-age=31536000, immutable' : 'no-cache';
        outgoing.writeHead(200, { ...HEADERS, 'content-type': type, 'cache-control': caching }).end(sent);
      },
      () => end(outgoing, 404, 'not here'),
    );
  };
}

export const INDEX = 'index.html';

/** The path of a file within the directory; undefined for what would lead out of it, and for hidden files. */
export function fileOf(target: string): string | undefined {
  let path: string;
  try {
    path = decodeURIComponent(new URL(target, 'http://x').pathname);
  } catch {
    return undefined;
  }
  if (path.includes('\0') || path.includes('\\') || /\/\./.test(path)) return undefined;
  const file = normalize(path.slice(1));
  if (file === '.' || file === '') return INDEX;
  return file.startsWith('..') || file.startsWith(sep) ? undefined : file;
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => getOwn(ESCAPES, sign) ?? '');

/** The page reads it from its root element (page/servedHere.ts). */
const named = (html: string, cluster: string): string =>
  html.replace('<html', (tag) => `${tag} data-served="${escaped(cluster)}"`);

function end(outgoing: ServerResponse, code: number, text: string): void {
  outgoing.writeHead(code, { ...HEADERS, 'content-type': 'text/plain' }).end(`${text}\n`);
}
