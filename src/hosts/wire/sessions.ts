/** Sessions of switched connections (`SwitchedResponse`) over the streams of a call. */
import {
  decodeText,
  encodeText,
  inBackground,
  throwToHost,
  type Duplex,
  type MessageSocket,
  type Session,
  type StreamSocket,
} from '../../std/index.ts';
import type { WireStreams } from './streams.ts';

export { WireStreams } from './streams.ts';

/** Serves a session to its caller, until the session ends or the client disconnects. */
export async function serveOver(streams: WireStreams, session: Session, closed: AbortSignal): Promise<void> {
  const close = (): void => streams.close();
  if (closed.aborted) close();
  closed.addEventListener('abort', close, { once: true });
  try {
    if (session.speaks === 'spdy') return await session.serve({ closed, accept: () => streams.accept(), close });
    // A client that disconnected early has opened no stream; the session must notice that too.
    const stream = (await streams.accept()) ?? streams.open(new Map());
    await session.serve(messageSocket(stream, closed));
  } finally {
    close();
  }
}

/** The session of a call for the host that holds its connection; `leave` ends the call. */
export function sessionOver(streams: WireStreams, speaks: Session['speaks'], leave: () => void): Session {
  const leaveWith = (closed: AbortSignal): void => {
    if (closed.aborted) leave();
    closed.addEventListener('abort', leave, { once: true });
  };
  if (speaks === 'spdy')
    return { speaks, serve: (socket) => (leaveWith(socket.closed), relayStreams(socket, streams)) };
  return { speaks, serve: (socket) => (leaveWith(socket.closed), relayMessages(socket, streams)) };
}

/** Lets what a client opens on `socket` go over the wire, until either side ends the call. */
async function relayStreams(socket: StreamSocket, streams: WireStreams): Promise<void> {
  const back: Promise<void>[] = [];
  const accept = async (): Promise<void> => {
    for (let stream = await socket.accept(); stream; stream = await socket.accept()) {
      const onward = streams.open(stream.headers);
      inBackground(copy(stream, onward), throwToHost);
      back.push(copy(onward, stream));
    }
  };
  inBackground(accept(), throwToHost);
  await streams.ended;
  await Promise.all(back);
  socket.close();
}

async function copy(from: Duplex, to: Duplex): Promise<void> {
  for (let bytes = await from.read(); bytes; bytes = await from.read()) await to.write(bytes);
  to.end();
}

/** Lets the messages of a client go over one stream, until either side ends. */
async function relayMessages(socket: MessageSocket, streams: WireStreams): Promise<void> {
  const onward = messageSocket(streams.open(new Map()), socket.closed);
  inBackground(pass(socket, onward), throwToHost);
  await pass(onward, socket);
}

async function pass(from: MessageSocket, to: MessageSocket): Promise<void> {
  for (let message = await from.receive(); message !== undefined; message = await from.receive())
    await to.send(message);
  to.close();
}

/** What a message begins with on its stream. */
const [TEXT, BYTES] = [0, 1];

/** Messages over a stream, which keeps separate writes separate. */
function messageSocket(stream: Duplex, closed: AbortSignal): MessageSocket {
  const receive = async (): Promise<string | Uint8Array | undefined> => {
    const bytes = await stream.read();
    const content = bytes?.subarray(1);
    return content && bytes?.[0] === TEXT ? decodeText(content) : content;
  };
  const send = (message: string | Uint8Array): Promise<void> => {
    const content = typeof message === 'string' ? encodeText(message) : message;
    const bytes = new Uint8Array(content.length + 1);
    bytes[0] = typeof message === 'string' ? TEXT : BYTES;
    bytes.set(content, 1);
    return stream.write(bytes);
  };
  return { closed, receive, send, close: () => stream.end() };
}
