/** What a node's agent answers, lists and writes into volumes, by tables: no cluster runs here. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { ConfigMap, Node, Pod, Secret } from '../../../src/client/index.ts';
import { agentAnswer, type AgentView } from '../../../src/node/agentServer.ts';
import { ImageStore } from '../../../src/node/imageStore.ts';
import type { LogOptions } from '../../../src/node/logs.ts';
import { nodeUse } from '../../../src/node/usage.ts';
import { payloadOf } from '../../../src/node/volumes/projections.ts';
import type { objects } from '../../../src/schema/index.ts';
import { decodeText, manualClock } from '../../../src/std/index.ts';

const read = <T>(text: string): T => parse(text) as T;

describe('an agent', () => {
  const node = read<Node>(
    '{metadata: {name: n, creationTimestamp: "2021-01-01T00:00:00Z"}, spec: {podCIDR: 10.1.0.0/24}, status: {capacity: {pods: "30"}}}',
  );
  const pods = [
    read<Pod>(
      '{metadata: {namespace: a, name: p, uid: u}, spec: {x: 1}, status: {phase: Running, startTime: "2021-01-01T00:00:01Z"}}',
    ),
    read<Pod>('{metadata: {namespace: a, name: q, uid: v}, spec: {}, status: {phase: Pending}}'),
  ];
  const containers = [
    { name: 'c', millicores: 100, memory: 1000 },
    { name: 'd', millicores: 0.5, memory: 2000 },
  ];
  const use = nodeUse('n', [{ namespace: 'a', name: 'p', uid: 'u', containers }], Date.UTC(2021, 0, 1, 0, 0, 9));
  const asked: LogOptions[] = [];
  const view: AgentView = {
    ...{ node, pods, use },
    logs: (pod, container, options) => {
      asked.push(options);
      if (container !== 'c' || pod.metadata.name !== 'p') return undefined;
      return (async function* () {
        yield 'one\n';
        yield 'two\n';
      })();
    },
  };
  const ask = async (path: string, method = 'GET'): Promise<readonly [number, string, string]> => {
    const { status, headers, body } = await agentAnswer(view, method, path);
    return [status, headers.get('content-type') ?? '', decodeText(body)];
  };
  const PLAIN = 'text/plain; charset=utf-8';
  const METRICS = 'text/plain; version=0.0.4; charset=utf-8';
  const MEMORY = `# TYPE container_memory_working_set_bytes gauge
container_memory_working_set_bytes{container="c",namespace="a",pod="p"} 1000
container_memory_working_set_bytes{container="d",namespace="a",pod="p"} 2000
`;
  const AGENT = `# TYPE kubelet_node_name gauge
kubelet_node_name{node="n"} 1
# TYPE kubelet_running_pods gauge
kubelet_running_pods 1
# TYPE kubelet_running_containers gauge
kubelet_running_containers{container_state="running"} 2
# TYPE kubelet_desired_pods gauge
kubelet_desired_pods 2
`;
  const whole = 268_435_456 + 3000;

  test.each([
    ['GET', '/healthz', 200, PLAIN, 'ok'],
    ['GET', '/healthz/', 200, PLAIN, 'ok'],
    ['GET', '/', 404, PLAIN, '404 page not found\n'],
    ['GET', '/constructor', 404, PLAIN, '404 page not found\n'],
    ['POST', '/healthz', 405, PLAIN, '405 method not allowed\n'],
    ['POST', '/none', 404, PLAIN, '405 method not allowed\n'],
    ['GET', '/containerLogs/a/p/c', 200, PLAIN, 'one\ntwo\n'],
    ['GET', '/containerLogs/a/p', 404, PLAIN, '404 page not found\n'],
    ['GET', '/containerLogs/a/p/c/d', 404, PLAIN, '404 page not found\n'],
    ['GET', '/other/a/p/c', 404, PLAIN, '404 page not found\n'],
    ['GET', '/containerLogs/a/p/d', 404, PLAIN, 'container "d" in pod "p" is not available\n'],
    ['GET', '/containerLogs/a/r/c', 404, PLAIN, 'pod "a/r" not found\n'],
    ['GET', '/containerLogs/b/p/c', 404, PLAIN, 'pod "b/p" not found\n'],
    ['GET', '/metrics', 200, METRICS, AGENT],
    ['GET', '/metrics/cadvisor', 200, METRICS, MEMORY],
    [
      'GET',
      '/metrics/resource',
      200,
      METRICS,
      `# TYPE node_memory_working_set_bytes gauge\nnode_memory_working_set_bytes ${whole}\n${MEMORY}`,
    ],
    [
      'GET',
      '/logs/',
      200,
      'text/html; charset=utf-8',
      '<pre>\n<a href="a_p_u/">a_p_u/</a>\n<a href="a_q_v/">a_q_v/</a>\n</pre>\n',
    ],
  ])('answers %s %s with %d %s', async (method, path, status, type, text) => {
    expect(await ask(path, method)).toEqual([status, type, text]);
  });

  const names = (list: unknown): unknown => (list as { items: Pod[] }).items.map(({ metadata }) => metadata.name);
  test('lists all pods, and those that run', async () => {
    const [, type, text] = await ask('/pods');
    expect([type, JSON.parse(text)]).toEqual([
      'application/json',
      { kind: 'PodList', apiVersion: 'v1', metadata: {}, items: pods },
    ]);
    expect(names(JSON.parse((await ask('/runningpods'))[2]))).toEqual(['p']);
  });

  test('sums up what is used', async () => {
    const time = '2021-01-01T00:00:09Z';
    const amounts = (cores: number, bytes: number): object => ({
      cpu: { time, usageNanoCores: cores },
      memory: { time, usageBytes: bytes, workingSetBytes: bytes },
    });
    expect(JSON.parse((await ask('/stats/summary'))[2])).toEqual({
      node: { nodeName: 'n', startTime: '2021-01-01T00:00:00Z', ...amounts(120_500_000, whole) },
      pods: [
        {
          podRef: { name: 'p', namespace: 'a', uid: 'u' },
          startTime: '2021-01-01T00:00:01Z',
          containers: [
            { name: 'c', ...amounts(100_000_000, 1000) },
            { name: 'd', ...amounts(500_000, 2000) },
          ],
        },
      ],
    });
  });

  test('shows its configuration', async () => {
    expect(JSON.parse((await ask('/configz'))[2])).toEqual({
      kubeletconfig: { enableServer: true, port: 10250, podCIDR: '10.1.0.0/24', maxPods: 30 },
    });
  });

  test.each([
    ['', { follow: false, previous: false, timestamps: false, tailLines: undefined }],
    ['?tailLines=5&previous=true', { follow: false, previous: true, timestamps: false, tailLines: 5 }],
    ['?tailLines=x&timestamps=true&follow=true', { follow: false, previous: false, timestamps: true, tailLines: 0 }],
  ])('reads a log with %j as %j', async (query, options) => {
    await ask(`/containerLogs/a/p/c${query}`);
    expect(asked.at(-1)).toEqual(options);
  });
});

describe('the images of a node', () => {
  test('are pulled once, listed by size, and have short names of the default registry', async () => {
    const clock = manualClock(0);
    let changes = 0;
    const store = new ImageStore(clock, () => (changes += 1));
    expect(store.has('busybox')).toBe(false);
    const pulled = Promise.all([
      store.pull('busybox'),
      store.pull('docker.io/library/busybox:latest'),
      store.pull('nginx'),
    ]);
    expect(store.has('busybox')).toBe(false);
    await clock.step(600_000);
    await pulled;
    expect([store.has('busybox'), store.has('docker.io/library/busybox:latest'), changes]).toEqual([true, true, 2]);
    const again = store.pull('busybox');
    await clock.step(50);
    await again;
    store.keep('example.com/mine:1');
    const list = store.list();
    expect(changes).toBe(2);
    expect(list.map(({ names }) => names)).toEqual(
      expect.arrayContaining([
        ['docker.io/library/busybox:latest', 'busybox:latest'],
        ['docker.io/library/nginx:latest', 'nginx:latest'],
        ['example.com/mine:1'],
      ]),
    );
    const sizes = list.map(({ sizeBytes }) => sizeBytes);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  });

  test('are listed up to fifty', () => {
    const store = new ImageStore(manualClock(0), () => undefined);
    for (let i = 0; i < 60; i++) store.keep(`example.com/i:${i}`);
    expect(store.list()).toHaveLength(50);
  });
});

describe('the files of a volume', () => {
  const pod = read<Pod>(
    '{metadata: {name: p, namespace: n, labels: {b: "2", a: "1"}}, spec: {containers: [{}]}, status: {}}',
  );
  const sources = {
    configMap: async (name: string) =>
      name === 'm' ? read<ConfigMap>('{data: {a: "1", b: "2"}, binaryData: {c: Mw==}}') : undefined,
    secret: async (name: string) => (name === 's' ? read<Secret>('{data: {k: dmFsdWU=, bad: "%"}}') : undefined),
    token: async () => 'token',
    where: () => ({ pod, podIP: '10.1.1.1', hostIP: '10.0.0.1', allocatable: { cpu: '2' } }),
  };
  const filesOf = async (text: string): Promise<unknown> =>
    Object.fromEntries(
      Array.from(await payloadOf(read<objects.Volume>(text), sources), ([path, { content, mode }]) => [
        path,
        `${mode.toString(8)} ${decodeText(content)}`,
      ]),
    );

  test.each([
    ['{emptyDir: {}}', {}],
    ['{configMap: {name: m}}', { a: '644 1', b: '644 2', c: '644 3' }],
    [
      '{configMap: {name: m, defaultMode: 256, items: [{key: a, path: x/y}, {key: c, path: z, mode: 511}]}}',
      { 'x/y': '400 1', z: '777 3' },
    ],
    ['{configMap: {name: m, items: []}}', { a: '644 1', b: '644 2', c: '644 3' }],
    ['{configMap: {name: none, optional: true}}', {}],
    ['{configMap: {name: m, optional: true, items: [{key: none, path: x}, {key: b, path: b}]}}', { b: '644 2' }],
    ['{secret: {secretName: s}}', { k: '644 value', bad: '644 ' }],
    ['{secret: {secretName: s, defaultMode: 256, items: [{key: k, path: x}]}}', { x: '400 value' }],
    ['{secret: {secretName: none, optional: true}}', {}],
    ['{downwardAPI: {items: [{path: l, fieldRef: {fieldPath: metadata.labels}}]}}', { l: '644 a="1"\nb="2"' }],
    [
      '{downwardAPI: {defaultMode: 256, items: [{path: n, mode: 288, fieldRef: {fieldPath: none}}, {path: o}]}}',
      { n: '440 ', o: '400 ' },
    ],
    [
      '{projected: {defaultMode: 256, sources: [{configMap: {name: m, items: [{key: a, path: a}]}}, {secret: {name: s, items: [{key: k, path: k}]}}, {downwardAPI: {items: [{path: n, fieldRef: {fieldPath: metadata.name}}]}}]}}',
      { a: '400 1', k: '400 value', n: '400 p' },
    ],
    ['{projected: {sources: [{serviceAccountToken: {path: t}}]}}', { t: '644 token' }],
    ['{projected: {defaultMode: 256, sources: [{serviceAccountToken: {path: t}}]}}', { t: '400 token' }],
    ['{projected: {}}', {}],
  ])('%s are %j', async (volume, files) => {
    expect(await filesOf(volume)).toEqual(files);
  });

  test.each([
    ['{containers: [{}, {}]}', '644'],
    ['{securityContext: {fsGroup: 0}, containers: [{}]}', '600'],
    ['{securityContext: {runAsUser: 7}, containers: [{}, {}]}', '600'],
    ['{containers: [{securityContext: {runAsUser: 0}}]}', '600'],
    ['{containers: [{securityContext: {runAsUser: 7}}, {}]}', '644'],
    ['{containers: [{securityContext: {runAsUser: 7}}, {securityContext: {runAsUser: 8}}]}', '644'],
    ['{securityContext: {runAsUser: 8}, containers: [{securityContext: {runAsUser: 7}}, {}]}', '644'],
    ['{initContainers: [{}], containers: [{securityContext: {runAsUser: 7}}]}', '644'],
  ])('a token of a pod with %s has mode %s', async (spec, mode) => {
    const owned = {
      ...sources,
      where: () => ({ ...sources.where(), pod: read<Pod>(`{metadata: {name: p}, spec: ${spec}}`) }),
    };
    const files = await payloadOf(read('{projected: {sources: [{serviceAccountToken: {path: t}}]}}'), owned);
    expect(files.get('t')?.mode.toString(8)).toBe(mode);
  });

  test.each([
    ['{configMap: {name: none}}', 'configmap "none" not found'],
    ['{secret: {secretName: none}}', 'secret "none" not found'],
    ['{configMap: {name: m, items: [{key: z, path: z}]}}', 'configmap references non-existent config key: z'],
    ['{secret: {secretName: s, items: [{key: z, path: z}]}}', 'references non-existent secret key: z'],
    ['{projected: {sources: [{configMap: {name: none}}]}}', 'configmap "none" not found'],
    ['{projected: {sources: [{secret: {name: none}}]}}', 'secret "none" not found'],
  ])('%s cannot be written: %s', async (volume, message) => {
    await expect(filesOf(volume)).rejects.toThrow(message);
  });
});
