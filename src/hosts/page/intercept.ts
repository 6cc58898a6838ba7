import { WholeResponse } from '../../std/index.ts';
import { isRead, notServed, outcomeUnknown } from '../wire/index.ts';
import { callOf } from './call.ts';
import type { Connection } from './connection.ts';
import { identifyWrites, onlyOnce } from './once.ts';
import { fileName } from './serviceWorkerFile.ts';
import { canIntercept } from './origin.ts';

/** The clusters that are open in this tab, by name. */
export type OpenClusters = ReadonlyMap<string, Pick<Connection, 'send'>>;

/** The folder of the page; the service worker controls everything below it. */
const home = new URL('./', document.baseURI);
const clusters = new URL('clusters/', home);

/** Where the page's own `fetch` reaches a cluster. */
export function baseOf(name: string): string {
  return new URL(encodeURIComponent(name), clusters).href;
}

/** Makes `fetch` reach the open clusters; resolves when it does. Safe to call more than once. */
export function intercept(open: OpenClusters): Promise<void> {
  started ??= canIntercept() ? startServiceWorker(open).catch(() => wrapFetch(open)) : Promise.resolve(wrapFetch(open));
  return started;
}

let started: Promise<void> | undefined;

async function startServiceWorker(open: OpenClusters): Promise<void> {
  const [{ setupWorker }, { http }] = await Promise.all([import('msw/browser'), import('msw/http')]);
  await claimPage();
  const everyCluster = new RegExp(`^${clusters.href.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);
  const answerOnce = onlyOnce((request) => answer(open, request));
  const worker = setupWorker(http.all(everyCluster, async ({ request }) => handedOver(await answerOnce(request))));
  await worker.start({
    quiet: true,
    onUnhandledFrame: 'bypass',
    serviceWorker: { url: new URL(fileName, home).href },
  });
  await controlled();
  identifyWrites(clusters.href);
}

/** How long after a cluster is open the service worker begins to keep the page's files. A shorter visit is not worth ten megabytes. */
const KEEP_AFTER_MS = 20_000;

/** Has the service worker keep the page's files, so that the page opens without a network the next time. */
export function keepPage(): void {
  if (!canIntercept()) return;
  setTimeout(() => navigator.serviceWorker.controller?.postMessage('vitrine:keep-shell'), KEEP_AFTER_MS);
}

/** After a hard reload the page has no service worker; on request the worker controls it again. */
async function claimPage(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration(home.href);
  if (navigator.serviceWorker.controller || !registration?.active) return;
  registration.active.postMessage('vitrine:claim');
  await controlled();
}

/** Until a service worker controls the page, requests go past it to the network. */
function controlled(): Promise<void> {
  if (navigator.serviceWorker.controller) return Promise.resolve();
  return new Promise((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', () => resolve(), { once: true });
  });
}

/** Without service workers the page's own `fetch` is all that can be reached. */
function wrapFetch(open: OpenClusters): void {
  const original = globalThis.fetch.bind(globalThis);
  globalThis.fetch = (input, init) => {
    const url = input instanceof Request ? input.url : new URL(input, document.baseURI).href;
    return url.startsWith(clusters.href) ? answer(open, new Request(input, init)).then(native) : original(input, init);
  };
}

async function answer(open: OpenClusters, request: Request): Promise<Response> {
  const [, segment = ''] = new URL(request.url).pathname.slice(home.pathname.length).split('/');
  const connection = open.get(decodeURIComponent(segment));
  if (!connection) return notServed(`the cluster ${segment} is not open in this tab`);
  const base = `${clusters.pathname}${segment}`;
  const call = await callOf('api', request, request.signal, base);
  try {
    return await connection.send(call);
  } catch (error) {
    if (request.signal.aborted) throw error;
    const why = error instanceof Error ? error.message : String(error);
    return isRead(request.method) ? notServed(why) : outcomeUnknown(why);
  }
}

/** What `fetch` and the service worker take is a Response of the platform's own. */
const native = (response: Response): Response => (response instanceof WholeResponse ? response.native() : response);

/**
 * A response for the service worker. A whole body goes there as bytes, in place of the stream that msw would transfer: to read that from
 * another thread takes longer than the rest of a long list.
 */
async function handedOver(response: Response): Promise<Response> {
  if (!(response instanceof WholeResponse) || response.isBodyless) return native(response);
  const { buffer } = await response.bytes();
  return Object.defineProperty(new Response(null, response), 'body', { value: buffer });
}
