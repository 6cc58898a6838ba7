/** Logs and watches over a WebSocket: the body of a response as messages. */
import {
  decodeText,
  inBackground,
  SwitchedResponse,
  toBase64,
  WholeResponse,
  type MessageSocket,
} from '../../std/index.ts';
import type { RequestContext } from '../context.ts';
import { agreeOn } from './upgrade.ts';

/** The response over a WebSocket, which the client asks for, if the response streams. */
export function overWebSocket(context: RequestContext, response: Response): Response {
  const { info } = context;
  const isLog = info.subresource === 'log';
  if (response.status !== 200 || !(isLog || info.verb === 'watch')) return response;
  if (!isLog && response instanceof WholeResponse) return response;
  return isLog ? logSession(context, response) : watchSession(response);
}

/** Text frames of base64 for `base64.binary`; an empty message first. */
function logSession({ request, server: { names } }: RequestContext, response: Response): Response {
  const agreement = agreeOn('websocket', request, ['binary.{domain}', 'base64.binary.{domain}'].map(names.fill));
  if ('refusal' in agreement) return agreement.refusal;
  const encode = agreement.protocol.startsWith('base64.') ? toBase64 : (bytes: Uint8Array) => bytes;
  const serve = async (socket: MessageSocket): Promise<void> => {
    await socket.send(encode(new Uint8Array(0)));
    await sendBody(socket, response, encode);
  };
  return new SwitchedResponse({ speaks: 'websocket', serve }, agreement.headers);
}

/** Each event is a message: text, or bytes for Protobuf without the length prefix that it has in a stream. */
function watchSession(response: Response): Response {
  const isText = !(response.headers.get('content-type') ?? '').includes('protobuf');
  const encode = (bytes: Uint8Array): string | Uint8Array => (isText ? decodeText(bytes) : bytes.subarray(LENGTH));
  return new SwitchedResponse({ speaks: 'websocket', serve: (socket) => sendBody(socket, response, encode) }, {});
}

/** The length prefix of a Protobuf frame, in bytes. */
const LENGTH = 4;

async function sendBody(
  socket: MessageSocket,
  { body }: Response,
  encode: (bytes: Uint8Array) => string | Uint8Array,
): Promise<void> {
  const reader = body?.getReader();
  const cancel = (): void => reader && inBackground(reader.cancel(), () => undefined);
  socket.closed.addEventListener('abort', cancel, { once: true });
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read())
    await socket.send(encode(next.value));
  socket.close();
}
