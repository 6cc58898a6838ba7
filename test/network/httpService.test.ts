/** HTTP that the dataplane itself answers: servers outside of the cluster and health checks of services. */
import { describe, expect, test } from 'vitest';
import { Dataplane } from '../../src/network/index.ts';
import { httpService, isConnectionEnd } from '../../src/network/dataplane/httpService.ts';
import { HttpError, Killed, SystemError, type Network } from '../../src/programs/index.ts';
import { decodeText, encodeText, manualClock, seededRandom } from '../../src/std/index.ts';
import { createTracer } from '../../src/trace/index.ts';
import { addressOf, smallCluster } from './world.ts';

const LOCAL = `
---
kind: Service
metadata: {name: web}
spec: {type: LoadBalancer, externalTrafficPolicy: Local, healthCheckNodePort: 32000, clusterIP: 10.96.0.50, ports: [{name: http, port: 80}, {name: alt, port: 81}]}
---
kind: EndpointSlice
metadata: {name: web-1, labels: {cluster.io/service-name: web}}
ports: [{name: http, port: 80}, {name: alt, port: 81}]
endpoints:
  - {addresses: [10.244.0.2], conditions: {ready: true}, topology: {cluster.io/hostname: node-2}, targetRef: {kind: Pod, namespace: x, name: b}}
  - {addresses: [10.244.0.3], conditions: {ready: false}, topology: {cluster.io/hostname: node-3}, targetRef: {kind: Pod, namespace: x, name: c}}
`;

function networkOfPod(): Network {
  const clock = manualClock();
  const view = smallCluster(LOCAL);
  const dataplane = new Dataplane({ view, clock, random: seededRandom(1), tracer: createTracer(clock) });
  const pod = view.get('pods', 'x/a');
  if (!pod) throw new Error('no pod x/a');
  return dataplane.networkOf(addressOf('x/a'), { pod });
}

/** All that comes back when `text` is sent on one connection whose sending side then ends. */
async function exchange(network: Network, host: string, port: number, text: string): Promise<string> {
  const { stream } = await network.connect({ host, port });
  await stream.write(encodeText(text));
  const parts: string[] = [];
  const expected = text.split('\r\n\r\n').length - 1;
  for (let part = await stream.read(); part; part = await stream.read()) {
    parts.push(decodeText(part));
    if (parts.join('').split('HTTP/1.1').length - 1 >= expected) break;
  }
  stream.release();
  return parts.join('');
}

const GET = 'GET / HTTP/1.1\r\nHost: h\r\n\r\n';
const HEAD = GET.replace('GET', 'HEAD');

describe('a server outside of the cluster', () => {
  const text = 'This is example.com, a simulated server outside of the cluster. You come from 10.244.0.1.\n';
  const head = `HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${text.length}\r\n\r\n`;

  test.each([
    ['a request', GET, `${head}${text}`],
    ['a request for the headers alone', HEAD, head],
    ['one request after another on a connection', `${GET}${HEAD}`, `${head}${text}${head}`],
  ])('answers %s', async (_what, sent, answered) => {
    expect(await exchange(networkOfPod(), 'example.com', 80, sent)).toBe(answered);
  });

  test('ends a connection that does not speak HTTP, and that connection only', async () => {
    const network = networkOfPod();
    expect(await exchange(network, 'example.com', 80, 'rubbish\r\n\r\n')).toBe('');
    expect(await exchange(network, 'example.com', 80, GET)).toBe(`${head}${text}`);
  });

  test('hears nothing of a client that goes', async () => {
    const network = networkOfPod();
    const { stream } = await network.connect({ host: 'example.com', port: 80 });
    stream.release();
    expect(await exchange(network, 'example.com', 80, HEAD)).toBe(head);
  });
});

describe('the health check of a service with local traffic', () => {
  const body = (count: number): string =>
    `{\n\t"service": {\n\t\t"namespace": "x",\n\t\t"name": "web"\n\t},\n\t"localEndpoints": ${count}\n}`;
  const answer = (status: string, text: string): string =>
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n`;

  test.each([
    ['a node with an endpoint of two ports', '192.168.0.2', '200 OK', 1],
    ['a node without one', '192.168.0.1', '503 Service Unavailable', 0],
    ['a node whose endpoint is not ready', '192.168.0.3', '503 Service Unavailable', 0],
  ])('on %s', async (_what, host, status, count) => {
    const network = networkOfPod();
    expect(await exchange(network, host, 32_000, GET)).toBe(`${answer(status, body(count))}${body(count)}`);
    expect(await exchange(network, host, 32_000, HEAD)).toBe(answer(status, body(count)));
  });

  test('is at no other port', async () => {
    await expect(networkOfPod().connect({ host: '192.168.0.2', port: 32_001 })).rejects.toThrow(SystemError);
  });
});

describe('a connection ends by', () => {
  test.each([
    [new HttpError('no HTTP'), true],
    [new SystemError('ECONNRESET'), true],
    [new Killed(), true],
    [new Error('a fault of ours'), false],
    ['a text', false],
  ])('%s: %s', (problem, ends) => {
    expect(isConnectionEnd(problem)).toBe(ends);
  });

  test('what the answer refuses: the client finds it ended', async () => {
    const network = networkOfPod();
    const refuse = httpService(() => {
      throw new SystemError('ETIMEDOUT');
    });
    network.listen(8080, refuse);
    expect(await exchange(network, 'localhost', 8080, GET)).toBe('');
  });
});
