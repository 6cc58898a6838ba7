/** What a node's agent works out for a pod, by tables: no cluster runs here. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Pod, Service } from '../../../src/client/index.ts';
import { backoffAfter } from '../../../src/node/pod/backoff.ts';
import { failsProbe, faultsOf } from '../../../src/node/pod/faults.ts';
import { fieldValue, resourceValue } from '../../../src/node/pod/references.ts';
import { requestsOf } from '../../../src/node/pod/requests.ts';
import { sysctlProblem } from '../../../src/node/pod/sysctls.ts';
import { expand, mapText, serviceVariables, subscript } from '../../../src/node/pod/variables.ts';

const read = <T>(text: string): T => parse(text) as T;
const podOf = (text: string): Pod => ({ metadata: {}, status: {}, spec: {}, ...read<object>(text) }) as Pod;

test.each([
  [0, 10],
  [1, 10],
  [2, 20],
  [3, 40],
  [5, 160],
  [6, 300],
  [20, 300],
])('after %d restarts a container waits %d s', (restarts, seconds) => {
  expect(backoffAfter(restarts)).toBe(seconds * 1000);
});

describe('kernel parameters', () => {
  test.each<[string, string, string | undefined]>([
    ['kernel.shm_rmid_forced', '{}', undefined],
    ['net.ipv4.ip_local_port_range', '{}', undefined],
    ['net.ipv4.tcp_syncookies', '{hostIPC: true}', undefined],
    [
      'net.ipv4.ping_group_range',
      '{hostNetwork: true}',
      '"net.ipv4.ping_group_range" not allowed with host net enabled',
    ],
    ['kernel.shm_rmid_forced', '{hostNetwork: true}', undefined],
    ['kernel.shm_rmid_forced', '{hostIPC: true}', '"kernel.shm_rmid_forced" not allowed with host ipc enabled'],
    ['kernel.msgmax', '{}', '"kernel.msgmax" not whitelisted'],
    ['constructor', '{}', '"constructor" not whitelisted'],
  ])('%s with %s: %s', (name, spec, problem) => {
    const pod = podOf('{}');
    const more = read<object>(spec);
    const asked = { ...pod, spec: { ...more, securityContext: { sysctls: [{ name, value: '1' }] } } } as Pod;
    expect(sysctlProblem(asked)).toEqual(
      problem === undefined ? undefined : { reason: 'SysctlForbidden', message: `forbidden sysctl: ${problem}` },
    );
  });

  test('none are no problem', () => {
    expect(sysctlProblem(podOf('{}'))).toBeUndefined();
  });
});

test.each<[string, [string, number][]]>([
  ['{}', []],
  ['{containers: [{}]}', []],
  [
    '{containers: [{resources: {requests: {cpu: 100m, memory: 1Ki}}}, {resources: {requests: {cpu: "1"}}}]}',
    [
      ['cpu', 1100],
      ['memory', 1024],
    ],
  ],
  [
    '{containers: [{resources: {requests: {cpu: "1"}}}], initContainers: [{resources: {requests: {cpu: 500m}}}]}',
    [['cpu', 1000]],
  ],
  ['{initContainers: [{resources: {requests: {cpu: "1"}}}, {resources: {requests: {cpu: "3"}}}, {}]}', [['cpu', 3000]]],
  [
    '{containers: [{resources: {requests: {cpu: "1"}}}], overhead: {cpu: 10m, memory: "5"}}',
    [
      ['cpu', 1010],
      ['memory', 5],
    ],
  ],
])('%s asks for %j', (spec, amounts) => {
  expect([...requestsOf(podOf(`{spec: ${spec}}`))]).toEqual(amounts);
});

describe('variables', () => {
  const known = new Map([
    ['A', 'a'],
    ['EMPTY', ''],
    ['NESTED', '$(A)'],
  ]);
  test.each([
    ['plain', 'plain'],
    ['$(A)-$(A)', 'a-a'],
    ['$(EMPTY)', ''],
    ['$(UNKNOWN)', '$(UNKNOWN)'],
    ['$$(A)', '$(A)'],
    ['$$$(A)', '$a'],
    ['$$', '$'],
    ['$A ${A} $(', '$A ${A} $('],
    ['$(NESTED)', '$(A)'],
    ['$()', '$()'],
  ])('%s becomes %s', (text, expanded) => {
    expect(expand(text, (name) => known.get(name))).toBe(expanded);
  });

  const services = [
    '{metadata: {name: my-web, namespace: n}, spec: {clusterIP: 10.0.0.1, ports: [{name: http-alt, port: 80}, {port: 53, protocol: UDP}]}}',
    '{metadata: {name: bare, namespace: n}, spec: {clusterIP: 10.0.0.2}}',
    '{metadata: {name: six, namespace: n}, spec: {clusterIP: "fd00::1", ports: [{port: 80}]}}',
    '{metadata: {name: headless, namespace: n}, spec: {clusterIP: None, ports: [{port: 80}]}}',
    '{metadata: {name: waiting, namespace: n}, spec: {ports: [{port: 80}]}}',
    '{metadata: {name: other, namespace: m}, spec: {clusterIP: 10.0.0.3}}',
    '{metadata: {name: kubernetes, namespace: default}, spec: {clusterIP: 10.0.0.4}}',
  ].map(read<Service>);
  const own = read<Service>('{metadata: {name: kubernetes, namespace: n}, spec: {clusterIP: 10.0.0.5}}');
  const api = ['KUBERNETES_SERVICE_HOST', '10.0.0.4'];

  test('speak of the services of the namespace and of the API server', () => {
    const web = '10.0.0.1';
    expect([...serviceVariables(services, 'n', true, 'kubernetes')]).toEqual([
      api,
      ['MY_WEB_SERVICE_HOST', web],
      ['MY_WEB_SERVICE_PORT', '80'],
      ['MY_WEB_SERVICE_PORT_HTTP_ALT', '80'],
      ['MY_WEB_PORT', `tcp://${web}:80`],
      ['MY_WEB_PORT_80_TCP', `tcp://${web}:80`],
      ['MY_WEB_PORT_80_TCP_PROTO', 'tcp'],
      ['MY_WEB_PORT_80_TCP_PORT', '80'],
      ['MY_WEB_PORT_80_TCP_ADDR', web],
      ['MY_WEB_PORT_53_UDP', `udp://${web}:53`],
      ['MY_WEB_PORT_53_UDP_PROTO', 'udp'],
      ['MY_WEB_PORT_53_UDP_PORT', '53'],
      ['MY_WEB_PORT_53_UDP_ADDR', web],
      ['BARE_SERVICE_HOST', '10.0.0.2'],
      ['SIX_SERVICE_HOST', 'fd00::1'],
      ['SIX_SERVICE_PORT', '80'],
      ['SIX_PORT', 'tcp://[fd00::1]:80'],
      ['SIX_PORT_80_TCP', 'tcp://[fd00::1]:80'],
      ['SIX_PORT_80_TCP_PROTO', 'tcp'],
      ['SIX_PORT_80_TCP_PORT', '80'],
      ['SIX_PORT_80_TCP_ADDR', 'fd00::1'],
    ]);
  });

  test.each([
    ['without links only of the API server', 'n', false, services, [api]],
    [
      "the namespace's own service comes before the API server's",
      'n',
      true,
      [own, services[6] as Service],
      [['KUBERNETES_SERVICE_HOST', '10.0.0.5']],
    ],
    [
      'whichever is the first of the two',
      'n',
      true,
      [services[6] as Service, own],
      [['KUBERNETES_SERVICE_HOST', '10.0.0.5']],
    ],
    ['but not without links', 'n', false, [own, services[6] as Service], [api]],
  ] as const)('%s', (_what, namespace, links, all, expected) => {
    expect([...serviceVariables([...all], namespace, links, 'kubernetes')]).toEqual(expected);
  });
});

describe('fields of a pod', () => {
  const pod = podOf(`
metadata: {name: p, namespace: n, uid: u, labels: {b: two, a: 'on"e'}, annotations: {"it's": x}}
spec: {nodeName: one, serviceAccountName: robot}`);
  const where = { pod, podIP: '10.0.0.1', hostIP: '192.168.0.1', allocatable: {} };
  test.each([
    ['metadata.name', 'p'],
    ['metadata.namespace', 'n'],
    ['metadata.uid', 'u'],
    ['metadata.labels', 'a="on\\"e"\nb="two"'],
    ['metadata.annotations', 'it\'s="x"'],
    ["metadata.labels['b']", 'two'],
    ["metadata.labels['none']", ''],
    ["metadata.labels['constructor']", ''],
    ["metadata.annotations['it's']", 'x'],
    ["metadata.annotations['b']", ''],
    ['spec.nodeName', 'one'],
    ['spec.serviceAccountName', 'robot'],
    ['status.hostIP', '192.168.0.1'],
    ['status.podIP', '10.0.0.1'],
    ['status.podIPs', '10.0.0.1'],
    ['status.phase', undefined],
    ["xmetadata.labels['b']", undefined],
    ["metadata.labels['b']x", undefined],
  ])('%s is %j', (path, value) => {
    expect(fieldValue(path, where)).toBe(value);
  });

  test.each(['labels', 'annotations'])('metadata.%s is empty where there is none', (field) => {
    expect(fieldValue(`metadata.${field}`, { ...where, pod: podOf('{}') })).toBe('');
  });

  test.each(['nodeName', 'serviceAccountName'])('spec.%s is empty where there is none', (field) => {
    expect(fieldValue(`spec.${field}`, { ...where, pod: podOf('{}') })).toBe('');
  });

  test.each([
    ["metadata.labels['a']", { map: 'metadata.labels', key: 'a' }],
    ["metadata.annotations['a/b']", { map: 'metadata.annotations', key: 'a/b' }],
    ["metadata.name['a']", undefined],
    ['metadata.labels', undefined],
  ])('the key of %s is %j', (path, key) => {
    expect(subscript(path)).toEqual(key);
  });

  test('a map without entries is an empty text', () => {
    expect([mapText(), mapText({})]).toEqual(['', '']);
  });

  const containers = read<Parameters<typeof resourceValue>[1]>(`
- {name: c, resources: {limits: {cpu: 1500m, memory: 10Mi}, requests: {cpu: 250m, memory: 1Mi}}}
- {name: d}
- {name: e, resources: {limits: {cpu: '2'}}}`);
  const room = { ...where, allocatable: { cpu: '4', memory: '1Gi' } };
  test.each([
    ['{resource: limits.cpu}', 'c', '2'],
    ['{resource: limits.cpu, divisor: 1m}', 'c', '1500'],
    ['{resource: limits.cpu, divisor: "0"}', 'c', '2'],
    ['{resource: requests.cpu, divisor: 1m}', 'c', '250'],
    ['{resource: limits.memory, divisor: 1Mi}', 'c', '10'],
    ['{resource: limits.memory, divisor: 3Mi}', 'c', '4'],
    ['{resource: requests.memory}', 'c', '1048576'],
    ['{resource: limits.cpu}', 'd', '4'],
    ['{resource: requests.cpu}', 'd', '0'],
    ['{resource: limits.memory, divisor: 1Gi}', 'd', '1'],
    ['{resource: limits.cpu, containerName: c}', 'd', '2'],
    ['{resource: limits.cpu, containerName: none}', 'c', '4'],
    ['{resource: requests.cpu}', 'e', '0'],
  ])('%s for %s is %s', (reference, own, value) => {
    expect(resourceValue(read(reference), containers, room, own)).toBe(value);
  });
});

describe('faults that annotations ask for', () => {
  const faulty = (annotations: Record<string, string>): ReturnType<typeof faultsOf> =>
    faultsOf({
      ...podOf('{}'),
      metadata: {
        annotations: Object.fromEntries(
          Object.entries(annotations).map(([name, value]) => [`simulation.vitrine.dev/${name}`, value]),
        ),
      },
    } as Pod);
  const none = { failsPull: false, exit: undefined, readyAfter: 0, probe: {} };

  test.each<[Record<string, string>, object]>([
    [{}, {}],
    [{ pull: 'fail' }, { failsPull: true }],
    [{ pull: 'other' }, {}],
    [{ 'exit-code': '3' }, { exit: { after: 1000, code: 3 } }],
    [{ 'exit-after': '5s' }, { exit: { after: 5000, code: 0 } }],
    [{ 'exit-after': '5s', 'exit-code': '3' }, { exit: { after: 5000, code: 3 } }],
    [{ 'oom-after': '2s', 'exit-code': '3' }, { exit: { after: 2000, code: 137, reason: 'OOMKilled' } }],
    [{ 'ready-after': '1m' }, { readyAfter: 60_000 }],
    [{ readiness: 'flap', liveness: 'fail', startup: 'other' }, { probe: { readiness: 'flap', liveness: 'fail' } }],
  ])('%j', (annotations, expected) => {
    expect(faulty(annotations)).toEqual({ ...none, ...expected });
  });

  test.each<[Record<string, string>, 'readiness' | 'liveness' | 'startup', number, boolean]>([
    [{}, 'readiness', 0, false],
    [{ 'ready-after': '10s' }, 'readiness', 9_999, true],
    [{ 'ready-after': '10s' }, 'startup', 9_999, true],
    [{ 'ready-after': '10s' }, 'liveness', 9_999, false],
    [{ 'ready-after': '10s' }, 'readiness', 10_000, false],
    [{ readiness: 'fail' }, 'readiness', 99_000, true],
    [{ readiness: 'fail' }, 'liveness', 99_000, false],
    [{ readiness: 'flap' }, 'readiness', 9_999, false],
    [{ readiness: 'flap' }, 'readiness', 10_000, true],
    [{ readiness: 'flap' }, 'readiness', 20_000, false],
  ])('%j fails the %s probe after %d ms: %s', (annotations, kind, since, fails) => {
    expect(failsProbe(faulty(annotations), kind, since)).toBe(fails);
  });
});
