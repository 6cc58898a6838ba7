import { Informer, type Client } from '../client/index.ts';
import {
  Dataplane,
  networkResources,
  NetworkView,
  viewHandler,
  type JudgeCertificate,
  type NetworkSettings,
} from '../network/index.ts';
import { inBackground, type Clock, type Random } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import { listenForApi, type ApiServerPort } from './apiServerPort.ts';

/** What the simulated network of a cluster is made of. */
export interface NetworkSetup {
  /** May list everything that decides where packets go: it acts for the network itself, not for a part of the cluster. */
  readonly client: Client;
  readonly settings: NetworkSettings;
  /** Nodes that are cut off, by name. It changes as they do. */
  readonly isolated: ReadonlySet<string>;
  /** Whether a server's certificate is good for a client. */
  readonly judge: JudgeCertificate;
  readonly apiServer: ApiServerPort;
}

interface ClusterNetworkOptions extends NetworkSetup {
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  readonly onProblem: (problem: unknown) => void;
}

/** The simulated network of a cluster: one set of informers for all nodes, and the dataplane that goes by them. */
export class ClusterNetwork {
  readonly dataplane: Dataplane;
  readonly #informers: readonly Informer[];

  constructor(options: ClusterNetworkOptions) {
    const { client, settings, isolated, judge, apiServer, clock, random, tracer, onProblem } = options;
    const view = new NetworkView(settings);
    this.#informers = networkResources.map((ref) => {
      const informer = new Informer({ resource: client.of(ref), clock, random, onProblem });
      informer.on(viewHandler(view, ref.resource));
      informer.start();
      return informer;
    });
    const ready = Promise.all(this.#informers.map(({ synced }) => synced));
    this.dataplane = new Dataplane({ view, clock, random, tracer, ready, isolatedNodes: isolated, judge });
    inBackground(listenForApi(this.dataplane, apiServer), onProblem);
  }

  stop(): void {
    for (const informer of this.#informers) informer.stop();
    this.dataplane.stop();
  }
}
