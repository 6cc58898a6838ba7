import { Informer, keyOf, secrets as secretsRef, type Client, type Secret } from '../client/index.ts';
import {
  Dataplane,
  networkResources,
  NetworkView,
  viewHandler,
  type JudgeCertificate,
  type NetworkSettings,
} from '../network/index.ts';
import { decodeText, fromBase64, inBackground, type Clock, type Random } from '../std/index.ts';
import type { Tracer } from '../trace/index.ts';
import type { Names } from '../names/index.ts';
import { startMetricsApi } from './metricsApi.ts';
import type { NodeUse } from './usage.ts';
import { listenForApi, type ApiServerPort } from './apiServerPort.ts';
import { IngressStatus } from './ingressStatus.ts';

/** The dependencies of a cluster's simulated network. */
export interface NetworkSetup {
  /** Lists everything that affects routing: it has the identity of the network itself, not of a component. */
  readonly client: Client;
  readonly settings: NetworkSettings;
  /** The names of partitioned nodes; a live set. */
  readonly isolated: ReadonlySet<string>;
  /** Verifies a server's certificate for a client. */
  readonly judge: JudgeCertificate;
  readonly apiServer: ApiServerPort;
  readonly names: Names;
  /** The usage of the nodes. */
  readonly usage: () => readonly NodeUse[];
}

interface ClusterNetworkOptions extends NetworkSetup {
  readonly clock: Clock;
  readonly random: Random;
  readonly tracer: Tracer;
  readonly onProblem: (problem: unknown) => void;
}

/** The simulated network of a cluster: one set of informers for all nodes, and the dataplane that uses them. */
export class ClusterNetwork {
  readonly dataplane: Dataplane;
  readonly settings: NetworkSettings;
  readonly #informers: readonly Informer[];
  readonly #secrets: Informer<Secret>;
  readonly #stopping = new AbortController();

  constructor(options: ClusterNetworkOptions) {
    const { client, settings, isolated, judge, apiServer, clock, random, tracer, onProblem } = options;
    this.settings = settings;
    const view = new NetworkView(settings);
    const status = new IngressStatus(client, view, { clock, signal: this.#stopping.signal, onProblem });
    this.#informers = networkResources.map((ref) => {
      const informer = new Informer({ resource: client.of(ref), clock, random, onProblem });
      informer.on(viewHandler(view, ref.resource));
      // Classes decide which Ingresses are served, so the address is written when both are known.
      if (ref.resource === 'ingressclasses') informer.on(onAny(() => status.checkAll()));
      if (ref.resource === 'ingresses') informer.on(onAny((object) => status.check(keyOf(object))));
      informer.start();
      return informer;
    });
    const selection = { fieldSelector: `type=${settings.names.fill('{label}/tls')}` };
    this.#secrets = new Informer({ resource: client.of(secretsRef), selection, clock, random, onProblem });
    this.#secrets.start();
    const ready = Promise.all(this.#informers.map(({ synced }) => synced));
    this.dataplane = new Dataplane({
      view,
      clock,
      random,
      tracer,
      ready,
      isolatedNodes: isolated,
      judge,
      certificateIn: (key) => certificateOf(this.#secrets.get(key)),
    });
    inBackground(listenForApi(this.dataplane, apiServer), onProblem);
    this.#serveMetrics(options);
  }

  #serveMetrics({ client, names, apiServer, usage, clock, onProblem }: ClusterNetworkOptions): void {
    const retrying = { clock, signal: this.#stopping.signal, onProblem };
    const { certificate } = apiServer;
    inBackground(
      startMetricsApi({ client, names, dataplane: this.dataplane, certificate, usage, retrying }),
      onProblem,
    );
  }

  stop(): void {
    this.#stopping.abort();
    this.#secrets.stop();
    for (const informer of this.#informers) informer.stop();
    this.dataplane.stop();
  }
}

const onAny = <T>(handle: (object: T) => void) => ({ added: handle, changed: handle });

/** The certificate of a TLS secret, in PEM. */
function certificateOf(secret: Secret | undefined): string | undefined {
  const encoded = secret?.data?.['tls.crt'];
  const bytes = encoded === undefined ? undefined : fromBase64(encoded);
  return bytes && decodeText(bytes);
}
