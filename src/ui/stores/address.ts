/**
 * Where the person is, as the URL's hash says it: `#/CLUSTER/PANEL/path…?ns=default&sel=…`. Everything that can be
 * selected has an address; the hash is the only place where the selection is kept.
 */
import { setOwn } from '../../std/index.ts';
import { create } from '../store.ts';

export interface Address {
  /** Empty on the start page. */
  readonly cluster: string;
  readonly panel: string;
  /** What the panel makes of it: a resource's group, version and plural in Explore. */
  readonly path: readonly string[];
  readonly query: Readonly<Record<string, string>>;
  /** What a link carries that is no address but a whole cluster: `#share=…`. */
  readonly shared?: string;
}

/** A change of address; what is not named stays. A query value of `undefined` is taken out. */
export interface Step {
  readonly cluster?: string;
  readonly panel?: string;
  readonly path?: readonly string[];
  readonly query?: Readonly<Record<string, string | undefined>>;
}

/** Keys that outlive a change of panel. */
const LASTING = ['ns', 'sel', 'tab', 'at'];

const SHARED = '#share=';

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export function parseAddress(hash: string): Address {
  if (hash.startsWith(SHARED))
    return { cluster: '', panel: '', path: [], query: {}, shared: hash.slice(SHARED.length) };
  const [path = '', query = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const [cluster = '', panel = '', ...rest] = path.split('/').filter(Boolean).map(decode);
  return { cluster, panel, path: rest, query: Object.fromEntries(new URLSearchParams(query)) };
}

// Slashes, colons and commas are allowed in a fragment's query and read better than their escapes.
const encodeQuery = (text: string): string => encodeURIComponent(text).replace(/%(2F|3A|2C)/g, decode);

export function formatAddress({ cluster, panel, path, query }: Address): string {
  const segments = [cluster, panel, ...path].filter(Boolean).map(encodeURIComponent).join('/');
  const pairs = Object.entries(query).map(([key, value]) => `${encodeQuery(key)}=${encodeQuery(value)}`);
  return `#/${segments}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`;
}

/** The address that `step` leads to. Another panel keeps only what is lasting; another cluster keeps nothing. */
export function follow(from: Address, step: Step): Address {
  const cluster = step.cluster ?? from.cluster;
  const panel = step.panel ?? from.panel;
  const moved = cluster !== from.cluster;
  const kept = moved ? [] : Object.entries(from.query).filter(([key]) => panel === from.panel || LASTING.includes(key));
  const query = Object.fromEntries(kept);
  for (const [key, value] of Object.entries(step.query ?? {})) {
    if (value === undefined || value === '') delete query[key];
    else setOwn(query, key, value);
  }
  const path = step.path ?? (moved || panel !== from.panel ? [] : from.path);
  return { cluster, panel, path, query };
}

export const useAddress = create<Address>()(() => parseAddress(globalThis.location?.hash ?? ''));

/** Keeps the store in step with the URL; called once, by the page's entry. */
export function followLocation(): void {
  const read = (): void => useAddress.setState(parseAddress(location.hash), true);
  window.addEventListener('hashchange', read);
  read();
}

/** The URL that `step` leads to from here, for links. */
export function hrefOf(step: Step, from: Address = useAddress.getState()): string {
  return formatAddress(follow(from, step));
}

/** Goes on without the cluster that a link carries. */
export function leaveLink(): void {
  history.replaceState(null, '', '#/');
  useAddress.setState(parseAddress('#/'), true);
}

/** Goes there. `replace` leaves no trace in the browser's history. */
export function go(step: Step, replace = false): void {
  const href = hrefOf(step);
  if (href === location.hash) return;
  if (replace) history.replaceState(null, '', href);
  else history.pushState(null, '', href);
  useAddress.setState(parseAddress(href), true);
}
