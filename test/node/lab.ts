import { pods, type Transport } from '../../src/client/index.ts';
import { podReader } from '../../src/cluster/readPod.ts';
import { namesOf, type Profile } from '../../src/names/index.ts';
import { networkSettings } from '../../src/network/index.ts';
import { nodeParts, startNodes, type NodesOptions, type RunningNodes } from '../../src/node/index.ts';
import { createScheme, kinds, StatusError, type ApiObject } from '../../src/schema/index.ts';
import { manualClock, seededRandom, type ControlledClock } from '../../src/std/index.ts';
import { createTracer, type TraceEvent } from '../../src/trace/index.ts';
// Modules that are loaded with the first pod are there before any test, so that none of them computes its constants in one.
import '../../src/node/access.ts';
import '../../src/node/podHost.ts';
import '../../src/node/serverFetch.ts';
import '../../src/node/streams.ts';
import { Session } from '../client/session.ts';
import { SmallServer, type Loose } from '../client/smallServer.ts';

export type { Loose } from '../client/smallServer.ts';

const NOON = Date.parse('2026-01-01T12:00:00Z');
const POD = /^\/api\/v1\/namespaces\/([^/]+)\/pods(?:\/([^/]+))?(?:\/([^/]+))?$/;

interface LabOptions extends Partial<Pick<NodesOptions, 'keptData' | 'dnsPods' | 'podRanges' | 'judge' | 'isCrowded'>> {
  readonly nodes?: number;
  readonly naming?: Profile;
  /** Puts objects there before the nodes start. */
  readonly before?: (lab: NodeLab) => unknown;
  /** A lab that was stopped, on whose server these nodes go on. */
  readonly after?: NodeLab;
}

/** A request of a component: who sent it, and with which user agent. */
interface Asked {
  readonly as: string;
  readonly agent: string;
  readonly method: string;
  readonly path: string;
  /** The media type of its body; empty without one. */
  readonly type: string;
}

/**
 * Nodes on a small server and a clock that stands still; they start in milliseconds. Pods go to the first node, as no
 * scheduler runs, and objects have the defaults of their version. The bench, which runs a cluster, is used in the same way.
 */
export class NodeLab extends Session {
  readonly clock: ControlledClock;
  readonly names;
  readonly server: SmallServer;
  readonly nodes: RunningNodes;
  /** What the agents told of. */
  readonly told: TraceEvent[] = [];
  readonly asked: Asked[] = [];
  readonly #scheme;
  #services = 0;

