import { encodeText } from './bytes.ts';

export type Content = string | Uint8Array<ArrayBuffer>;

/** A list as its objects: what its text would be parsed into, every object with its kind and version. */
export interface SharedList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly items: readonly object[];
}

/**
 * A Response whose body is complete and at hand. It means what any Response means; reading it takes no way through a
 * stream, which in browsers costs more than everything else about a small answer, and `content` hands it on unread.
 */
export class WholeResponse extends Response {
  /** What the content tells, for readers in this process; nobody may change it. */
  readonly shared: SharedList | undefined;
  #content: Content | (() => string);
  #read = false;
  /** For whoever wants the body as a stream after all. */
  #streamed: Response | undefined;

  /** A content that is a function is made when somebody reads it. */
  constructor(content: Content | (() => string), init?: ResponseInit, shared?: SharedList) {
    super(null, init);
    this.#content = content;
    this.shared = shared;
  }

  get content(): Content {
    if (typeof this.#content === 'function') this.#content = this.#content();
    return this.#content;
  }

  /** Tells how long the content is, in characters or bytes: now, or when somebody has it made. */
  measure(tell: (length: number) => void): void {
    const content = this.#content;
    if (typeof content !== 'function') return tell(content.length);
    this.#content = () => {
      const text = content();
      tell(text.length);
      return text;
    };
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
    return typeof content === 'string' ? encodeText(content) : content.slice();
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
    return new WholeResponse(this.content, this, this.shared);
  }

  #take(): Content {
    if (this.bodyUsed) throw new TypeError('the body was read already');
    this.#read = true;
    return this.content;
  }
}
