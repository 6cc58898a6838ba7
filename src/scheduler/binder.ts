/** Binds pods to their selected nodes. */
import { pods, type Client, type Informers, type Pod } from '../client/index.ts';
import type { Clock } from '../std/index.ts';
import type { AssumedVolumes } from './assumedVolumes.ts';
import { bindVolumes } from './bindVolumes.ts';
import { binderOf, type Extender } from './extender/index.ts';
import type { Cycle, Listers } from './framework/plugin.ts';
import type { NodeInfo } from './framework/nodeInfo.ts';
import { bindingsFor, hasClaims } from './plugins/volumeBinding.ts';
import type { Bindings } from './assumedVolumes.ts';

export interface BinderOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly informers: Informers;
  readonly listers: Listers;
  readonly extenders: readonly Extender[];
  readonly assumedVolumes: AssumedVolumes;
}

const NO_BINDINGS: Bindings = [];

export class Binder {
  readonly #options: BinderOptions;

  constructor(options: BinderOptions) {
    this.#options = options;
  }

  /** Reserves the volumes of the pod's claims on the node, until `bind` ends. */
  reserveVolumes(cycle: Cycle, node: NodeInfo): Bindings {
    const bindings = hasClaims(cycle) ? bindingsFor(cycle, node) : NO_BINDINGS;
    this.#options.assumedVolumes.assume(bindings, node.name);
    return bindings;
  }

  /** Binds the volumes, then the pod. */
  async bind(pod: Pod, node: string, bindings: Bindings): Promise<void> {
    try {
      if (bindings.length > 0) await bindVolumes(this.#options, bindings, node);
      await this.#bindPod(pod, node);
    } finally {
      this.#options.assumedVolumes.forget(bindings);
    }
  }

  async #bindPod(pod: Pod, node: string): Promise<void> {
    const extender = binderOf(this.#options.extenders, pod);
    if (extender) return extender.bind(pod, node);
    const { name = '', namespace = '', uid = '' } = pod.metadata;
    const target = { apiVersion: 'v1', kind: 'Node', name: node };
    const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, namespace, uid }, target };
    await this.#options.client.of(pods).post(pod, 'binding', binding, 'bindings');
  }
}
