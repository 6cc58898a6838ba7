/**
 * The simulated ingress controller: terminates HTTP connections, and forwards requests to an endpoint of the Ingress's
 * service.
 */
import {
  readResponse,
  SystemError,
  writeRequest,
  type Connection,
  type HttpRequest,
  type HttpResponse,
  type Network,
} from '../../programs/index.ts';
import { encodeText } from '../../std/index.ts';
import { clusterLookup } from '../dns/lookup.ts';
import { backendPort, isServed, routeIngress, type IngressRoute } from '../ingress.ts';
import { routeToService, servicePort, type Choose } from '../service/route.ts';
import type { NetworkView } from '../view.ts';
import { httpService, isConnectionEnd } from './httpService.ts';
import type { Ports } from './ports.ts';

export interface IngressControllerOptions {
  readonly view: NetworkView;
  /** The network as seen from the controller. */
  readonly network: Network;
  /** The listeners at its address. */
  readonly ports: Ports;
  readonly choose: Choose;
  /** The certificate in a secret, by `namespace/name`; undefined if missing. */
  readonly certificateIn: (secret: string) => string | undefined;
}

/** Presented if no Ingress has a certificate for a host. */
const OWN_CERTIFICATE = 'Simulated ingress controller: no secret holds a certificate for this host.\n';

/** Its connect timeout for endpoints in milliseconds, as in common controllers. */
const CONNECT_TIMEOUT = 5_000;

/** Listens for HTTP and HTTPS at the controller's address. */
export function startIngressController(options: IngressControllerOptions): void {
  const accept = httpService(async (request, connection) => {
    const { status, headers, body } = await answer(request, connection, options);
    return { status, headers: [...headers].filter(([name]) => !HOP_HEADERS.has(name)), body };
  });
  const tls = { certificate: (host: string | undefined) => certificateFor(host ?? '', options) };
  options.ports.listen(80, accept);
  options.ports.listen(443, accept, { tls });
}

function certificateFor(host: string, { view, certificateIn }: IngressControllerOptions): string {
  for (const ingress of [...view.ingressesFor(host.toLowerCase()), ...view.ingressesFor('')]) {
    if (!isServed(ingress, view)) continue;
    const tls = (ingress.spec?.tls ?? []).find(({ hosts = [] }) => hosts.length === 0 || hosts.includes(host));
    const found = tls && certificateIn(`${ingress.metadata?.namespace ?? ''}/${tls.secretName ?? ''}`);
    if (found !== undefined) return found;
  }
  return OWN_CERTIFICATE;
}

/** Hop-by-hop headers. */
const HOP_HEADERS = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

type Answer = Pick<HttpResponse, 'status' | 'headers' | 'body'>;

const plain = (status: number, text: string): Answer => ({
  status,
  headers: new Map([['content-type', 'text/plain; charset=utf-8']]),
  body: encodeText(`${text}\n`),
});

async function answer(request: HttpRequest, from: Connection, options: IngressControllerOptions): Promise<Answer> {
  const host = (request.headers.get('host') ?? '').replace(/:\d+$/, '');
  const path = request.target.replace(/[?#].*$/, '') || '/';
  const route = routeIngress({ host, path }, options.view);
  if (!route) return plain(404, `default backend - 404: no Ingress has a rule for ${host}${path}`);
  if (redirects(route, host, from)) return redirect(host, request.target);
  const target = endpointOf(route, from, options);
  if (!target) return plain(503, `503 Service Temporarily Unavailable: no endpoint for ${host}${path}`);
  try {
    return await forward(request, from, target, options.network);
  } catch (problem) {
    if (!isConnectionEnd(problem)) throw problem;
    const late = problem instanceof SystemError && problem.code === 'ETIMEDOUT';
    return late ? plain(504, '504 Gateway Timeout') : plain(502, '502 Bad Gateway');
  }
}

/** A host with a certificate is only served over HTTPS. */
function redirects({ ingress }: IngressRoute, host: string, { tls }: Connection): boolean {
  return tls === undefined && (ingress.spec?.tls ?? []).some(({ hosts = [] }) => hosts.includes(host));
}

const redirect = (host: string, target: string): Answer => ({
  status: 308,
  headers: new Map([['location', `https://${host}${target}`]]),
  body: new Uint8Array(0),
});

interface Endpoint {
  readonly host: string;
  readonly port: number;
}

function endpointOf(
  { ingress, backend }: IngressRoute,
  { remote }: Connection,
  { view, choose }: IngressControllerOptions,
): Endpoint | undefined {
  const { namespace = '' } = ingress.metadata ?? {};
  const service = view.get('services', `${namespace}/${backend.service?.name ?? ''}`);
  const wanted = service && backendPort(backend.service, service);
  if (wanted === undefined) return undefined;
  if (service?.spec?.type === 'ExternalName') {
    const host = clusterLookup(service.spec.externalName ?? '', view).addresses[0];
    return host === undefined ? undefined : { host, port: wanted };
  }
  const port = service && servicePort(service, 'cluster address', wanted, 'TCP');
  if (!service || !port) return undefined;
  const request = { service, port, entry: 'cluster address', client: remote.address, fromOutside: false } as const;
  const { chosen } = routeToService(request, view, choose);
  return chosen && { host: chosen.address, port: chosen.port };
}

/** Forwards a request. Headers tell the endpoint who requested what. */
async function forward(
  request: HttpRequest,
  { remote, tls }: Connection,
  { host, port }: Endpoint,
  network: Network,
): Promise<Answer> {
  const { stream } = await network.connect({ host, port }, { timeout: CONNECT_TIMEOUT });
  try {
    const kept = [...request.headers].filter(([name]) => !HOP_HEADERS.has(name));
    const added = [
      ['X-Real-IP', remote.address],
      ['X-Forwarded-For', remote.address],
      ['X-Forwarded-Proto', tls ? 'https' : 'http'],
      ['Connection', 'close'],
    ] as const;
    const body = request.body.length > 0 ? request.body : undefined;
    await stream.write(writeRequest(request.method, request.target, [...kept, ...added], body));
    return await readResponse(stream, request.method === 'HEAD');
  } finally {
    stream.release();
  }
}
