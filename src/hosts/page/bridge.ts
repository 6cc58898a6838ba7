/**
 * Allows clients outside of the browser to connect. The worker holds the connection (bridge/tab.ts); this is the page's
 * part.
 */
import { delay, inBackground, realClock, throwToHost } from '../../std/index.ts';
import type { BridgeNews, BridgeWish } from '../bridge/tab.ts';
import { BRIDGE_PATH, BRIDGE_VERSION } from '../bridge/messages.ts';
import { kubeconfigOf } from '../kubeconfig.ts';
import type { ClientFiles } from '../worker/bridge.ts';
import { callFrom } from './call.ts';
import type { BridgeControl, BridgeState } from './cluster.ts';
import type { Connection } from './connection.ts';
import { bridgeKey } from './known.ts';
import { linesOf } from './listen.ts';

const FIRST_WAIT = 500;
const LONGEST_WAIT = 5_000;

const clock = realClock();

type Ask = <T>(path: string, body?: object) => Promise<T>;

/** What clients know a cluster by, kept by the browser so that their configuration stays right. */
type Kept = Pick<BridgeWish, 'secret' | 'port'>;

export function bridgeOver(name: string, connection: Pick<Connection, 'send' | 'left'>, ask: Ask): BridgeControl {
  const key = bridgeKey(name);
  const listeners = new Set<(state: BridgeState) => void>();
  let state: BridgeState = { is: 'off' };
  let running: AbortController | undefined;

  const set = (next: BridgeState): void => {
    state = next;
    for (const tell of listeners) tell(next);
  };

  const end = (next: BridgeState): void => {
    running?.abort();
    running = undefined;
    set(next);
  };

  const close = (why?: string): void => {
    sessionStorage.removeItem(key);
    end({ is: 'off', ...(why !== undefined && { why }) });
  };

  const take = (news: BridgeNews): void => {
    if (news.is === 'ended') return news.again ? set({ is: 'waiting', why: news.why }) : close(news.why);
    keep(key, { ...keptOf(key), port: news.port });
    set({ is: 'open', url: `https://127.0.0.1:${news.port}` });
  };

  const keepOpen = async (signal: AbortSignal): Promise<void> => {
    for (let wait = FIRST_WAIT; !signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT)) {
      const wish: BridgeWish = { ...keptOf(key), url: address('ws:'), cluster: name };
      const call = await callFrom('tab', '/', { method: 'POST', body: JSON.stringify(wish), signal });
      try {
        await linesOf<BridgeNews>(connection, call, (news) => {
          if (!signal.aborted) news.forEach(take);
          if (state.is === 'open') wait = FIRST_WAIT / 2;
        });
      } catch (error) {
        if (!signal.aborted) set({ is: 'waiting', why: error instanceof Error ? error.message : String(error) });
      }
      if (!signal.aborted) await delay(clock, wait, signal);
    }
  };

  inBackground(
    connection.left.then(() => end({ is: 'off' })),
    throwToHost,
  );

  return {
    find,
    follow: (listener) => {
      listeners.add(listener);
      listener(state);
      return () => listeners.delete(listener);
    },
    open: () => {
      if (running) return;
      sessionStorage.setItem(key, 'open');
      running = new AbortController();
      set({ is: 'opening' });
      inBackground(keepOpen(running.signal), throwToHost);
    },
    close: () => close(),
    kubeconfig: async () => {
      if (state.is !== 'open') throw new Error('clients are not let in yet');
      const { authority, ...user } = await ask<ClientFiles>('/bridge/client', {});
      return kubeconfigOf({ name, url: state.url, authority, user });
    },
  };
}

/** Where the browser has no room for it, clients get another address after a reload. */
function keep(key: string, kept: Kept): void {
  try {
    localStorage.setItem(key, JSON.stringify(kept));
  } catch {
    // There is nothing to be done here.
  }
}

/** The stored value, or a new one. */
function keptOf(key: string): Kept {
  const known = localStorage.getItem(key);
  if (known !== null) return JSON.parse(known) as Kept;
  const made = { secret: crypto.randomUUID(), port: 0 };
  keep(key, made);
  return made;
}

/** The address of the bridge beside the page. */
function address(protocol: string): string {
  const url = new URL(BRIDGE_PATH, document.baseURI);
  url.protocol = protocol;
  return url.href;
}

async function find(): Promise<boolean> {
  try {
    const response = await fetch(new URL(BRIDGE_PATH, document.baseURI), { cache: 'no-store' });
    if (!response.headers.get('content-type')?.startsWith('application/json')) return false;
    return ((await response.json()) as { bridge?: unknown }).bridge === BRIDGE_VERSION;
  } catch {
    return false;
  }
}