  private constructor({ nodes = 1, naming = 'cluster.io', before, after, ...more }: LabOptions) {
    super();
    const clock = after?.clock ?? manualClock(NOON);
    this.clock = clock;
    this.names = namesOf(naming);
    this.server = after?.server ?? new SmallServer(this.names, clock);
    this.#scheme = createScheme(this.names, kinds);
    const tracer = createTracer(clock);
    tracer.listen((event) => this.told.push(event), ['node']);
    before?.(this);
    this.nodes = startNodes({
      ...{ clock, tracer, names: this.names, count: nodes, random: seededRandom(1) },
      transportFor: (as) => (path, init) => {
        const headers = new Headers(init?.headers);
        const [agent, type] = [headers.get('user-agent') ?? '', headers.get('content-type') ?? ''];
        this.asked.push({ as, agent, method: init?.method ?? 'GET', path, type });
        return this.transport(path, init);
      },
      podRanges: { cidr: '10.244.0.0/16', mask: 24 },
      network: networkSettings(this.names, undefined, '192.0.2.1'),
      readPod: podReader(this.#scheme),
      judge: () => Promise.resolve(undefined),
      apiServer: {
        ...{ address: '192.0.2.1', port: 6443, certificate: () => Promise.resolve('') },
        fetch: (request) => this.#answer(request),
      },
      ...more,
    });
  }

  static async start(options: LabOptions = {}): Promise<NodeLab> {
    for (const part of nodeParts) await part.load();
    const lab = new NodeLab(options);
    for (let i = 1; i <= (options.nodes ?? 1); i++) await lab.until(`/api/v1/nodes/node-${i}`, isReadyNode);
    return lab;
  }

  stop(): Promise<void> {
    return this.nodes.stop();
  }

  /** As nodes and people reach the server. */
  readonly transport: Transport = async (path, init = {}) => {
    const { pathname, searchParams } = new URL(path, 'http://server');
    const method = init.method ?? 'GET';
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as Loose) : undefined;
    const send = (changed: unknown): Promise<Response> =>
      this.server.transport(path, { ...init, method, body: JSON.stringify(changed) });
    const [, proxied, below] = /^\/api\/v1\/nodes\/([^/]+)\/proxy(\/.*)$/.exec(path) ?? [];
    if (proxied && below) return (await this.nodes.streams()).node(proxied, method, below);
    const [isPod, namespace, name, subresource] = POD.exec(pathname) ?? [];
    if (method === 'POST' && !name) return send(this.#complete(pathname, body));
    if (!isPod || !name) return this.server.transport(path, init);
    const stored = this.server.get(pods, `${namespace}/${name}`);
    if (!stored) return this.server.transport(path, init);
    if (subresource === 'log') return this.#log(stored, searchParams).catch(refused);
    if (subresource === 'ephemeralcontainers') return send({ ...stored, spec: { ...stored.spec, ...ephemeral(body) } });
    const isOver = ['Succeeded', 'Failed'].includes(stored.status.phase);
    const lasting = isOver ? 0 : (body?.gracePeriodSeconds ?? stored.spec.terminationGracePeriodSeconds ?? 30);
    if (method !== 'DELETE' || lasting === 0) return this.server.transport(path, init);
    const end = new Date(this.clock.now() + lasting * 1000).toISOString();
    const going = { deletionTimestamp: end, deletionGracePeriodSeconds: lasting };
    return this.server.transport(pathname, { method: 'PATCH', body: JSON.stringify({ metadata: going }) });
  };

  /** With the defaults of its version, with a node for a pod and an address for a service. */
  #complete(path: string, body: Loose): Loose {
    const [, group = '', version = '', resource = ''] =
      /^\/apis?(?:\/([^/]+(?=\/v)))?\/(v[^/]+)(?:\/namespaces\/[^/]+(?=\/))?\/([^/]+)$/.exec(path) ?? [];
    const known = this.#scheme.byResource({ group, version, resource });
    if (!known || resource === 'events') return body;
    const kind = { apiVersion: known.apiVersion, kind: known.gvk.kind };
    const object = this.#scheme.decode(known.node, { ...body, ...kind }, 'sent') as ApiObject & Loose;
    this.#scheme.applyDefaults(known, object);
    if (resource === 'nodes') return { ...object, spec: object.spec ?? {}, status: object.status ?? {} };
    if (resource === 'services') object.spec.clusterIP ??= `10.0.0.${++this.#services + 100}`;
    if (resource !== 'pods') return object;
    return {
      ...object,
      spec: { nodeName: 'node-1', ...object.spec },
      status: { phase: 'Pending', ...object.status },
    };
  }

  #log(pod: Loose, query: URLSearchParams): Promise<Response> {
    const number = (name: string): number | undefined => (query.has(name) ? Number(query.get(name)) : undefined);
    const options = {
      previous: query.get('previous') === 'true',
      timestamps: query.get('timestamps') === 'true',
      tailLines: number('tailLines'),
      limitBytes: number('limitBytes'),
    };
    const container = query.get('container') ?? pod.spec.containers[0].name;
    return this.nodes.containerLogs(pod, container, options, new AbortController().signal);
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url);
    const body = request.method === 'GET' ? null : await request.text();
    return this.transport(pathname + search, { method: request.method, headers: request.headers, body });
  }
}

const ephemeral = ({ ephemeralContainers }: Loose): Loose => ({ ephemeralContainers });

function refused(problem: unknown): Response {
  if (!(problem instanceof StatusError)) throw problem;
  return Response.json(problem.status, { status: problem.status.code });
}

const isReadyNode = (node: Loose): boolean =>
  node.spec?.podCIDR !== undefined &&
  node.status?.conditions?.some((c: Loose) => c.type === 'Ready' && c.status === 'True');
