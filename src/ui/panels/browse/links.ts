/** Pages of servers in the cluster: where their links lead, and what of them may be shown. */

/** A link of a page that leads to another page of the same server. */
export interface PageLink {
  readonly text: string;
  /** With the query. */
  readonly path: string;
}

/** A page without whatever could run, load or leave, and its links, which stand beside it. */
export interface Page {
  readonly html: string;
  readonly links: readonly PageLink[];
}

/** Nothing depends on it. */
const ORIGIN = 'http://server.invalid';

/** The path to which a link on the page at `path` leads; undefined where it leads away. `prefix` is that of the API server's proxy. */
export function pathOfLink(href: string, path: string, prefix: string): string | undefined {
  if (!URL.canParse(href, ORIGIN + path)) return undefined;
  const url = new URL(href, ORIGIN + path);
  if (url.origin !== ORIGIN) return undefined;
  const own = url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : url.pathname;
  return own + url.search;
}

const REMOVED = 'script, noscript, iframe, frame, object, embed, base, meta, link, template, audio, video, source';
const MOST_LINKS = 50;

/** Reads a page that was at `path`. */
export function readPage(text: string, path: string, prefix: string): Page {
  const page = new DOMParser().parseFromString(text, 'text/html');
  for (const element of page.querySelectorAll(REMOVED)) element.remove();
  const links = new Map<string, PageLink>();
  for (const link of page.querySelectorAll('[href]')) {
    const to = pathOfLink(link.getAttribute('href') ?? '', path, prefix);
    if (to !== undefined && !links.has(to)) links.set(to, { text: textOf(link) || to, path: to });
    link.removeAttribute('href');
    link.setAttribute('style', 'text-decoration: underline');
  }
  for (const name of ['action', 'formaction', 'target', 'ping', 'xlink:href'])
    for (const element of page.querySelectorAll(`[${CSS.escape(name)}]`)) element.removeAttribute(name);
  return { html: page.documentElement.outerHTML, links: [...links.values()].slice(0, MOST_LINKS) };
}

const textOf = (element: Element): string => element.textContent.trim().replaceAll(/\s+/g, ' ').slice(0, 80);
