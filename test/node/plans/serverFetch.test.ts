/** Requests of the API server to servers in pods: what is sent, what comes back, and how failures are put. */
import { describe, expect, test } from 'vitest';
import { serverFetch, streamed, type ServerTarget } from '../../../src/node/serverFetch.ts';
import {
  BaseStream,
  CertificateError,
  HttpError,
  Killed,
  pipe,
  SystemError,
  type ConnectOptions,
  type Network,
} from '../../../src/programs/index.ts';
import { decodeText, encodeText } from '../../../src/std/index.ts';

type Connect = (target: unknown, options?: ConnectOptions) => Promise<unknown>;

const networkOf = (connect: Connect): Network => ({ connect }) as Partial<Record<keyof Network, unknown>> as Network;

/** Sends a request to a server that answers with a text; gives what it saw. */
async function exchange(request: Request, answer: string, target: Partial<ServerTarget> = {}) {
  const seen = { text: '', connects: [] as unknown[], released: 0 };
  const { input, output } = pipe();
  await output.write(encodeText(answer.replaceAll('\n', '\r\n')));
  output.release();
  const stream = new (class extends BaseStream {
    protected override readMore(): Promise<Uint8Array | undefined> {
      return input.read();
    }
    override async write(bytes: Uint8Array): Promise<void> {
      seen.text += decodeText(bytes);
    }
    override release(): void {
      seen.released += 1;
    }
  })();
  const connect: Connect = async (to, options) => {
    seen.connects.push({ ...(to as object), ...(options?.tls && { tls: options.tls }) });
    return { stream, tls: options?.tls };
  };
  const response = await serverFetch(networkOf(connect), request, { host: '10.0.0.7', port: 8080, ...target });
  return { seen, response };
}

describe('a request', () => {
  const ANSWER = 'HTTP/1.1 201 Created\nX-A: b\nConnection: close\nTransfer-Encoding: chunked\n\n2\nok\n0\n\n';

  test('goes to the address and port of its target, under the name in its URL', async () => {
    const request = new Request('http://web.ns.svc/a?b=c', { headers: { 'x-own': 'yes' } });
    const { seen, response } = await exchange(request, ANSWER);
    expect(seen.connects).toEqual([{ host: '10.0.0.7', port: 8080 }]);
    expect(seen.text).toMatch(/^GET \/a\?b=c HTTP\/1\.1\r\nHost: web\.ns\.svc:8080\r\n/);
    expect(seen.text).toContain('x-own: yes\r\n');
    expect([response.status, await response.text()]).toEqual([201, 'ok']);
    expect([...response.headers]).toEqual([['x-a', 'b']]);
    expect(seen.released).toBeGreaterThan(0);
  });

  test('has its body, and no headers that a client sets itself', async () => {
    const headers = { connection: 'keep-alive', 'content-length': '99', 'transfer-encoding': 'gzip', host: 'x' };
    const request = new Request('http://web/', { method: 'POST', body: 'data' });
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    const { seen } = await exchange(request, ANSWER);
    expect(seen.text).not.toMatch(/keep-alive|99|gzip|host: x/i);
    expect(seen.text).toMatch(/content-length: 4\r\n\r\ndata$/i);
  });

  test('looks at the certificate with the authorities and the name that it has', async () => {
    const named = { serverName: 'web.ns.svc', authorities: 'PEM' };
    const { seen } = await exchange(new Request('https://10.0.0.7/'), ANSWER, named);
    expect(seen.connects).toEqual([{ host: '10.0.0.7', port: 8080, tls: named }]);
    const without = await exchange(new Request('https://web/'), ANSWER);
    expect(without.seen.connects).toEqual([{ host: '10.0.0.7', port: 8080, tls: { serverName: 'web' } }]);
  });

  test('for the head alone has no body back', async () => {
    const { seen, response } = await exchange(new Request('http://web/', { method: 'HEAD' }), ANSWER);
    expect([response.status, response.body]).toEqual([201, null]);
    expect(seen.released).toBeGreaterThan(0);
    expect(seen.text).not.toMatch(/content-length/i);
  });
});

describe('a request that fails', () => {
  const fails = (problem: unknown, host = '10.0.0.7', signal?: AbortSignal): Promise<Response> =>
    serverFetch(
      networkOf(() => Promise.reject(problem as Error)),
      new Request('http://web/', signal && { signal }),
      { host, port: 80 },
    );

  test.each<[unknown, string, string?]>([
    [new SystemError('ECONNREFUSED'), 'dial tcp 10.0.0.7:80: connect: connection refused'],
    [new SystemError('ECONNREFUSED'), 'dial tcp [fd00::7]:80: connect: connection refused', 'fd00::7'],
    [new SystemError('ETIMEDOUT'), 'dial tcp 10.0.0.7:80: i/o timeout'],
    [new SystemError('ENOTFOUND'), 'dial tcp: lookup web: no such host', 'web'],
    [new SystemError('EHOSTUNREACH'), 'dial tcp 10.0.0.7:80: connect: no route to host'],
    [new SystemError('ECONNRESET'), 'EOF'],
    [new SystemError('EPIPE'), 'broken pipe'],
    [new CertificateError('x509: Unknown'), 'x509: Unknown'],
    [new HttpError('malformed HTTP response "X"'), 'malformed HTTP response "X"'],
  ])('with %s says %j', async (problem, message, host) => {
    await expect(fails(problem, host)).rejects.toThrow(new Error(message));
  });

  test('because it was given up has the reason for that', async () => {
    const reason = new Error('the client is gone');
    await expect(fails(new Killed(), 'web', AbortSignal.abort(reason))).rejects.toBe(reason);
    const killed = new Killed();
    await expect(fails(killed)).rejects.toBe(killed);
  });

  test('for no reason of the network is a fault of ours', async () => {
    const fault = new TypeError('no function');
    await expect(fails(fault)).rejects.toBe(fault);
  });
});

describe('an answer', () => {
  function answer(status: number) {
    const told: string[] = [];
    async function* parts(): AsyncGenerator<Uint8Array, void, undefined> {
      try {
        yield encodeText('one');
        yield encodeText('two');
      } finally {
        told.push('over');
      }
    }
    const head = { status, reason: '', headers: new Map([['x-a', 'b']]) };
    return { told, response: streamed({ ...head, parts: parts(), close: () => void told.push('closed') }, false) };
  }

  test('closes its connection at its end', async () => {
    const { told, response } = answer(200);
    expect(await response.text()).toBe('onetwo');
    expect(told).toEqual(['over', 'closed']);
  });

  test('closes its connection when nobody reads on', async () => {
    const { told, response } = answer(200);
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(told).toEqual(['closed', 'over']);
  });

  test.each([204, 304])('of status %d has no body, and closes its connection at once', (status) => {
    const { told, response } = answer(status);
    expect([response.status, response.body, told]).toEqual([status, null, ['closed']]);
  });
});
