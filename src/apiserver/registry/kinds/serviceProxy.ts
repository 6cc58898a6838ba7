/** The proxy to the pods of a service (`services/NAME/proxy/…`). */
import { status, type ApiObject, type objects, type Resource } from '../../../schema/index.ts';
import type { Answer } from '../../codec/answer.ts';
import { passOn } from '../../streams/proxy.ts';
import { objectKey } from '../keys.ts';
import { proxyTarget } from '../proxyTarget.ts';
import { getObject } from '../read.ts';
import type { ResourceContext } from '../registry.ts';

/** Sends the request to one of the ready pods. A service without endpoints is not found, as in the reference. */
export async function proxy(context: ResourceContext, resource: Resource): Promise<Answer> {
  const { server, info } = context;
  const { name, port, tls } = proxyTarget(info.name, 'service');
  const entry = await getObject(context, resource, name, '');
  const service = server.views.of(entry, resource.hub).object as objects.Service;
  const wanted = portName(service.spec.ports ?? [], port, name);
  const endpoints = server.scheme.byResource({ group: '', version: 'v1', resource: 'endpoints' });
  const found = endpoints && server.storage.get(objectKey(endpoints.hub, info.namespace, name));
  if (!found) throw status.notFound({ group: '', resource: 'services' }, name);
  const { subsets = [] } = server.views.of(found, endpoints.hub).object as Endpoints;
  const ready = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports
      .filter((one) => (one.name ?? '') === wanted)
      .flatMap((one) => addresses.map((address) => ({ address, port: one.port }))),
  );
  const chosen = ready[Math.floor(server.random.next() * ready.length)];
  if (!chosen) throw unavailable(`no endpoints available for service ${JSON.stringify(name)}`);
  const pod = podBehind(context, chosen.address);
  if (!pod) throw unavailable(`error trying to reach service: no pod has the address ${chosen.address.ip}`);
  return { type: 'response', response: await passOn(context, { pod, port: chosen.port, tls }) };
}

const unavailable = (message: string): Error => status.failure(503, 'ServiceUnavailable', message);

/** Resolves a port number to the port's name. */
function portName(ports: readonly objects.ServicePort[], port: string, service: string): string {
  if (!/^\d+$/.test(port)) return port;
  const found = ports.find((known) => known.port === Number(port));
  if (!found) throw unavailable(`no service port ${port} found for service ${JSON.stringify(service)}`);
  return found.name ?? '';
}

interface EndpointAddress {
  readonly ip: string;
  readonly targetRef?: { readonly kind?: string; readonly name?: string };
}

interface Endpoints extends ApiObject {
  readonly subsets?: readonly {
    readonly addresses?: readonly EndpointAddress[];
    readonly ports?: readonly { readonly name?: string; readonly port: number }[];
  }[];
}

function podBehind({ server, info }: ResourceContext, { targetRef }: EndpointAddress): ApiObject | undefined {
  const pods = server.scheme.byResource({ group: '', version: 'v1', resource: 'pods' });
  if (!pods || targetRef?.kind !== 'Pod') return undefined;
  const entry = server.storage.get(objectKey(pods.hub, info.namespace, targetRef.name ?? ''));
  return entry && server.views.of(entry, pods.hub).object;
}
