/** How the API server reaches servers in the simulated network, and what the simulation itself serves there. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServerTarget } from '../../src/node/serverFetch.ts';
import { NodeLab, type Loose } from './lab.ts';

const PODS = '/api/v1/namespaces/default/pods';
const SYSTEM = '/api/v1/namespaces/kube-system';
/** The certificates that clients were asked to trust. */
const judged: string[][] = [];

let lab: NodeLab;
let ip: string;

/** A program that sends a text to whoever connects to a port, and keeps what it was sent. */
const sends = (port: number, text: string): string =>
  `printf '${text.replaceAll('\n', '\\r\\n')}' | nc -l -p ${port} > /tmp/${port} &`;

beforeAll(async () => {
  lab = await NodeLab.start({
    naming: 'k8s.io',
    judge: (...which) => {
      judged.push(which);
      return Promise.resolve(
        which[1] === 'bad.example.com' ? 'x509: certificate is not valid for any names' : undefined,
      );
    },
  });
  const chunked = 'HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nConnection: keep-alive\nX-Own: yes\n\n5\nfirst\n';
  const script = [
    sends(8000, 'HTTP/1.1 201 Created\nContent-Length: 4\nX-Own: yes\n\nmade'),
    sends(8001, 'HTTP/1.1 304 Not Modified\n\n'),
    sends(8002, 'HTTP/1.1 204 No Content\n\n'),
    sends(8003, 'this is no HTTP\n\n'),
    `(printf '${chunked.replaceAll('\n', '\\r\\n')}'; sleep 2; printf '6\\r\\nsecond\\r\\n0\\r\\n\\r\\n') | nc -l -p 8004 &`,
    sends(8007, 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok'),
    sends(8005, 'HTTP/1.1 200 OK\nContent-Length: 4\n\n'),
    'sleep 100000',
  ];
  await lab.create(PODS, {
    metadata: { name: 'p', labels: { app: 'p' } },
    spec: {
      containers: [
        { name: 'c', image: 'busybox', command: ['sh', '-c', script.join('\n')] },
        { name: 'web', image: 'agnhost', args: ['netexec', '--http-port=80'] },
      ],
    },
  });
  const pod = await lab.until(`${PODS}/p`, ({ status }) => status.phase === 'Running');
  await lab.advance(500);
  ip = pod.status.podIP;
});
afterAll(() => lab.stop());

/** What comes of a request, while the clock goes on. */
async function settled<T>(asked: Promise<T> | undefined): Promise<T> {
  let isOver = false;
  const over = Promise.resolve(asked).finally(() => (isOver = true));
  over.catch(() => undefined);
  for (let i = 0; i < 300 && !isOver; i++) await lab.advance(500, 500);
  if (!isOver) throw new Error('it did not end');
  const answer = await over;
  if (answer === undefined) throw new Error('there is no network');
  return answer;
}

const to = (
  port: number,
  init: RequestInit = {},
  target: Partial<ServerTarget> = {},
  path = '/a?b=c',
): Promise<Response> =>
  settled(lab.nodes.fetch(new Request(`http://any.example.com${path}`, init), { host: ip, port, ...target }));
/** The metrics API as the API server reaches it: by its service. */
async function server(): Promise<ServerTarget> {
  const { spec } = await lab.get(`${SYSTEM}/services/metrics-server`);
  return { host: spec.clusterIP, port: 443 };
}

const seen = async (port: number): Promise<string> => {
  const access = await lab.nodes.access();
  return access.files(await lab.get(`${PODS}/p`), 'c').text(`/tmp/${port}`);
};

describe('a request to a server in a pod', () => {
  test('carries method, path, headers and body, but no headers that the connection has of its own', async () => {
    const headers = { 'x-asked': 'yes', 'content-type': 'text/plain', connection: 'close' };
    const answer = await to(8000, { method: 'POST', body: 'hello', headers });
    expect([answer.status, answer.headers.get('x-own'), await settled(answer.text())]).toEqual([201, 'yes', 'made']);
    const text = await seen(8000);
    expect(text).toMatch(/^POST \/a\?b=c HTTP\/1\.1\r\n/);
    expect(text).toContain('\r\nHost: any.example.com:8000\r\n');
    expect(text.toLowerCase()).toContain('\r\nx-asked: yes\r\n');
    expect(text.toLowerCase().match(/content-length: 5/g)).toHaveLength(1);
    expect(text.endsWith('\r\n\r\nhello')).toBe(true);
  });

  test.each(['GET', 'HEAD'])('has no body where it is a %s', async (method) => {
    const answer = await to(80, { method }, {}, '/echo?msg=said');
    expect([answer.status, await settled(answer.text())]).toEqual([200, method === 'HEAD' ? '' : 'said']);
  });

  test.each([
    [8001, 304],
    [8002, 204],
  ])('of port %i has an empty answer with status %i', async (port, status) => {
    const answer = await to(port);
    expect([answer.status, answer.body]).toEqual([status, null]);
  });

  test('is answered while the server still sends', async () => {
    const answer = await to(8004);
    expect(Object.fromEntries(answer.headers)).toEqual({ 'x-own': 'yes' });
    const reader = answer.body?.getReader();
    const read = async (): Promise<string | undefined> => {
      const { value } = (await reader?.read()) ?? {};
      return value && new TextDecoder().decode(value as Uint8Array);
    };
    expect(await read()).toBe('first');
    const second = read();
    await lab.advance(2500);
    expect(await second).toBe('second');
    expect(await read()).toBeUndefined();
  });

  test.each<[string, number, Partial<ServerTarget>, string]>([
    ['a port that nobody listens at', 81, {}, 'dial tcp IP:81: connect: connection refused'],
    ['an address that nobody has', 80, { host: '10.244.0.99' }, 'dial tcp 10.244.0.99:80: i/o timeout'],
    ['an IPv6 address that nobody has', 80, { host: 'fd00::1' }, 'dial tcp [fd00::1]:80: i/o timeout'],
    ['a name that is not known', 80, { host: 'none.example' }, 'dial tcp: lookup none.example: no such host'],
    ['a server that speaks something else', 8003, {}, 'malformed HTTP'],
    ['a server that breaks off', 8005, {}, ''],
  ])('to %s fails', async (_, port, target, message) => {
    if (message === '') {
      const answer = await to(port);
      const text = answer.text();
      text.catch(() => undefined);
      await lab.advance(1000);
      await expect(text).rejects.toThrow();
    } else await expect(to(port, {}, target)).rejects.toThrow(message.replace('IP', ip));
  });

  test('ends with the client that gave up', async () => {
    const gone = new AbortController();
    const asked = lab.nodes.fetch(new Request('http://a/', { signal: gone.signal }), { host: ip, port: 8006 });
    gone.abort(new Error('no time'));
    await expect(asked).rejects.toThrow(/no time|refused/);
  });
});

test('a request through the proxy of a pod goes to its own address, with its headers and body', async () => {
  const streams = await lab.nodes.streams();
  const body = new TextEncoder().encode('hello');
  const target = { tls: false, port: 8007, method: 'PUT', path: '/x?y=z', headers: { 'x-a': 'b' }, body };
  const answer = await streams.request(await lab.get(`${PODS}/p`), target, new AbortController().signal);
  expect(await answer.text()).toBe('ok');
  const text = await seen(8007);
  expect(text).toMatch(/^PUT \/x\?y=z HTTP\/1\.1\r\n/);
  expect(text).toContain(`\r\nHost: ${ip}:8007\r\n`);
  expect(text).toContain('\r\nx-a: b\r\n');
  expect(text.endsWith('\r\n\r\nhello')).toBe(true);
});

describe('an Ingress with TLS', () => {
  test.each([
    ['kubernetes.io/tls', 'CERTIFICATE'],
    ['Opaque', undefined],
  ])('shows the certificate of its secret of type %s: %s', async (type, shown) => {
    const name = type === 'Opaque' ? 'opaque' : 'tls';
    const host = `${name}.example.com`;
    await lab.create('/apis/networking.k8s.io/v1/ingressclasses', {
      ...{ metadata: { name }, spec: { controller: 'vitrine.dev/ingress' } },
    });
    await lab.create('/api/v1/namespaces/default/secrets', {
      ...{ metadata: { name }, type, data: { 'tls.crt': btoa('CERTIFICATE'), 'tls.key': btoa('KEY') } },
    });
    await lab.create('/apis/networking.k8s.io/v1/namespaces/default/ingresses', {
      metadata: { name },
      spec: { ingressClassName: name, tls: [{ hosts: [host], secretName: name }], rules: [{ host }] },
    });
    await lab.advance(500);
    judged.length = 0;
    const target = { host: '203.0.113.80', port: 443, serverName: host, authorities: 'PEM' };
    await settled(lab.nodes.fetch(new Request(`https://${host}/`), target)).catch(() => undefined);
    const [first] = judged;
    expect(first?.slice(1)).toEqual([host, 'PEM']);
    if (shown === undefined) expect(first?.[0]).not.toContain('CERTIFICATE');
    else expect(first?.[0]).toBe(shown);
  });
});

describe('the metrics API', () => {
  const METRICS = '/apis/metrics.k8s.io/v1beta1';
  const ask = async (path: string, init: RequestInit = {}): Promise<[number, Loose]> => {
    const answer = await settled(lab.nodes.fetch(new Request(`https://metrics-server${path}`, init), await server()));
    return [answer.status, await settled(answer.json())];
  };
  const names = ({ items }: Loose): string[] => items.map(({ metadata }: Loose) => metadata.name);

  test('is announced to the API server as in the field', async () => {
    const labels = { 'k8s-app': 'metrics-server' };
    const metadata = { name: 'metrics-server', namespace: 'kube-system' };
    const port = { name: 'https', port: 443, protocol: 'TCP' };
    expect(await lab.get(`${SYSTEM}/services/metrics-server`)).toMatchObject({
      metadata: { ...metadata, labels },
      spec: { ports: [{ ...port, targetPort: 443 }] },
    });
    const endpoints = await lab.get(`${SYSTEM}/endpoints/metrics-server`);
    expect(endpoints).toMatchObject({
      metadata: { ...metadata, labels: { ...labels, 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
      subsets: [{ addresses: [{ ip: '192.0.2.2' }], ports: [port] }],
    });
    const [slice] = await lab.items('/apis/discovery.k8s.io/v1beta1/namespaces/kube-system/endpointslices');
    expect(slice).toMatchObject({
      metadata: { ...metadata, labels: { ...labels, 'kubernetes.io/service-name': 'metrics-server' } },
      ...{ addressType: 'IPv4', endpoints: [{ addresses: ['192.0.2.2'], conditions: { ready: true } }], ports: [port] },
    });
    const to = (role: string): string => `rbac.authorization.k8s.io/aggregate-to-${role}`;
    const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
    expect(await lab.get(`${roles}/system:aggregated-metrics-reader`)).toMatchObject({
      metadata: { labels: { ...labels, [to('view')]: 'true', [to('edit')]: 'true', [to('admin')]: 'true' } },
      rules: [{ apiGroups: ['metrics.k8s.io'], resources: ['pods', 'nodes'], verbs: ['get', 'list', 'watch'] }],
    });
    const service = '/apis/apiregistration.k8s.io/v1/apiservices/v1beta1.metrics.k8s.io';
    expect(await lab.get(service)).toMatchObject({
      metadata: { labels },
      spec: {
        ...{ group: 'metrics.k8s.io', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 },
        ...{ insecureSkipTLSVerify: true, service: { ...metadata, port: 443 } },
      },
    });
  });

  test('lists its resources', async () => {
    const resource = (name: string, kind: string, namespaced: boolean): Loose => ({
      ...{ name, singularName: '', namespaced, kind, verbs: ['get', 'list'] },
    });
    expect(await ask(METRICS)).toEqual([
      200,
      {
        ...{ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: 'metrics.k8s.io/v1beta1' },
        resources: [resource('nodes', 'NodeMetrics', false), resource('pods', 'PodMetrics', true)],
      },
    ]);
  });

  test('tells what nodes and pods use', async () => {
    await lab.advance(20_000, 500);
    const [, nodes] = await ask(`${METRICS}/nodes`);
    const usage = { cpu: expect.stringMatching(/^\d+n$/), memory: expect.stringMatching(/^\d+Ki$/) };
    const timestamp = expect.stringMatching(/^2026-01-01T12:\d\d:\d\dZ$/);
    const common = { apiVersion: 'metrics.k8s.io/v1beta1', timestamp, window: '30s' };
    const node = {
      ...{ kind: 'NodeMetrics', ...common, metadata: { name: 'node-1', creationTimestamp: timestamp }, usage },
    };
    expect(nodes).toEqual({
      ...{ kind: 'NodeMetricsList', apiVersion: 'metrics.k8s.io/v1beta1', metadata: {}, items: [node] },
    });
    // The agent and its system use 20 thousandths of a CPU and 256 MiB.
    expect(Number.parseInt(nodes.items[0].usage.cpu)).toBeGreaterThanOrEqual(20e6);
    expect(Number.parseInt(nodes.items[0].usage.memory)).toBeGreaterThan(256 * 1024);
    expect(Number.parseInt(nodes.items[0].usage.memory)).toBeLessThan(512 * 1024);
    const pod = {
      ...{ kind: 'PodMetrics', ...common },
      metadata: { name: 'p', namespace: 'default', creationTimestamp: timestamp },
      containers: [
        { name: 'c', usage },
        { name: 'web', usage },
      ],
    };
    expect(await ask(`${METRICS}/pods`)).toEqual([
      200,
      { kind: 'PodMetricsList', apiVersion: 'metrics.k8s.io/v1beta1', metadata: {}, items: [pod] },
    ]);
    expect(await ask(`${METRICS}/namespaces/default/pods/p`)).toEqual([200, pod]);
    expect(await ask(`${METRICS}/nodes/node-1`)).toEqual([200, node]);
  });

  test.each([
    ['/pods?labelSelector=app%3Dp', ['p']],
    ['/pods?labelSelector=app%3Dq', []],
    ['/namespaces/default/pods', ['p']],
    ['/namespaces/default/pods/', ['p']],
    ['/namespaces/other/pods', []],
    ['/nodes?labelSelector=kubernetes.io%2Fos%3Dlinux', ['node-1']],
    ['/nodes?labelSelector=kubernetes.io%2Fos%3Dother', []],
  ])('%s lists %j', async (path, expected) => {
    const [status, list] = await ask(METRICS + path);
    expect([status, names(list)]).toEqual([200, expected]);
  });

  test.each([
    [`${METRICS}/pods/p/more`, 404, 'the server could not find the requested resource'],
    [`${METRICS}/namespaces/default/nodes`, 404, 'the server could not find the requested resource'],
    [`${METRICS}/services`, 404, 'the server could not find the requested resource'],
    ['/apis/metrics.k8s.io/v1/nodes', 404, 'the server could not find the requested resource'],
    ['/apis/other.k8s.io/v1beta1/nodes', 404, 'the server could not find the requested resource'],
    ['/api/metrics.k8s.io/v1beta1/nodes', 404, 'the server could not find the requested resource'],
    [`${METRICS}/nodes/none`, 404, 'nodes.metrics.k8s.io "none" not found'],
    [`${METRICS}/namespaces/default/pods/none`, 404, 'pods.metrics.k8s.io "none" not found'],
  ])('does not find %s', async (path, code, message) => {
    expect(await ask(path)).toEqual([code, expect.objectContaining({ kind: 'Status', code, message })]);
  });

  test('is only read', async () => {
    expect(await ask(`${METRICS}/nodes`, { method: 'DELETE' })).toEqual([
      405,
      expect.objectContaining({ reason: 'MethodNotAllowed', message: 'metrics are only read' }),
    ]);
  });
});

describe('certificates', () => {
  test.each<[string, Partial<ServerTarget>, string[] | undefined, string | undefined]>([
    [
      'are verified for the name that the API server gives',
      { authorities: 'PEM', serverName: 'a.b' },
      ['', 'a.b', 'PEM'],
      undefined,
    ],
    ['are not looked at without authorities', { serverName: 'a.b' }, undefined, undefined],
    [
      'that are not trusted end the request',
      { authorities: 'PEM', serverName: 'bad.example.com' },
      ['', 'bad.example.com', 'PEM'],
      'x509: certificate is not valid for any names',
    ],
  ])('%s', async (_, target, asked, problem) => {
    judged.length = 0;
    const request = new Request('https://metrics-server/apis/metrics.k8s.io/v1beta1');
    const answer = settled(lab.nodes.fetch(request, { ...(await server()), ...target }));
    if (problem === undefined) expect((await answer).status).toBe(200);
    else await expect(answer).rejects.toThrow(problem);
    expect(judged).toEqual(asked ? [asked] : []);
  });
});

describe('the status of an Ingress', () => {
  const NETWORKING = '/apis/networking.k8s.io/v1';
  const INGRESSES = `${NETWORKING}/namespaces/default/ingresses`;
  const CLASSES = `${NETWORKING}/ingressclasses`;
  const spec = (more: Loose = {}): Loose => ({
    defaultBackend: { service: { name: 'web', port: { number: 80 } } },
    ...more,
  });
  const addresses = async (name: string): Promise<Loose> =>
    (await lab.get(`${INGRESSES}/${name}`)).status?.loadBalancer?.ingress;

  test('has the address of the simulated controller while that serves it', async () => {
    await lab.create(INGRESSES, { metadata: { name: 'plain' }, spec: spec() });
    await lab.create(INGRESSES, { metadata: { name: 'classed' }, spec: spec({ ingressClassName: 'ours' }) });
    await lab.create(INGRESSES, { metadata: { name: 'foreign' }, spec: spec({ ingressClassName: 'theirs' }) });
    await lab.create(CLASSES, { metadata: { name: 'theirs' }, spec: { controller: 'example.com/theirs' } });
    await lab.advance(500);
    expect(await addresses('classed')).toBeUndefined();
    // The class comes after the Ingress.
    await lab.create(CLASSES, { metadata: { name: 'ours' }, spec: { controller: 'vitrine.dev/ingress' } });
    await lab.advance(500);
    expect(await addresses('classed')).toEqual([{ ip: '203.0.113.80' }]);
    expect(await addresses('foreign')).toBeUndefined();
    expect(await addresses('plain')).toBeUndefined();
    const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
    await lab.patch(`${CLASSES}/ours`, { metadata: { annotations } });
    await lab.advance(500);
    expect(await addresses('plain')).toEqual([{ ip: '203.0.113.80' }]);
    await lab.patch(`${INGRESSES}/classed`, { spec: { ingressClassName: 'theirs' } });
    await lab.advance(500);
    expect(await addresses('classed')).toEqual([]);
    expect(lab.server.writes.filter(({ path }) => path.includes('ingresses/foreign'))).toEqual([]);
  });

  test('is written until the server takes it, and not again', async () => {
    const writes = (name: string): number =>
      lab.server.writes.filter(({ path }) => path === `namespaces/default/ingresses/${name}/status`).length;
    lab.server.refuse('PATCH', /ingresses\/later\/status$/, 500, 'InternalError', 2);
    lab.server.refuse('PATCH', /ingresses\/gone\/status$/, 404, 'NotFound');
    for (const name of ['later', 'gone'])
      await lab.create(INGRESSES, { metadata: { name }, spec: spec({ ingressClassName: 'ours' }) });
    await lab.advance(10_000, 500);
    expect([writes('later'), writes('gone')]).toEqual([3, 1]);
    expect(await addresses('later')).toEqual([{ ip: '203.0.113.80' }]);
  });
});

describe('the API server as containers see it', () => {
  test('answers by its address, over TLS alone', async () => {
    const ask = (scheme: string, path: string): Loose => ({
      ...{ image: 'agnhost', command: ['sh', '-c', `curl -sk ${scheme}://192.0.2.1:6443${path}; echo " $?"`] },
    });
    const containers = [
      { name: 'reads', ...ask('https', `${PODS}/p`) },
      { name: 'misses', ...ask('https', `${PODS}/none`) },
      { name: 'plain', ...ask('http', `${PODS}/p`) },
      {
        name: 'writes',
        image: 'agnhost',
        command: [
          ...['sh', '-c'],
          `curl -sk -d '{"metadata":{"name":"by-pod"}}' -H 'Content-Type: application/json' https://192.0.2.1:6443/api/v1/namespaces/default/configmaps`,
        ],
      },
    ];
    await lab.create(PODS, { metadata: { name: 'asks' }, spec: { containers, restartPolicy: 'Never' } });
    await lab.until(`${PODS}/asks`, ({ status }) => status.phase === 'Succeeded');
    const log = (container: string): Promise<string> => lab.get(`${PODS}/asks/log?container=${container}`);
    expect(JSON.parse((await log('reads')).replace(/ 0\n$/, ''))).toMatchObject({
      kind: 'Pod',
      metadata: { name: 'p' },
    });
    expect(await log('misses')).toContain('"code":404');
    expect(await log('plain')).toBe('Client sent an HTTP request to an HTTPS server.\n 0\n');
    expect((await lab.get('/api/v1/namespaces/default/configmaps/by-pod')).kind).toBe('ConfigMap');
  });
});
