/**
 * Garbage collection: an object without existing owners is deleted. With foreground deletion an object waits until its
 * blocking dependents are deleted. With orphaning it releases its dependents first.
 *
 * Watches every resource that can be listed, watched and deleted, except events.
 */
import { pathOf, type DiscoveredResource, type Informer } from '../../client/index.ts';
import { delay } from '../../std/index.ts';
import type { Controller, ControllerContext } from '../runtime/index.ts';
import { Collector } from './collector.ts';
import { AnyObjects } from './objects.ts';

/** Milliseconds between a change of a definition and the next discovery. */
const SETTLE = 200;
/** Milliseconds for which collection waits for a new watch to start. */
const PATIENCE = 30_000;

interface Monitor {
  readonly resource: DiscoveredResource;
  readonly informer: Informer;
  readonly stop: () => void;
}

/** The resources to watch: each once, without those that have no owners or change all the time. */
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
    // Collection waits until owners have had a chance to appear in the graph.
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
