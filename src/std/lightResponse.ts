import { PlainHeaders } from './headers.ts';

/**
 * A Response without an object of the platform behind it, which would cost more than the rest of a small answer. In
 * Node, the first use of the platform's classes even loads a whole HTTP client.
 */
export abstract class LightResponse implements Response {
  readonly headers: PlainHeaders;
  readonly status: number;
  readonly statusText: string;
  readonly type = 'default';
  readonly url = '';
  readonly redirected = false;

  constructor({ status = 200, statusText = '', headers }: ResponseInit = {}) {
    this.headers = new PlainHeaders(headers);
    this.status = status;
    this.statusText = statusText;
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** Accessing it creates a stream. */
  abstract get body(): ReadableStream<Uint8Array<ArrayBuffer>> | null;
  abstract get bodyUsed(): boolean;
  abstract text(): Promise<string>;
  abstract bytes(): Promise<Uint8Array<ArrayBuffer>>;
  abstract clone(): Response;

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer;
  }

  async blob(): Promise<Blob> {
    return new Blob([await this.bytes()], { type: this.headers.get('content-type') ?? '' });
  }

  async formData(): Promise<FormData> {
    return new Response(await this.bytes(), { headers: this.headers }).formData();
  }
}

/** Makes `instanceof Response` true for answers from here on, and for those that were given before. */
export function passForResponses(): void {
  if (!(LightResponse.prototype instanceof Response))
    Object.setPrototypeOf(LightResponse.prototype, Response.prototype);
}
