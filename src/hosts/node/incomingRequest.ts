import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { decodeText, WholeRequest, type WholeRequestInit } from '../../std/index.ts';

type Init = Omit<WholeRequestInit, 'body'>;

/**
 * A request whose body is still arriving, with a declared length. The body is collected when it is read, because
 * creating the platform's request and streams would cost as much as answering.
 */
export class IncomingRequest extends WholeRequest {
  readonly #incoming: IncomingMessage;
  readonly #init: Init;
  #stream: ReadableStream<Uint8Array<ArrayBuffer>> | undefined;
  #used = false;

  constructor(url: string, incoming: IncomingMessage, init: Init) {
    super(url, init);
    this.#incoming = incoming;
    this.#init = init;
  }

  override get body(): ReadableStream<Uint8Array<ArrayBuffer>> {
    return (this.#stream ??= Readable.toWeb(this.#incoming) as ReadableStream<Uint8Array<ArrayBuffer>>);
  }

  override get bodyUsed(): boolean {
    return this.#used || this.#stream?.locked === true;
  }

  override async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    if (this.bodyUsed) throw new TypeError('the body was read already');
    this.#used = true;
    return this.#stream ? new Response(this.#stream).bytes() : collect(this.#incoming);
  }

  override async text(): Promise<string> {
    return decodeText(await this.bytes());
  }

  override async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer;
  }

  override async blob(): Promise<Blob> {
    return new Blob([await this.bytes()], { type: this.headers.get('content-type') ?? '' });
  }

  override async formData(): Promise<FormData> {
    return new Response(await this.bytes(), { headers: this.headers }).formData();
  }

  override clone(): WholeRequest {
    if (this.bodyUsed) throw new TypeError('the body was read already');
    const [own, other] = this.body.tee();
    this.#stream = own;
    const clone = new IncomingRequest(this.url, this.#incoming, { ...this.#init, signal: () => this.signal });
    clone.#stream = other;
    return clone;
  }
}

/** All of a body; rejects when the client goes away before its end. */
function collect(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    // Creating an error costs as much as everything else, so none is created for a complete request.
    const leave = (): void => {
      if (!incoming.readableEnded) reject(new TypeError('the client went away'));
    };
    if (incoming.destroyed) return leave();
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => resolve(new Uint8Array(Buffer.concat(chunks))));
    incoming.once('error', reject);
    incoming.once('close', leave);
  });
}
