/**
 * A Response whose body is complete and at hand. It means what any Response means; reading it takes no way through a
 * stream, which in browsers costs more than everything else about a small answer, and `content` hands it on unread.
 */
export class WholeResponse extends Response {
  readonly content: string | Uint8Array<ArrayBuffer>;
  #read = false;
  /** For whoever wants the body as a stream after all. */
  #streamed: Response | undefined;

  constructor(content: string | Uint8Array<ArrayBuffer>, init?: ResponseInit) {
    super(null, init);
    this.content = content;
  }

  override get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (!this.#streamed) {
      this.#streamed = new Response(this.content);
      if (this.#read) void this.#streamed.text();
    }
    return this.#streamed.body;
  }

  override get bodyUsed(): boolean {
    return this.#read || this.#streamed?.bodyUsed === true;
  }

  override async text(): Promise<string> {
    const content = this.#take();
    return typeof content === 'string' ? content : new TextDecoder().decode(content);
  }

  override async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  override async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const content = this.#take();
    return typeof content === 'string' ? new TextEncoder().encode(content) : content.slice();
  }

  override async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer;
  }

  override async blob(): Promise<Blob> {
    return new Blob([this.#take()], { type: this.headers.get('content-type') ?? '' });
  }

  override formData(): Promise<FormData> {
    return new Response(this.#take(), { headers: this.headers }).formData();
  }

  override clone(): Response {
    if (this.bodyUsed) throw new TypeError('the body was read already');
    return new WholeResponse(this.content, { status: this.status, statusText: this.statusText, headers: this.headers });
  }

  #take(): string | Uint8Array<ArrayBuffer> {
    if (this.bodyUsed) throw new TypeError('the body was read already');
    this.#read = true;
    return this.content;
  }
}
