import type { Question } from './messages.ts';
import { unpackHeaders } from './messages.ts';

/** The origin that requests seem to come to; nothing depends on it. */
const origin = 'http://vitrine.invalid';

/**
 * A Request as the server reads it: method, address, headers, signal. To make a true one costs more than to answer it, so
 * that is done only for whoever reads a body or asks for what a browser's request has besides.
 */
export class WireRequest implements Request {
  readonly method: string;
  readonly url: string;
  readonly #question: Question & { type: 'request' };
  readonly #abort: AbortController;
  #headers: Headers | undefined;
  #whole: Request | undefined;

  constructor(question: Question & { type: 'request' }, abort: AbortController) {
    this.method = question.method;
    this.url = origin + question.path;
    this.#question = question;
    this.#abort = abort;
  }

  get headers(): Headers {
    return (this.#headers ??= new Headers(unpackHeaders(this.#question.headers)));
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get body(): Request['body'] {
    return this.#question.body === undefined ? null : this.#real.body;
  }

  get bodyUsed(): boolean {
    return this.#whole?.bodyUsed ?? false;
  }

  arrayBuffer = (): Promise<ArrayBuffer> => this.#real.arrayBuffer();
  blob = (): Promise<Blob> => this.#real.blob();
  bytes = (): Promise<Uint8Array<ArrayBuffer>> => this.#real.bytes();
  formData = (): Promise<FormData> => this.#real.formData();
  json = (): Promise<unknown> => this.#real.json();
  text = (): Promise<string> => this.#real.text();
  clone = (): Request => this.#real.clone();

  get cache(): RequestCache {
    return this.#real.cache;
  }

  get credentials(): RequestCredentials {
    return this.#real.credentials;
  }

  get destination(): RequestDestination {
    return this.#real.destination;
  }

  get integrity(): string {
    return this.#real.integrity;
  }

  get keepalive(): boolean {
    return this.#real.keepalive;
  }

  get mode(): RequestMode {
    return this.#real.mode;
  }

  get redirect(): RequestRedirect {
    return this.#real.redirect;
  }

  get referrer(): string {
    return this.#real.referrer;
  }

  get referrerPolicy(): ReferrerPolicy {
    return this.#real.referrerPolicy;
  }

  get #real(): Request {
    const { body } = this.#question;
    return (this.#whole ??= new Request(this.url, {
      method: this.method,
      headers: this.headers,
      signal: this.signal,
      ...(body !== undefined && { body }),
    }));
  }
}
