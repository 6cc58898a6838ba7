/** What a request over HTTP may ask for: raw request lines, as no well-behaved client sends them. */
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createListener } from '../../src/hosts/node/adapter.ts';

const server = createServer(
  createListener(async (request) => new Response(new URL(request.url).href), ['cluster.example']),
);
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => (server.closeAllConnections(), server.close()));

/** Sends bytes as they are; resolves with the status and the body of the answer. */
function raw(requestLine: string, headers: readonly string[]): Promise<{ code: number; body: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: string[] = [];
    socket.setEncoding('latin1').on('data', (chunk) => chunks.push(String(chunk)));
    socket.on('error', reject).on('close', () => {
      const [head = '', ...body] = chunks.join('').split('\r\n\r\n');
      resolve({ code: Number(head.split(' ')[1]), body: body.join('\r\n\r\n') });
    });
    socket.write(`${[requestLine, ...headers, 'Connection: close'].join('\r\n')}\r\n\r\n`, 'latin1');
  });
}

const get = (target: string, host = 'localhost', ...more: string[]) =>
  raw(`GET ${target} HTTP/1.1`, [`Host: ${host}`, ...more]);

describe('the Host header', () => {
  test.each(['localhost', 'LOCALHOST:8080', 'a.localhost', '127.0.0.1:1', '127.9.9.9', '[::1]:80', 'cluster.example'])(
    '%s is answered, whatever it is, with the path of the target',
    async (host) => {
      const { code, body } = await get('/api/v1?x=1', host);
      expect(code).toBe(200);
      expect(body).toContain('http://127.0.0.1/api/v1?x=1');
    },
  );

  test.each(['x#y', 'x?y', 'x/../y', 'a b', '[::1', 'x:99999', 'x:y', 'a@b', '%00', '', '[::1]x', '[1.2.3.4]'])(
    '%j is malformed',
    async (host) => {
      const { code, body } = await get('/api', host);
      expect(code).toBe(400);
      expect(JSON.parse(body)).toMatchObject({ kind: 'Status', code: 400, reason: 'BadRequest' });
    },
  );

  test.each(['Host: localhost', 'host: evil.example', 'HOST: localhost'])(
    '%s beside another one is refused',
    async (more) => {
      expect((await get('/api', 'localhost', more)).code).not.toBe(200);
    },
  );

  test.each(['evil.example', 'localhost.evil.example', '192.168.0.1', '10.0.0.1:8080', '0.0.0.0', '[fe80::1]'])(
    '%s is refused: its name may have been made to point here',
    async (host) => {
      const { code, body } = await get('/api', host);
      expect(code).toBe(403);
      expect(JSON.parse(body)).toMatchObject({ kind: 'Status', code: 403, reason: 'Forbidden' });
    },
  );
});

describe('the Origin header', () => {
  test.each(['http://localhost:80', 'https://localhost:80'])('%s is the same', async (origin) => {
    expect((await get('/api', 'localhost:80', `Origin: ${origin}`)).code).toBe(200);
  });

  test.each(['http://evil.example', 'http://localhost:81', 'null', 'localhost:80'])('%s is another', async (origin) => {
    expect((await get('/api', 'localhost:80', `Origin: ${origin}`)).code).toBe(403);
  });

  test.each([
    ['Authorization: Bearer secret', 200],
    ['Authorization: Basic YTpi', 403],
  ])('another passes with a token, which no page can send with it: %s', async (authorization, code) => {
    expect((await get('/api', 'localhost:80', 'Origin: http://localhost', authorization)).code).toBe(code);
  });
});

describe('the target', () => {
  test.each(['http://localhost/api', '*', 'api', 'x@y'])('%s is no path', async (target) => {
    const method = target === '*' ? 'OPTIONS' : 'GET';
    expect((await raw(`${method} ${target} HTTP/1.1`, ['Host: localhost'])).code).toBe(400);
  });

  test.each(['/api/%', '/api/%zz', '/api/%f'])('%s has an invalid escape', async (target) => {
    expect((await get(target)).code).toBe(400);
  });

  test.each([
    ['/a#b', '/a%23b'],
    ['/a\\b', '/a%5Cb'],
    ['/%00', '/%00'],
    ['//evil.example/api', '//evil.example/api'],
    ['/\xc3\xa4', '/%C3%A4'],
    ['/api?a=%', '/api?a=%'],
  ])('%s is read as %s', async (target, path) => {
    const { code, body } = await get(target);
    if (code === 400) expect(target).toMatch(/[#\xc3]/);
    else expect(body).toContain(`http://127.0.0.1${path}`);
  });

  test('a method that there is no Request for is not allowed', async () => {
    const { code, body } = await raw('TRACE /api HTTP/1.1', ['Host: localhost']);
    expect(code).toBe(405);
    expect(JSON.parse(body)).toMatchObject({ kind: 'Status', reason: 'MethodNotAllowed' });
  });
});
