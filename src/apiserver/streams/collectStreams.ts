import { delay, type Clock, type Duplex, type StreamSocket } from '../../std/index.ts';

/** Milliseconds in which a client has to open all streams of a command. */
const TIME_LIMIT = 30_000;

/** Waits until the client has opened the streams of these types; undefined if it disconnects or takes too long. */
export async function collectStreams(
  socket: StreamSocket,
  types: readonly string[],
  clock: Clock,
): Promise<Readonly<Record<string, Duplex>> | undefined> {
  const done = new AbortController();
  const streams: Record<string, Duplex> = {};
  const late = delay(clock, TIME_LIMIT, done.signal).then(() => undefined);
  try {
    while (types.some((type) => !Object.hasOwn(streams, type))) {
      const stream = await Promise.race([socket.accept(), late]);
      if (!stream) return undefined;
      const type = stream.headers.get('streamtype') ?? '';
      if (types.includes(type)) streams[type] = stream;
      else stream.reset();
    }
    return streams;
  } finally {
    done.abort();
  }
}
