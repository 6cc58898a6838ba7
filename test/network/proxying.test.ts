/** What the ingress controller changes in requests and answers on their way. */
import { describe, expect, test } from 'vitest';
import { Dataplane } from '../../src/network/index.ts';
import { httpService, type HttpAnswer } from '../../src/network/dataplane/httpService.ts';
import type { HttpRequest, Network } from '../../src/programs/index.ts';
import { decodeText, encodeText, manualClock, must, seededRandom } from '../../src/std/index.ts';
import { createTracer } from '../../src/trace/index.ts';
import { addressOf, smallCluster } from './world.ts';

const SHOP = `
---
{kind: IngressClass, metadata: {name: simulated, annotations: {ingressclass.cluster.io/is-default-class: "true"}}, spec: {controller: vitrine.dev/ingress}}
---
{kind: Service, metadata: {name: web}, spec: {clusterIP: 10.96.0.50, ports: [{port: 8080}]}}
---
{kind: EndpointSlice, metadata: {name: web-1, labels: {cluster.io/service-name: web}}, ports: [{port: 80}], endpoints: [{addresses: [10.244.0.2]}]}
---
kind: Ingress
metadata: {name: shop}
spec:
  tls: [{hosts: [safe.test], secretName: safe}]
  rules:
    - {host: shop.test, http: {paths: [{path: /shop, pathType: Prefix, backend: {service: {name: web, port: {number: 8080}}}}, {path: /odd, pathType: Exact, backend: {service: {name: web, port: {number: 9}}}}]}}
    - {host: safe.test, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 8080}}}}]}}
`;

const OK: HttpAnswer = { status: 200, headers: [['content-type', 'text/plain']], body: encodeText('ok') };

interface Exchange {
  /** The request that reached the pod, if any. */
  readonly seen: string | undefined;
  /** The bytes that the client got. */
  readonly got: string;
}

const lines = ({ method, target, headers, body }: HttpRequest): string =>
  [`${method} ${target}`, ...[...headers].map(([name, value]) => `${name}: ${value}`), decodeText(body)].join('\n');

/** Sends `text` to the ingress controller; pod x/b answers with `answer`. */
async function exchange(text: string, answer: HttpAnswer | undefined = OK, tls = false): Promise<Exchange> {
  const view = smallCluster(SHOP);
  const clock = manualClock();
  const dataplane = new Dataplane({ view, clock, random: seededRandom(1), tracer: createTracer(clock) });
  const network = (key: string): Network =>
    dataplane.networkOf(addressOf(key), { pod: must(view.get('pods', key), key) });
  let seen: string | undefined;
  network('x/b').listen(
    80,
    httpService((request) => {
      seen = lines(request);
      return answer;
    }),
  );
  const options = tls ? { tls: { serverName: 'safe.test' } } : {};
  const { stream } = await network('y/a').connect({ host: '192.0.2.80', port: tls ? 443 : 80 }, options);
  await stream.write(encodeText(text));
  const got = decodeText(must(await stream.read(), 'answer'));
  stream.release();
  return { seen, got };
}

const request = (line: string, ...headers: string[]): string =>
  `${[`${line} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n`;
const answered = (status: string, headers: readonly string[], text: string): string =>
  `HTTP/1.1 ${[status, ...headers, `Content-Length: ${text.length}`].join('\r\n')}\r\n\r\n${text}`;
const PLAIN = ['content-type: text/plain; charset=utf-8'];
const ADDED = ['x-real-ip: 10.244.1.1', 'x-forwarded-for: 10.244.1.1'];

describe('the ingress controller', () => {
  test.each<[title: string, sent: string, seen: readonly string[]]>([
    [
      'passes headers on, and says who asked',
      request('GET /shop?a=b', 'Host: shop.test', 'Accept: */*'),
      ['GET /shop?a=b', 'host: shop.test', 'accept: */*', ...ADDED, 'x-forwarded-proto: http', 'connection: close', ''],
    ],
    [
      'keeps headers of the connection to itself',
      request('GET /shop', 'Host: shop.test', 'Connection: keep-alive', 'Keep-Alive: timeout=5'),
      ['GET /shop', 'host: shop.test', ...ADDED, 'x-forwarded-proto: http', 'connection: close', ''],
    ],
    [
      'passes a body on with its length',
      `${request('POST /shop', 'Host: shop.test', 'Content-Length: 5')}hello`,
      [
        ...['POST /shop', 'host: shop.test', ...ADDED, 'x-forwarded-proto: http', 'connection: close'],
        ...['content-length: 5', 'hello'],
      ],
    ],
    [
      'finds a host that is given with a port',
      request('GET /shop#there', 'Host: shop.test:8080'),
      ['GET /shop#there', 'host: shop.test:8080', ...ADDED, 'x-forwarded-proto: http', 'connection: close', ''],
    ],
  ])('%s', async (_, sent, seen) => {
    expect((await exchange(sent)).seen?.split('\n')).toEqual(seen);
  });

  test('says that the client used HTTPS', async () => {
    const { seen, got } = await exchange(request('GET /', 'Host: safe.test'), OK, true);
    expect(seen).toContain('x-forwarded-proto: https');
    expect(got).toBe(answered('200 OK', ['content-type: text/plain'], 'ok'));
  });

  test.each<[title: string, sent: string, answer: HttpAnswer, got: string]>([
    [
      'passes an answer on',
      request('GET /shop', 'Host: shop.test'),
      {
        ...OK,
        status: 404,
        headers: [
          ['x-more', '1'],
          ['connection', 'close'],
          ['keep-alive', 'timeout=5'],
        ],
      },
      answered('404 Not Found', ['x-more: 1'], 'ok'),
    ],
    [
      'passes the headers of an answer to HEAD on',
      request('HEAD /shop', 'Host: shop.test'),
      OK,
      'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\nContent-Length: 0\r\n\r\n',
    ],
    [
      'sends a client without TLS to HTTPS',
      request('GET /a?b=c', 'Host: safe.test'),
      OK,
      answered('308 Permanent Redirect', ['location: https://safe.test/a?b=c'], ''),
    ],
    [
      'answers a host without a rule',
      request('GET /x?y', 'Host: none.test'),
      OK,
      answered('404 Not Found', PLAIN, 'default backend - 404: no Ingress has a rule for none.test/x\n'),
    ],
    [
      'answers a request without a host',
      request('GET /x'),
      OK,
      answered('404 Not Found', PLAIN, 'default backend - 404: no Ingress has a rule for /x\n'),
    ],
    [
      'answers where the service has no such port',
      request('GET /odd', 'Host: shop.test'),
      OK,
      answered(
        '503 Service Unavailable',
        PLAIN,
        '503 Service Temporarily Unavailable: no endpoint for shop.test/odd\n',
      ),
    ],
  ])('%s', async (_, sent, answer, got) => {
    expect((await exchange(sent, answer)).got).toBe(got);
  });
});
