/** Requests of the API server to servers in pods, over the simulated network. */
import {
  CertificateError,
  HttpError,
  Killed,
  openRequest,
  SystemError,
  type Network,
  type StreamedResponse,
} from '../programs/index.ts';

/** The target of a request, and the authorities that verify its certificate. */
export interface ServerTarget {
  /** The address to connect to; the URL has the server's name. */
  readonly host: string;
  readonly port: number;
  readonly serverName?: string;
  /** PEM; without it the certificate is not verified. */
  readonly authorities?: string;
}

/** Headers that an HTTP/1.1 client sets itself. */
const OWN = new Set(['connection', 'content-length', 'host', 'transfer-encoding']);

/**
 * Sends a request to a server in the simulated network. Rejects with an Error with the message of the reference's
 * client.
 */
export async function serverFetch(network: Network, request: Request, target: ServerTarget): Promise<Response> {
  const { host, port, serverName, authorities } = target;
  const url = new URL(request.url);
  const { method, signal } = request;
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const headers = Object.fromEntries([...request.headers].filter(([name]) => !OWN.has(name)));
  try {
    const response = await openRequest(network, withPort(url, port), {
      ...{ method, headers, signal, address: host },
      ...(serverName !== undefined && { serverName }),
      ...(authorities !== undefined && { authorities }),
      ...(hasBody && { body: new Uint8Array(await request.arrayBuffer()) }),
    });
    return streamed(response, method === 'HEAD');
  } catch (problem) {
    if (problem instanceof Killed) signal.throwIfAborted();
    throw new Error(words(problem, host, port));
  }
}

function withPort(url: URL, port: number): URL {
  const made = new URL(url);
  made.port = String(port);
  return made;
}

/** The message of the reference's client. Errors that are not network failures are rethrown. */
function words(problem: unknown, host: string, port: number): string {
  const address = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  if (problem instanceof CertificateError || problem instanceof HttpError) return problem.message;
  if (!(problem instanceof SystemError)) throw problem;
  if (problem.code === 'ECONNREFUSED') return `dial tcp ${address}: connect: connection refused`;
  if (problem.code === 'ETIMEDOUT') return `dial tcp ${address}: i/o timeout`;
  if (problem.code === 'ENOTFOUND') return `dial tcp: lookup ${host}: no such host`;
  if (problem.code === 'EHOSTUNREACH') return `dial tcp ${address}: connect: no route to host`;
  return problem.code === 'ECONNRESET' ? 'EOF' : problem.message.toLowerCase();
}

/** The answer with a streamed body. */
export function streamed({ status, headers, parts, close }: StreamedResponse, isHead: boolean): Response {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: async (controller) => {
      const { done, value } = await parts.next();
      if (!done) return controller.enqueue(Uint8Array.from(value));
      close();
      controller.close();
    },
    cancel: async () => {
      close();
      await parts.return();
    },
  });
  const shown = [...headers].filter(([name]) => name !== 'transfer-encoding' && name !== 'connection');
  const isEmpty = isHead || status === 204 || status === 304;
  if (isEmpty) close();
  return new Response(isEmpty ? null : body, { status, headers: shown });
}
