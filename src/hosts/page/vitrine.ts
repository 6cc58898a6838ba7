import type { ClusterOptions, IdTokenWish, Topic, TraceEvent } from '../../cluster/index.ts';
import type { ClockState } from '../worker/clockState.ts';
import type { PageHost } from './host.ts';
import type { RunningCluster } from './cluster.ts';

/**
 * `window.vitrine`: the page's contract with tests and tools. What takes a cluster's name means the one that was opened last
 * when none is given, whether a person opened it or `boot` did.
 */
export interface Vitrine {
  /** Starts a cluster, or opens the one of this name; `fetch(base + '/api/v1/…')` then reaches it. Rejects with the reason. */
  boot(options: ClusterOptions): Promise<{ readonly base: string }>;
  /** The cluster's time. `step` is in milliseconds and resolves when everything that fell due has run. */
  readonly clock: {
    state(name?: string): Promise<ClockState>;
    pause(name?: string): Promise<ClockState>;
    resume(name?: string): Promise<ClockState>;
    scale(factor: number, name?: string): Promise<ClockState>;
    step(ms: number, name?: string): Promise<ClockState>;
    /** Ends the current step at the current time; its promise resolves then. */
    stopStep(name?: string): Promise<ClockState>;
  };
  /** The page's own way to a cluster: `fetch` without the service worker, by default as the built-in administrator. */
  fetch(path: string, init?: RequestInit, name?: string): Promise<Response>;
  /** The OpenID Connect issuer that lives in each cluster, at `https://oidc.vitrine.dev`. */
  readonly issuer: {
    /** Signs an ID token. */
    issue(wish: IdTokenWish, name?: string): Promise<string>;
    /** Takes new keys. */
    rotate(name?: string): Promise<void>;
  };
  /** Listens to the trace (src/trace); returns a function that stops it. Events come in batches. */
  trace(listener: (events: readonly TraceEvent[]) => void, topics?: readonly Topic[], name?: string): () => void;
  /** Closes a cluster in this tab. One in memory is gone then, one on disk can be booted again. */
  stop(name: string): Promise<void>;
  /** Stops a cluster in every tab and deletes its data. */
  remove(name: string): Promise<void>;
}

declare global {
  interface Window {
    vitrine: Vitrine;
  }
}

function createVitrine(host: PageHost): Vitrine {
  const find = (name = [...host.opened.keys()].at(-1)): RunningCluster => {
    const cluster = name === undefined ? undefined : host.opened.get(name);
    if (!cluster) throw new Error(name === undefined ? 'no cluster is open' : `the cluster ${name} is not open`);
    return cluster;
  };

  return {
    boot: async (options) => ({ base: (await host.open(options)).base }),
    clock: {
      state: async (name) => find(name).clock.state(),
      pause: async (name) => find(name).clock.pause(),
      resume: async (name) => find(name).clock.resume(),
      scale: async (factor, name) => find(name).clock.scale(factor),
      step: async (ms, name) => find(name).clock.step(ms),
      stopStep: async (name) => find(name).clock.stopStep(),
    },
    fetch: async (path, init, name) => find(name).transport(path, init),
    issuer: {
      issue: async (wish, name) => find(name).issuer.issue(wish),
      rotate: async (name) => find(name).issuer.rotate(),
    },
    trace: (listener, topics, name) => find(name).trace(listener, topics),
    stop: async (name) => host.opened.get(name)?.stop(),
    remove: (name) => host.remove(name),
  };
}

/** Puts `window.vitrine` there. */
export function exposeVitrine(host: PageHost): void {
  window.vitrine = createVitrine(host);
}
