/** Health checks of load balancers: whether a node has endpoints of a service with `externalTrafficPolicy: Local`. */
import type { objects } from '../../schema/index.ts';
import { encodeText } from '../../std/index.ts';
import { candidatesOf } from '../service/route.ts';
import type { NetworkView } from '../view.ts';
import { httpService, type HttpAnswer } from './httpService.ts';
import type { Acceptor } from './ports.ts';

/** The responder at a service's health check port on a node; undefined for other ports. */
export function healthCheckAt(node: objects.Node, port: number, view: NetworkView): Acceptor | undefined {
  const service = view.serviceAtHealthPort(port);
  if (!service) return undefined;
  return { accept: httpService(() => answerFor(service, node, view)), options: {} };
}

function answerFor(service: objects.Service, node: objects.Node, view: NetworkView): HttpAnswer {
  const { namespace, name } = service.metadata ?? {};
  const here = new Set(
    (service.spec?.ports ?? [])
      .flatMap((port) => candidatesOf(service, port, view))
      .filter(({ nodeName, excluded }) => nodeName === node.metadata?.name && !excluded)
      .map(({ address }) => address),
  );
  const text = JSON.stringify({ service: { namespace, name }, localEndpoints: here.size }, undefined, '\t');
  const status = here.size > 0 ? 200 : 503;
  return { status, headers: [['Content-Type', 'application/json']], body: encodeText(text) };
}
