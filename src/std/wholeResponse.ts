import { inBackground, throwToHost } from './background.ts';
import { encodeText } from './bytes.ts';
import { PlainHeaders } from './headers.ts';

export type Content = string | Uint8Array<ArrayBuffer>;

/** A list as its objects: what its text would be parsed into, every object with its kind and version. */
export interface SharedList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly items: readonly object[];
}

/** A list, or one frozen object: what its text would be parsed into. */
export type Shared = { readonly list: SharedList } | { readonly object: object };

/**
 * A Response whose body is complete and at hand. It means what any Response means, but there is none of a browser's behind
 * it, which would cost more than everything else about a small answer: reading it takes no way through a stream, and
 * `content` hands it on unread. What wants a browser's own (a cache, a service worker) gets one from `native`.
 */
export class WholeResponse implements Response {
  readonly headers: PlainHeaders;
  readonly status: number;
  readonly statusText: string;
  readonly type = 'default';
  readonly url = '';
  readonly redirected = false;
  /** What the content tells, for readers in this process; nobody may change it. */
  readonly shared: Shared | undefined;
  #content: Content | (() => string) | null;
  #read = false;
  /** Whether another has the same bytes: then whoever reads them gets a copy. */
  #lent = false;
  /** For whoever wants the body as a stream after all. */
  #streamed: Response | undefined;

  /**
   * A content that is a function is made when somebody reads it; null is no body, as opposed to an empty one. Bytes are
   * the response's own from now on, and its reader's in the end.
   */
  constructor(content: Content | (() => string) | null, init: ResponseInit = {}, shared?: Shared) {
    const { status = 200, statusText = '', headers } = init;
    this.headers = new PlainHeaders(headers);
    this.status = status;
    this.statusText = statusText;
    this.shared = shared;
    this.#content = content;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** Whether there is no body at all, as opposed to an empty one; to ask for `body` makes a stream of what there is. */
  get isBodyless(): boolean {
    return this.#content === null;
  }

  get content(): Content {
    if (typeof this.#content === 'function') this.#content = this.#content();
    return this.#content ?? '';
  }

  /** Tells how long the content is, in characters or bytes: now, or when somebody has it made. */
  measure(tell: (length: number) => void): void {
    const content = this.#content;
    if (typeof content !== 'function') return tell(content?.length ?? 0);
    this.#content = () => {
      const text = content();
      tell(text.length);
      return text;
    };
  }

  /** The same as a Response of the platform's own; this one is read then. */
  native(): Response {
    return new Response(this.#take(), this);
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    if (this.#content === null) return null;
    if (!this.#streamed) {
      this.#streamed = new Response(this.content);
      if (this.#read) inBackground(this.#streamed.text(), throwToHost);
    }
    return this.#streamed.body;
  }

  get bodyUsed(): boolean {
    return this.#read || this.#streamed?.bodyUsed === true;
  }

  async text(): Promise<string> {
    const content = this.#take() ?? '';
    return typeof content === 'string' ? content : new TextDecoder().decode(content);
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const content = this.#take() ?? '';
    if (typeof content === 'string') return encodeText(content);
    return this.#lent || content.byteLength < content.buffer.byteLength ? content.slice() : content;
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer;
  }

  async blob(): Promise<Blob> {
    return new Blob([this.#take() ?? ''], { type: this.headers.get('content-type') ?? '' });
  }

  async formData(): Promise<FormData> {
    return new Response(this.#take(), { headers: this.headers }).formData();
  }

  clone(): WholeResponse {
    if (this.bodyUsed) throw new TypeError('the body was read already');
    this.#lent = true;
    const copy = new WholeResponse(this.#content === null ? null : this.content, this, this.shared);
    copy.#lent = true;
    return copy;
  }

  /** What is read, once; of no body there is nothing that could be read up. */
  #take(): Content | null {
    if (this.bodyUsed) throw new TypeError('the body was read already');
    if (this.#content === null) return null;
    this.#read = true;
    return this.content;
  }
}

// Whoever asks is told that it is a Response.
Object.setPrototypeOf(WholeResponse.prototype, Response.prototype);
