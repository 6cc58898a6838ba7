/** A client of SPDY/3.1 for tests: opens streams and reads what comes back. */
import { request, type ClientRequest } from 'node:http';
import type { Duplex } from 'node:stream';
import { controlFrame, dataFrame, FIN, FrameReader, numbers, SYN_STREAM } from '../../src/hosts/node/spdy/frames.ts';
import { Deflater, encodeHeaders } from '../../src/hosts/node/spdy/headers.ts';
import { ChunkQueue } from '../../src/std/index.ts';

/** What came on a connection: the text of each stream, and the types of control frames. */
export interface SpdyClient {
  readonly headers: Readonly<Record<string, unknown>>;
  open(id: number, headers: Record<string, string>): void;
  send(id: number, text: string, end?: boolean): void;
  /** Everything that a stream brings until its end. */
  text(id: number): Promise<string>;
  readonly controls: number[];
  close(): void;
}

export function connectSpdy(url: string, headers: Record<string, string> = {}): Promise<SpdyClient> {
  return new Promise((resolve, reject) => {
    const all = { connection: 'Upgrade', upgrade: 'SPDY/3.1', ...headers };
    const asked: ClientRequest = request(url, { method: 'POST', headers: all });
    asked.once('upgrade', (answer, socket, head) => resolve(clientOf(socket, head, answer.headers)));
    asked.once('response', (answer) => reject(new Error(`status ${answer.statusCode}`)));
    asked.once('error', reject);
    asked.end();
  });
}

function clientOf(socket: Duplex, head: Buffer, headers: Readonly<Record<string, unknown>>): SpdyClient {
  const deflater = new Deflater();
  const reader = new FrameReader();
  const streams = new Map<number, ChunkQueue<Uint8Array>>();
  const controls: number[] = [];
  const take = (bytes: Buffer): void => {
    for (const frame of reader.read(bytes)) {
      if (frame.type !== 'data') controls.push(frame.type);
      else {
        streams.get(frame.stream)?.push(frame.payload);
        if (frame.flags & FIN) streams.get(frame.stream)?.close();
      }
    }
  };
  socket.on('data', take);
  socket.on('error', () => undefined);
  socket.once('close', () => streams.forEach((stream) => stream.close()));
  take(head);
  return {
    headers,
    controls,
    open: (id, named) => {
      streams.set(id, new ChunkQueue());
      const block = deflater.deflate(encodeHeaders(new Map(Object.entries(named))));
      socket.write(controlFrame(SYN_STREAM, Buffer.concat([numbers(id, 0), Buffer.alloc(2), block])));
    },
    send: (id, text, end = false) => void socket.write(dataFrame(id, Buffer.from(text), end ? FIN : 0)),
    text: async (id) => {
      let text = '';
      for (let part = await streams.get(id)?.read(); part; part = await streams.get(id)?.read())
        text += Buffer.from(part).toString();
      return text;
    },
    close: () => socket.destroy(),
  };
}
