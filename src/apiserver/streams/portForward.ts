/** portforward: connections to ports of a pod, each with a data stream and an error stream. */
import { status, type ApiObject } from '../../schema/index.ts';
import {
  encodeText,
  inBackground,
  SwitchedResponse,
  throwToHost,
  type Duplex,
  type MessageSocket,
  type OpenedStream,
  type Session,
  type StreamSocket,
} from '../../std/index.ts';
import { textResponse } from '../codec/textResponse.ts';
import type { ResourceContext } from '../registry/registry.ts';
import { openChannels } from './channels.ts';
import { upgradeOf } from './asksUpgrade.ts';
import { agreeOn } from './upgrade.ts';

const SPOKEN = {
  spdy: ['portforward.{domain}'],
  websocket: ['v4.channel.{domain}', 'v4.base64.channel.{domain}'],
} as const;

/** Forwards one connection: copies both ways until the pod's side has ended. */
type Forward = (port: number, data: Duplex, error: Duplex) => Promise<void>;

/** Answers a portforward request. Throws 400 if it is not an upgrade request. */
export function portForward(context: ResourceContext, pod: ApiObject): Response {
  const { server, request, query } = context;
  const upgrade = upgradeOf(request);
  if (!upgrade) throw status.badRequest('Upgrade request required');
  const ports = upgrade === 'websocket' ? portsIn(query.getAll('ports')) : [];
  if (typeof ports === 'string') return textResponse(ports, 400, 'text/plain; charset=utf-8');
  const agreement = agreeOn(upgrade, request, SPOKEN[upgrade].map(server.names.fill));
  if ('refusal' in agreement) return agreement.refusal;
  const forward = forwardTo(context, pod);
  const session: Session =
    upgrade === 'spdy'
      ? { speaks: 'spdy', serve: (socket) => serveStreams(socket, forward) }
      : { speaks: 'websocket', serve: (socket) => serveChannels(socket, ports, agreement.protocol, forward) };
  return new SwitchedResponse(session, agreement.headers);
}

/** The ports of a WebSocket request, or their error. */
function portsIn(texts: readonly string[]): readonly number[] | string {
  const listed = texts.flatMap((text) => text.split(','));
  if (listed.length === 0) return 'query parameter "port" is required';
  const wrong = listed.find((text) => portOf(text) === undefined);
  if (wrong !== undefined) return `unable to parse ${JSON.stringify(wrong)} as a port`;
  return listed.map(Number);
}

function portOf(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port > 0 && port <= 65_535 ? port : undefined;
}

function forwardTo({ server, info }: ResourceContext, pod: ApiObject): Forward {
  return async (port, data, error) => {
    try {
      if (!server.nodeStreams) throw new Error('no nodes run');
      await copyBothWays(data, await server.nodeStreams.connect(pod, port));
    } catch (problem) {
      const why = problem instanceof Error ? problem.message : String(problem);
      const uid = pod.metadata.uid ?? '';
      const name = `${info.name}_${info.namespace}`;
      await error.write(encodeText(`error forwarding port ${port} to pod ${name}, uid ${uid}: ${why}`));
    } finally {
      data.end();
      error.end();
    }
  };
}

/** Copies until the server has ended its direction: a client that waits for that may keep its own open. */
async function copyBothWays(client: Duplex, server: Duplex): Promise<void> {
  try {
    inBackground(copy(client, server), () => server.reset());
    await copy(server, client);
  } finally {
    server.reset();
  }
}

async function copy(from: Duplex, to: Duplex): Promise<void> {
  for (let bytes = await from.read(); bytes; bytes = await from.read()) await to.write(bytes);
  to.end();
}

/** Each port has two channels: data, then errors. Both start with the port's number, low byte first. */
async function serveChannels(
  socket: MessageSocket,
  ports: readonly number[],
  protocol: string,
  forward: Forward,
): Promise<void> {
  const encoding = protocol.includes('base64') ? 'base64' : 'binary';
  const channels = openChannels(
    socket,
    encoding,
    ports.flatMap(() => ['both', 'read'] as const),
  );
  const forwarded = ports.map(async (port, i) => {
    const [data, error] = channels.slice(2 * i);
    if (!data || !error) return;
    const number = Uint8Array.of(port & 255, port >> 8);
    await data.write(number);
    await error.write(number);
    await forward(port, data, error);
  });
  await Promise.all(forwarded);
  socket.close();
}

interface Pair {
  data?: OpenedStream;
  error?: OpenedStream;
}

/** The client opens an error stream and a data stream for each connection, with the same `requestID`. */
async function serveStreams(socket: StreamSocket, forward: Forward): Promise<void> {
  const pairs = new Map<string, Pair>();
  for (let stream = await socket.accept(); stream; stream = await socket.accept()) {
    const port = portOf(stream.headers.get('port') ?? '');
    const type = stream.headers.get('streamtype');
    if (port === undefined || (type !== 'data' && type !== 'error')) {
      stream.reset();
      continue;
    }
    const id = stream.headers.get('requestid') ?? '';
    const pair: Pair = { ...pairs.get(id), [type]: stream };
    pairs.set(id, pair);
    if (!pair.data || !pair.error) continue;
    pairs.delete(id);
    inBackground(forward(port, pair.data, pair.error), throwToHost);
  }
  socket.close();
}
