import { inBackground, throwToHost } from './background.ts';
import { encodeText } from './bytes.ts';
import { LightResponse } from './lightResponse.ts';

export type Content = string | Uint8Array<ArrayBuffer>;

/** A list as objects, equal to its parsed text; every object has its kind and version. */
export interface SharedList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly items: readonly object[];
}

/** A list or one frozen object, equal to its parsed text. */
export type Shared = { readonly list: SharedList } | { readonly object: object };

/**
 * A Response with a complete body. Reading uses no stream, and `content` returns the unread content. `native` converts it
 * for APIs that need a Response of the platform (a cache, a service worker).
 */
export class WholeResponse extends LightResponse {
  /** The content as objects, for readers in this process; it must not be modified. */
  readonly shared: Shared | undefined;
  #content: Content | (() => string) | null;
  #read = false;
  /** Whether another response shares the bytes; then a reader gets a copy. */
  #lent = false;
  /** The body as a stream, if somebody reads it that way. */
  #streamed: Response | undefined;

  /**
   * Content that is a function is computed when it is read; null means no body, as opposed to an empty one. The
   * response owns the bytes, and passes them to its reader.
   */
  constructor(content: Content | (() => string) | null, init: ResponseInit = {}, shared?: Shared) {
    super(init);
    this.shared = shared;
    this.#content = content;
  }

  /** Whether there is no body, as opposed to an empty one. Accessing `body` creates a stream. */
  get isBodyless(): boolean {
    return this.#content === null;
  }

  get content(): Content {
    if (typeof this.#content === 'function') this.#content = this.#content();
    return this.#content ?? '';
  }

  /** Reports the length of the content in characters or bytes: now, or once it is computed. */
  measure(tell: (length: number) => void): void {
    const content = this.#content;
    if (typeof content !== 'function') return tell(content?.length ?? 0);
    this.#content = () => {
      const text = content();
      tell(text.length);
      return text;
    };
  }

  /** Converts to a Response of the platform; this one counts as read. */
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

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const content = this.#take() ?? '';
    if (typeof content === 'string') return encodeText(content);
    return this.#lent || content.byteLength < content.buffer.byteLength ? content.slice() : content;
  }

  clone(): WholeResponse {
    if (this.bodyUsed) throw new TypeError('the body was read already');
    this.#lent = true;
    const copy = new WholeResponse(this.#content === null ? null : this.content, this, this.shared);
    copy.#lent = true;
    return copy;
  }

  /** Returns the content once. A missing body can be read any number of times. */
  #take(): Content | null {
    if (this.bodyUsed) throw new TypeError('the body was read already');
    if (this.#content === null) return null;
    this.#read = true;
    return this.content;
  }
}
