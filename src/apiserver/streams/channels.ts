/**
 * Several channels over one WebSocket: each message starts with its channel's number, as a byte or as a digit before
 * base64.
 */
import {
  ChunkQueue,
  decodeText,
  encodeText,
  fromBase64,
  inBackground,
  toBase64,
  type Duplex,
  type MessageSocket,
} from '../../std/index.ts';

export type Encoding = 'binary' | 'base64';

/** The direction of a channel for the client; messages on other channels are ignored. */
export type ChannelUse = 'write' | 'read' | 'both' | 'none';

/** Encodes bytes for a channel. */
export function encodeMessage(channel: number, bytes: Uint8Array, encoding: Encoding): string | Uint8Array {
  if (encoding === 'base64') return `${channel}${toBase64(bytes)}`;
  const message = new Uint8Array(bytes.length + 1);
  message[0] = channel;
  message.set(bytes, 1);
  return message;
}

/** Decodes a message into channel and bytes; undefined if it has no channel. */
export function decodeMessage(
  message: string | Uint8Array,
  encoding: Encoding,
): { readonly channel: number; readonly bytes: Uint8Array } | undefined {
  if (message.length === 0) return undefined;
  if (encoding === 'binary') {
    const bytes = typeof message === 'string' ? encodeText(message) : message;
    return { channel: bytes[0] ?? 0, bytes: bytes.subarray(1) };
  }
  const text = typeof message === 'string' ? message : decodeText(message);
  const bytes = fromBase64(text.slice(1));
  return bytes && { channel: text.charCodeAt(0) - ZERO, bytes };
}

const ZERO = '0'.charCodeAt(0);

/** Opens the channels of a socket by number. Client messages are forwarded until it closes. */
export function openChannels(
  socket: MessageSocket,
  encoding: Encoding,
  uses: readonly ChannelUse[],
): readonly Duplex[] {
  const channels = uses.map((use, number) => new Channel(socket, encoding, number, use));
  inBackground(distribute(socket, encoding, channels), () => socket.close());
  return channels;
}

async function distribute(socket: MessageSocket, encoding: Encoding, channels: readonly Channel[]): Promise<void> {
  for (;;) {
    const message = await socket.receive();
    if (message === undefined) break;
    const decoded = decodeMessage(message, encoding);
    if (decoded) await channels[decoded.channel]?.received(decoded.bytes);
  }
  for (const channel of channels) channel.reset();
}

class Channel implements Duplex {
  readonly #socket: MessageSocket;
  readonly #encoding: Encoding;
  readonly #number: number;
  readonly #use: ChannelUse;
  readonly #input = new ChunkQueue<Uint8Array>();

  constructor(socket: MessageSocket, encoding: Encoding, number: number, use: ChannelUse) {
    this.#socket = socket;
    this.#encoding = encoding;
    this.#number = number;
    this.#use = use;
  }

  /** Resolves when there is room for more. */
  async received(bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0 || this.#use === 'read' || this.#use === 'none') return;
    this.#input.push(bytes);
    await this.#input.room();
  }

  read(): Promise<Uint8Array | undefined> {
    return this.#input.read();
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#use === 'write' || this.#use === 'none' || this.#socket.closed.aborted) return;
    await this.#socket.send(encodeMessage(this.#number, bytes, this.#encoding));
  }

  /** The protocol has no message for the end of one channel. */
  end(): void {}

  reset(): void {
    this.#input.close();
  }
}
