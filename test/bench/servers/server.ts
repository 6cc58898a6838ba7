import { headers } from '../objects.ts';

/** What the bench needs of a server: any that speaks the API will do. */
export interface BenchServer {
  /** Sends a request and reads its answer; throws unless it is a success. */
  ask(method: string, path: string, body?: string, type?: string): Promise<string>;
  /** The lines of a watch; the connection ends when `signal` says so. */
  watch(path: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
  /** Milliseconds of CPU that it has taken, where that is known. */
  cpu?(): number;
}

/** A server that is reached as `fetch` would reach it. */
export function fetchedServer(send: (path: string, init: RequestInit) => Promise<Response>): BenchServer {
  return {
    ask: async (method, path, body, type) => {
      const sent = { ...headers, ...(type !== undefined && { 'content-type': type }) };
      const response = await send(path, { method, headers: sent, ...(body !== undefined && { body }) });
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text;
    },
    watch: async (path, signal) => {
      const { body } = await send(path, { headers, signal });
      if (!body) throw new Error(`${path}: a watch without a body`);
      return body;
    },
  };
}
