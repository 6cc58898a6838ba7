/** What load balancers ask each node: whether it has endpoints of a service with `externalTrafficPolicy: Local`. */
import { HttpError, Killed, readRequest, SystemError, writeResponse, type Connection } from '../../programs/index.ts';
import type { objects } from '../../schema/index.ts';
import { encodeText, inBackground, throwToHost } from '../../std/index.ts';
import { candidatesOf } from '../service/route.ts';
import type { NetworkView } from '../view.ts';
import type { Acceptor } from './ports.ts';

/** Who answers at the health check port of a service on a node; undefined where the port is no such one. */
export function healthCheckAt(node: objects.Node, port: number, view: NetworkView): Acceptor | undefined {
  const service = view.serviceAtHealthPort(port);
  if (!service) return undefined;
  const answer = (): { readonly status: number; readonly text: string } => statusOf(service, node, view);
  return { accept: (connection) => inBackground(serve(connection, answer), throwToHost), options: {} };
}

function statusOf(service: objects.Service, node: objects.Node, view: NetworkView) {
  const { namespace, name } = service.metadata ?? {};
  const here = new Set(
    (service.spec?.ports ?? [])
      .flatMap((port) => candidatesOf(service, port, view))
      .filter(({ nodeName, excluded }) => nodeName === node.metadata?.name && !excluded)
      .map(({ address }) => address),
  );
  const text = JSON.stringify({ service: { namespace, name }, localEndpoints: here.size }, undefined, '\t');
  return { status: here.size > 0 ? 200 : 503, text };
}

async function serve({ stream }: Connection, answer: () => { status: number; text: string }): Promise<void> {
  try {
    for (let request = await readRequest(stream); request; request = await readRequest(stream)) {
      const { status, text } = answer();
      const headers = [['Content-Type', 'application/json']] as const;
      await stream.write(writeResponse(status, headers, encodeText(text), request.method === 'HEAD'));
    }
  } catch (problem) {
    if (!(problem instanceof HttpError || problem instanceof SystemError || problem instanceof Killed)) throw problem;
  } finally {
    stream.release();
  }
}
