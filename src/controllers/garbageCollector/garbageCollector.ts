/**
 * Garbage collection: an object whose owners are all gone is deleted; one that is deleted in the foreground waits until
 * the dependents that block it are gone; one that is deleted with its dependents orphaned lets them go first.
 *
 * Watches every resource that can be listed, watched and deleted, events aside.
 */
import { pathOf, type DiscoveredResource, type Informer } from '../../client/index.ts';
import { delay } from '../../std/index.ts';
import type { Controller, ControllerContext } from '../runtime/index.ts';
import { Collector } from './collector.ts';
import { AnyObjects } from './objects.ts';

/** Milliseconds after a definition changed until the server is asked what it serves now. */
const SETTLE = 200;
/** Milliseconds that collecting waits for a new watch to begin. */
const PATIENCE = 30_000;

interface Monitor {
  readonly resource: DiscoveredResource;
  readonly informer: Informer;
  readonly stop: () => void;
}

/** Which resources are watched: each once, those left out that have no owners or come and go all the time. */
export function planMonitors(served: readonly DiscoveredResource[]): readonly DiscoveredResource[] {
  const needed = ['delete', 'list', 'watch'];
  return served.filter((r) => r.resource !== 'events' && needed.every((verb) => r.verbs.includes(verb)));
}

class Monitors {
  readonly #context: ControllerContext;
  readonly #collector: Collector;
  readonly #monitors = new Map<string, Monitor>();
  #begun: Promise<unknown> = Promise.resolve();

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#collector = new Collector(context, new AnyObjects(context.client, context.served), () =>
      this.#begun.then(() => undefined),
    );
    const loop = context.loop({ name: 'garbagecollector/monitors', reconcile: () => this.#sync() });
    context.served.onChange(() => loop.addAfter('monitors', SETTLE));
    loop.add('monitors');
    context.onStop(() => this.#stop());
  }

  async #sync(): Promise<void> {
    const { preferred, failed } = await this.#context.served.discovery();
    const wanted = new Map(
      planMonitors(preferred).map((resource) => [pathOf(resource, this.#context.names), resource]),
    );
    for (const [path, monitor] of this.#monitors)
      if (!wanted.has(path) && failed.length === 0) this.#end(path, monitor);
    for (const [path, resource] of wanted) if (!this.#monitors.has(path)) this.#begin(path, resource);
    if (failed.length > 0) throw new Error(`not discovered: ${failed.map((f) => f.groupVersion).join(', ')}`);
  }

  #begin(path: string, resource: DiscoveredResource): void {
    const informer = this.#context.informers.metadataOf(resource);
    const { graph } = this.#collector;
    const take: Collector['take'] = (...change) => this.#collector.take(...change);
    const identify = (object: Parameters<Collector['identify']>[1]) => this.#collector.identify(resource, object);
    const stop = informer.on({
      added: (object) => take(object, 'added', () => graph.observe(identify(object), object, undefined)),
      changed: (object, old) => take(object, 'changed', () => graph.observe(identify(object), object, old)),
      deleted: (object) => take(object, 'deleted', () => graph.remove(identify(object))),
    });
    this.#monitors.set(path, { resource, informer, stop });
    // Nothing may be judged by a graph in which its owners have had no chance to appear.
    const over = new AbortController();
    const late = delay(this.#context.clock, PATIENCE, over.signal, { what: `garbage collector: waits for ${path}` });
    const synced = Promise.race([informer.synced, late]).finally(() => over.abort());
    this.#begun = Promise.all([this.#begun, synced]);
  }

  #end(path: string, monitor: Monitor): void {
    monitor.stop();
    this.#monitors.delete(path);
    this.#context.informers.dropMetadataOf(monitor.resource);
  }

  #stop(): void {
    for (const { stop } of this.#monitors.values()) stop();
  }
}

export const garbageCollector: Controller = {
  name: 'garbagecollector',
  account: 'generic-garbage-collector',
  component: 'garbage-collector-controller',
  start(context) {
    if (context.flags.bool('enable-garbage-collector')) new Monitors(context);
  },
};
