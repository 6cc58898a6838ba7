/** What a node's agent answers through `nodes/NAME/proxy`, and what attach does to a container's input. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Bench, type Loose } from '../controllers/bench.ts';

const CORE = '/api/v1/namespaces/default';
const PROXY = '/api/v1/nodes/node-1/proxy';
let bench: Bench;

beforeAll(async () => {
  bench = await Bench.start({ nodes: 1, naming: 'k8s.io' });
  const command = ['sh', '-c', 'echo one; echo two; sleep 1000'];
  await bench.create(`${CORE}/pods`, {
    metadata: { name: 'p' },
    spec: { containers: [{ name: 'c', image: 'busybox', command }] },
  });
  await bench.until(`${CORE}/pods/p`, (pod) => pod.status.phase === 'Running');
});
afterAll(() => bench.stop());

describe('an agent', () => {
  test.each([
    ['/healthz', 'ok'],
    ['/containerLogs/default/p/c', 'one\ntwo\n'],
    ['/containerLogs/default/p/c?tailLines=1', 'two\n'],
    ['/containerLogs/default/p/none', 'container "none" in pod "p" is not available\n'],
    ['/containerLogs/default/none/c', 'pod "default/none" not found\n'],
    ['/nothing', '404 page not found\n'],
  ])('answers %s', async (path, expected) => {
    expect(await bench.get(PROXY + path)).toBe(expected);
  });

  test('says which pods there are, and what they use', async () => {
    expect((await bench.get(`${PROXY}/pods`)).items.map((pod: Loose) => pod.metadata.name)).toEqual(['p']);
    const { node, pods } = await bench.get(`${PROXY}/stats/summary`);
    expect([node.nodeName, pods[0].podRef.name, pods[0].containers[0].name]).toEqual(['node-1', 'p', 'c']);
    expect(node.memory.workingSetBytes).toBeGreaterThan(pods[0].containers[0].memory.workingSetBytes);
    const labels = '{container="c",namespace="default",pod="p"}';
    expect(await bench.get(`${PROXY}/metrics/cadvisor`)).toContain(`container_memory_working_set_bytes${labels} `);
    expect(await bench.get(`${PROXY}/metrics`)).toContain('kubelet_running_pods 1\n');
    expect((await bench.get(`${PROXY}/configz`)).kubeletconfig.port).toBe(10250);
  });

  test('lists logs below its proxy, listens at its own port only, and is found by its name', async () => {
    expect(await bench.get('/api/v1/nodes/node-1:10250/proxy/logs/')).toContain('href="default_p_');
    expect((await bench.get('/api/v1/nodes/node-1:9999/proxy/healthz')).code).toBe(503);
    expect((await bench.get('/api/v1/nodes/none/proxy/healthz')).code).toBe(404);
  });
});

describe('the proxy of a pod', () => {
  beforeAll(async () => {
    const begin = 'HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n5\\r\\nfirst\\r\\n';
    const slow = ['sh', '-c', `(printf "${begin}"; sleep 1000) | nc -l -p 8000`];
    const page = { name: 'SERVE_PORT_80', value: '<a href="/there">there</a>' };
    await bench.create(`${CORE}/pods`, {
      metadata: { name: 'served' },
      spec: {
        containers: [
          { name: 'page', image: 'agnhost', args: ['porter'], env: [page] },
          { name: 'slow', image: 'agnhost', command: slow },
        ],
      },
    });
    await bench.until(`${CORE}/pods/served`, (pod) => pod.status.containerStatuses?.every((s: Loose) => s.ready));
  });

  test('rewrites the links of a page to lead through the proxy', async () => {
    const prefix = `${CORE}/pods/served:80/proxy`;
    expect(await bench.get(`${prefix}/`)).toBe(`<a href="${prefix}/there">there</a>`);
  });

  test.each(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('passes %s on', async (method) => {
    const answer = await bench.cluster.transportAs('admin')(`${CORE}/pods/served:80/proxy/`, { method });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(method === 'HEAD' ? '' : `<a href="${CORE}/pods/served:80/proxy/there">there</a>`);
  });

  test('hands on what a server sends before it has sent all', async () => {
    const answer = await bench.cluster.transportAs('admin')(`${CORE}/pods/served:8000/proxy/`);
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toBe('first');
    await reader?.cancel();
  });
});
