import { PlainHeaders } from './headers.ts';
import { JsonBody } from './jsonBody.ts';
import { abortSignalOf, Stop, type StopSignal } from './stop.ts';
import { WholeResponse, type Content } from './wholeResponse.ts';

export interface WholeRequestInit {
  readonly method?: string | undefined;
  readonly headers?: HeadersInit | Iterable<readonly [string, string]> | undefined;
  readonly body?: Content | ArrayBuffer | JsonBody | null | undefined;
  /** Aborts when nobody waits for the answer any more. A function is called only when a signal is needed. */
  readonly signal?: StopSignal | (() => StopSignal) | null | undefined;
}

/**
 * A Request with a complete body. It behaves like any Request to a server but avoids the platform's objects for URL,
 * headers, signal and body, which would cost more than answering. The address is used unchanged.
 */
export class WholeRequest implements Request {
  readonly url: string;
  readonly method: string;
  readonly headers: PlainHeaders;
  readonly cache = 'default';
  readonly credentials = 'same-origin';
  readonly destination = '';
  readonly integrity = '';
  readonly keepalive = false;
  readonly mode = 'cors';
  readonly redirect = 'follow';
  readonly referrer = 'about:client';
  readonly referrerPolicy = '';
  /** The body as a value, for a server in this process. */
  readonly shared: JsonBody | undefined;
  readonly #content: Content | null;
  #signal: WholeRequestInit['signal'];
  /** Reads the body with the methods of a response. */
  #reader: WholeResponse | undefined;

  constructor(url: string, { method = 'GET', headers, body = null, signal }: WholeRequestInit = {}) {
    this.url = url;
    this.method = method;
    this.headers = new PlainHeaders(headers);
    this.shared = body instanceof JsonBody ? body : undefined;
    this.#content = body instanceof ArrayBuffer ? new Uint8Array(body) : body instanceof JsonBody ? null : body;
    this.#signal = signal;
    if (typeof body === 'string' && !this.headers.has('content-type'))
      this.headers.set('content-type', 'text/plain;charset=UTF-8');
  }

  get signal(): AbortSignal {
    return (this.#signal = abortSignalOf(this.gone));
  }

  /** The same as `signal`, without an object of the platform where the sender has none. */
  get gone(): StopSignal {
    const signal = this.#signal ?? new Stop();
    return (this.#signal = typeof signal === 'function' ? signal() : signal);
  }

  get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null {
    return this.#content === null && !this.shared ? null : this.#body.body;
  }

  get bodyUsed(): boolean {
    return this.#reader?.bodyUsed === true;
  }

  text(): Promise<string> {
    return this.#body.text();
  }

  json(): Promise<unknown> {
    return this.#body.json();
  }

  bytes(): Promise<Uint8Array<ArrayBuffer>> {
    return this.#body.bytes();
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    return this.#body.arrayBuffer();
  }

  blob(): Promise<Blob> {
    return this.#body.blob();
  }

  formData(): Promise<FormData> {
    return this.#body.formData();
  }

  clone(): WholeRequest {
    if (this.bodyUsed) throw new TypeError('the body was read already');
    const { url, method, headers } = this;
    // The reader of the bytes may change them, and there will be two readers.
    const body = this.shared ?? (typeof this.#content === 'string' ? this.#content : this.#content?.slice());
    return new WholeRequest(url, { method, headers, body, signal: () => this.signal });
  }

  get #body(): WholeResponse {
    const { shared } = this;
    const content = shared ? () => shared.text : this.#content;
    return (this.#reader ??= new WholeResponse(content, { headers: this.headers }));
  }
}

/** Says that nobody waits for a request's answer any more. */
export const goneOf = (request: Request): StopSignal =>
  request instanceof WholeRequest ? request.gone : request.signal;

/** Methods that the platform converts to upper case. */
const ANY_CASE = /^(delete|get|head|options|post|put)$/i;

/** The options of a request to a server that may be in this process, which avoids the platform's objects. */
export interface JsonRequestInit extends RequestInit {
  /** The body as JSON; `body` is its text. */
  readonly json?: JsonBody;
  /** The same as `signal`. */
  readonly stop?: StopSignal;
  /** Whether it waits for others of its sort, because many of them may be answered together. */
  readonly gathered?: Gathered | undefined;
}

/**
 * Sorts of writes: those that create events, whose answers need no content, so that they may wait for all other requests, too;
 * those that create pods, which are answered together where they have the same `json`; those that bind pods to nodes; and strategic
 * merge patches of the status of pods.
 */
export type Gathered = 'events' | 'pods' | 'bindings' | 'statuses';

/** Adds a signal to the options of a request. */
export const stoppedBy = (stop: StopSignal, init: JsonRequestInit): JsonRequestInit =>
  stop instanceof AbortSignal
    ? { ...init, signal: stop }
    : {
        ...init,
        stop,
        get signal() {
          return abortSignalOf(stop);
        },
      };

/** Equivalent to `new Request`, without the platform's objects if the body is JSON, a text or missing. */
export function requestTo(url: string, init: JsonRequestInit = {}): Request {
  const { method = 'GET', headers } = init;
  const body = init.json ?? init.body;
  if (body != null && typeof body !== 'string' && !(body instanceof JsonBody)) return new Request(url, init);
  return new WholeRequest(url, {
    method: ANY_CASE.test(method) ? method.toUpperCase() : method,
    headers,
    body,
    signal: init.stop ?? init.signal,
  });
}
