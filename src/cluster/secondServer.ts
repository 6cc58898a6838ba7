/**
 * A second server in the same process and on the same storage, to show several servers on one etcd. It has its own API
 * server, controllers and scheduler, and a copy of the storage. A ConfigMap stops it or delays its copy.
 */
import type { Origin } from '../apiserver/index.ts';
import { Client, configMaps, type ConfigMap, type Transport } from '../client/index.ts';
import type { Names } from '../names/index.ts';
import type { RunningNodes } from '../node/index.ts';
import { isReason, parseDuration, status } from '../schema/index.ts';
import { getOwn, inBackground, pathAndQuery, throwToHost, WholeRequest, type ControlledClock } from '../std/index.ts';
import { localEngine, openShared, type LocalEngine, type Storage } from '../storage/index.ts';
import type { Tracer } from '../trace/index.ts';
import { loopback } from './identities.ts';
import type { ClusterOptions } from './options.ts';

/** Answers requests: either server. */
interface Server {
  fetch(request: Request, origin: Origin): Promise<Response>;
}

/** The state of the second server. */
interface Made extends Server {
  readonly names: Names;
  transportAs(identity: string): Transport;
  stop(): Promise<void>;
}

/** Its dependencies besides the options. */
interface Place {
  readonly openStorage: () => Promise<Storage>;
  readonly hostname: string;
  readonly beside: Beside;
}

/** The ConfigMap with the settings of the second server, in the system namespace. */
const SETTINGS = 'second-server';

/** Initially it runs without delay. */
const INITIAL = { running: 'true', delay: '0s' };

/**
 * The address of the first server; the second one has another, so that both are endpoints of the cluster's own service.
 */
const ADDRESS = '192.0.2.2';

const PLACE = /^\/servers\/(first|second)(?=\/|$)/;

interface Shared {
  readonly names: Names;
  readonly clock: ControlledClock;
  readonly tracer: Tracer;
  readonly storage: Storage;
  /** They run at the first server. */
  readonly nodes: () => RunningNodes | undefined;
}

/** What it shares with the first server. */
export type Beside = Pick<Shared, 'clock' | 'tracer' | 'nodes'>;

type Create = (options: ClusterOptions, place: Place) => Promise<Made>;

/** Starts it, unless its settings say that it is stopped. */
export async function startSecond(shared: Shared, options: ClusterOptions, create: Create): Promise<SecondServer> {
  const second = new SecondServer(shared, options, create);
  await second.begin();
  return second;
}

export class SecondServer {
  readonly #shared: Shared;
  readonly #options: ClusterOptions;
  readonly #create: Create;
  readonly #key: string;
  #running: { readonly cluster: Made; readonly engine: LocalEngine } | undefined;
  /** Serializes starts and stops. */
  #turn: Promise<void> = Promise.resolve();
  #endWatch: () => void = () => undefined;

  constructor(shared: Shared, options: ClusterOptions, create: Create) {
    this.#shared = shared;
    this.#create = create;
    this.#options = { ...options, apiserver: [...(options.apiserver ?? []), `--advertise-address=${ADDRESS}`] };
    this.#key = `/registry/configmaps/${shared.names.systemNamespace}/${SETTINGS}`;
  }

  async begin(): Promise<void> {
    const { storage } = this.#shared;
    await this.#settle();
    const watch = storage.watch(
      { start: this.#key, end: `${this.#key}\0`, from: storage.revision },
      () => {
        this.#turn = this.#turn.then(() => this.#settle());
        inBackground(this.#turn, throwToHost);
      },
      () => undefined,
    );
    this.#endWatch = () => watch.close();
  }

  /** Answers a request whose path names one of the two servers. Undefined for all other paths. */
  answer(request: Request, origin: Origin, first: Server): Promise<Response> | undefined {
    const { pathname, search } = pathAndQuery(request.url);
    const [base = '', name] = PLACE.exec(pathname) ?? [];
    if (base === '') return undefined;
    const path = pathname.slice(base.length) + search;
    if (name === 'first') return passOn(request, path, first, { ...origin, base });
    // Waits for a server that is starting.
    return this.#turn.then(() => {
      const server = this.#running?.cluster;
      return server ? passOn(request, path, server, { ...origin, base }) : isDown();
    });
  }

  async stop(): Promise<void> {
    this.#endWatch();
    await this.#turn;
    // Requests that wait for the delayed copy must not delay the stop.
    this.#running?.engine.delay(0);
    await this.#running?.cluster.stop();
  }

  /** Applies the settings. */
  async #settle(): Promise<void> {
    const { running, delay } = this.#settings();
    if (running !== 'false') this.#running ??= await this.#start();
    else await this.#switchOff();
    this.#running?.engine.delay(Math.max(0, parseDuration(delay) ?? 0));
  }

  #settings(): typeof INITIAL {
    const kept = this.#shared.storage.get(this.#key);
    const { data } = kept ? (JSON.parse(kept.value) as ConfigMap) : {};
    const said = (name: keyof typeof INITIAL): string => getOwn(data, name) ?? INITIAL[name];
    return { running: said('running'), delay: said('delay') };
  }

  async #start(): Promise<{ cluster: Made; engine: LocalEngine }> {
    const { clock, tracer, nodes, storage } = this.#shared;
    const engine = localEngine(storage, clock);
    const cluster = await this.#create(this.#options, {
      openStorage: () => openShared({ engine, clock, keep: Infinity }),
      hostname: 'second',
      beside: { clock, tracer, nodes },
    });
    await this.#showSettings(cluster);
    return { cluster, engine };
  }

  /** As if its machine lost power: leases are not released. */
  async #switchOff(): Promise<void> {
    const off = this.#running;
    this.#running = undefined;
    off?.engine.cut();
    await off?.cluster.stop();
  }

  /** Creates the ConfigMap with the settings. */
  async #showSettings({ names, transportAs }: Made): Promise<void> {
    const client = new Client({
      names,
      transport: transportAs(loopback.name),
      userAgent: names.fill('{prefix}-apiserver'),
    });
    const metadata = { name: SETTINGS, namespace: names.systemNamespace };
    await client
      .of(configMaps)
      .create({ metadata, data: INITIAL })
      .catch((problem: unknown) => {
        if (!isReason(problem, 'AlreadyExists')) throw problem;
      });
  }
}

async function passOn(request: Request, path: string, server: Server, origin: Origin): Promise<Response> {
  const { method, headers } = request;
  const body = method === 'GET' || method === 'HEAD' ? null : await request.arrayBuffer();
  const signal = (): AbortSignal => request.signal;
  const url = new URL(request.url).origin + (path.startsWith('/') ? path : `/${path}`);
  return server.fetch(new WholeRequest(url, { method, headers, body, signal }), origin);
}

function isDown(): Response {
  const why = 'nothing listens there: the second server is switched off';
  return Response.json(status.failure(503, 'ServiceUnavailable', why).status, { status: 503 });
}
