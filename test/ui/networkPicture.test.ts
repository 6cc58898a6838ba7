import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { changesBetween, Matrix } from '../../src/network/index.ts';
import { policiesIn } from '../../src/ui/panels/network/draft.ts';
import { curveOf, layOut, pointAt } from '../../src/ui/panels/network/mapLayout.ts';
import { countEffects, countReach, effectOf, effectText, type Picture } from '../../src/ui/panels/network/picture.ts';
import {
  isIdle,
  matchesFilter,
  parsePort,
  portsOf,
  WorkloadMatrix,
  workloadsOf,
} from '../../src/ui/panels/network/workloads.ts';
import { ingressBackends, outsideAddresses, outsideWorkloads } from '../../src/ui/panels/network/outside.ts';
import { fitOf, rowsIn, zoomed, type Size } from '../../src/ui/panels/network/mapSize.ts';
import type { SeenFlow } from '../../src/ui/stores/flows.ts';
import { add, smallCluster } from '../network/world.ts';

const deployed = (name: string, replica: string): string => `---
kind: Pod
metadata:
  name: ${name}-abc-${replica}
  labels: {app: ${name}, pod-template-hash: abc, replica: "${replica}"}
  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: ${name}-abc, uid: u, controller: true}]
spec: {containers: [{name: c, ports: [{containerPort: 8080, name: web}]}]}
status: {phase: Running, podIP: 10.244.9.${replica}}
`;

const shop = (more = '') => smallCluster(`${deployed('web', '1')}${deployed('web', '2')}${more}`);
const finished = '---\n{kind: Pod, metadata: {name: done}, status: {phase: Succeeded}}\n';

describe('workloads', () => {
  test('are a Deployment’s pods together, and pods without an owner by themselves', () => {
    const names = workloadsOf(shop(finished), true).map(
      ({ namespace, kind, name, pods }) => `${namespace} ${kind} ${name} ${pods.length}`,
    );
    expect(names.slice(0, 4)).toEqual(['x Pod a 1', 'x Pod b 1', 'x Pod c 1', 'x Deployment web 2']);
  });

  test('are single pods where they are asked for', () => {
    expect(workloadsOf(shop(finished), false).filter(({ namespace }) => namespace === 'x')).toHaveLength(5);
  });

  test('offer the ports that their pods declare, the most common first', () => {
    const values = portsOf(workloadsOf(shop(), true), 'cluster-system').map(({ value }) => value);
    expect(values.at(-1)).toBe('TCP/8080');
    const system =
      '---\n{kind: Pod, metadata: {name: d, namespace: x}, spec: {containers: [{name: c, ports: [{containerPort: 9153}]}]}}\n';
    const few = workloadsOf(shop(system), true).filter(({ key }) => /\/(d|web)$/.test(key));
    expect(portsOf(few, 'x').map(({ value }) => value)[0]).not.toBe('TCP/9153');
    expect(parsePort('UDP/53')).toEqual({ port: 53, protocol: 'UDP' });
  });
});

function pictureOf(policy: string): Picture {
  const view = shop();
  const workloads = workloadsOf(view, true);
  const pods = workloads.flatMap((workload) => workload.pods);
  const read = (each: typeof view): WorkloadMatrix =>
    new WorkloadMatrix(new Matrix(pods, { port: 80, protocol: 'TCP' }, each), workloads);
  const next = read(add(view.fork(), `{kind: NetworkPolicy, metadata: {name: p}, spec: ${policy}}`));
  return { workloads, leftOut: 0, ports: [], port: 'TCP/80', now: read(view), next };
}

describe('what a draft would do', () => {
  test('is counted in words', () => {
    const closing = pictureOf('{podSelector: {matchLabels: {pod: a}}, ingress: []}');
    expect(countReach(closing)).toEqual({ allowed: 90, partly: 0, denied: 0 });
    expect(effectText(countEffects(closing))).toBe('closes 9 connections, opens none');
    expect(effectText({ opens: 0, closes: 0 })).toBe('changes no connection');
    expect(effectText({ opens: 2, closes: 1 })).toBe('closes 1 connection, opens 2');
  });

  test('is marked for each pair, by what the draft opens and closes', () => {
    const closing = pictureOf('{podSelector: {matchLabels: {pod: a}}, ingress: []}');
    const [a, b, c] = closing.workloads;
    const marks = ({ next, now }: Picture): unknown[] =>
      a && b && c ? [effectOf({ ...closing, now, next }, b, a), effectOf({ ...closing, now, next }, b, c)] : [];
    expect(marks(closing)).toEqual(['closes', undefined]);
    expect(marks({ ...closing, now: closing.next ?? closing.now, next: closing.now })).toEqual(['opens', undefined]);
    expect(marks({ ...closing, next: undefined })).toEqual([undefined, undefined]);
  });

  test('counts a workload when only some of its pods are cut off', () => {
    const partly = pictureOf('{podSelector: {matchLabels: {replica: "1"}}, ingress: []}');
    const web = partly.workloads.find(({ name }) => name === 'web');
    const other = partly.workloads[0];
    expect(web && other && partly.next?.reach(other, web)).toBe('some');
    expect(countEffects(partly)).toEqual({ opens: 0, closes: 10 });
  });
});

describe('a workload without a pod that runs', () => {
  const waiting = '---\n{kind: Pod, metadata: {name: waiting}, status: {phase: Pending}}\n';
  const started = deployed('web', '3').replace(/status: .*/, 'status: {phase: Pending}');

  function pictureWith(more: string) {
    const view = shop(more);
    const workloads = workloadsOf(view, true);
    const pods = workloads.flatMap((workload) => workload.pods);
    return { workloads, now: new WorkloadMatrix(new Matrix(pods, { port: 80, protocol: 'TCP' }, view), workloads) };
  }

  test('is neither reached nor denied, and is not counted', () => {
    const { workloads, now } = pictureWith(waiting);
    const [web, idle] = ['web', 'waiting'].map((wanted) => workloads.find(({ name }) => name === wanted));
    expect(idle && web && [now.reach(web, idle), now.reach(idle, web), isIdle(idle), isIdle(web)]).toEqual([
      'idle',
      'idle',
      true,
      false,
    ]);
    expect(countReach({ workloads, now })).toEqual({ allowed: 90, partly: 0, denied: 0 });
  });

  test('is told apart from one of whose pods some run', () => {
    const { workloads, now } = pictureWith(started);
    const web = workloads.find(({ name }) => name === 'web');
    const [other] = workloads;
    expect(web && other && [web.pods.length, now.reach(other, web)]).toEqual([3, 'all']);
  });
});

describe('a policy in the editor', () => {
  test.each<[text: string, spec: unknown]>([
    ['spec:\n  podSelector: {}\n  ingress:\n', { podSelector: { matchLabels: {}, matchExpressions: [] } }],
    ['spec:\n  ingress:\n    -\n', { podSelector: {}, ingress: [] }],
    ['spec:\n  podSelector: nonsense\n  ingress: 7\n', { podSelector: {} }],
    ['spec:\n  ingress:\n    - from: 3\n      ports: x\n', { podSelector: {}, ingress: [{ from: [], ports: [] }] }],
    [
      'spec:\n  ingress:\n    - from:\n        - podSelector:\n',
      { podSelector: {}, ingress: [{ from: [{}], ports: [] }] },
    ],
  ])('is taken as far as it goes: %j', (text, spec) => {
    const [policy] = policiesIn(
      `apiVersion: networking.cluster.io/v1\nkind: NetworkPolicy\nmetadata: {name: p}\n${text}`,
      'x',
    );
    expect(policy).toEqual({ metadata: { name: 'p', namespace: 'x', creationTimestamp: null }, spec });
  });
});

test('what a draft promises is what is reached when it is applied', () => {
  const selector = fc.oneof(
    fc.constant({}),
    fc.constantFrom('a', 'b').map((pod) => ({ matchLabels: { pod } })),
    fc
      .tuple(fc.constantFrom('x', 'y'), fc.constantFrom('In', 'NotIn'))
      .map(([ns, operator]) => ({ matchExpressions: [{ key: 'ns', operator, values: [ns] }] })),
    fc
      .tuple(fc.constantFrom('ns', 'pod', 'none'), fc.constantFrom('Exists', 'DoesNotExist'))
      .map(([key, operator]) => ({ matchExpressions: [{ key, operator }] })),
  );
  const peer = fc.oneof(
    selector.map((podSelector) => ({ podSelector })),
    fc.tuple(selector, selector).map(([podSelector, namespaceSelector]) => ({ podSelector, namespaceSelector })),
    fc.constant({ ipBlock: { cidr: '10.244.0.0/16', except: ['10.244.1.0/24'] } }),
  );
  const ports = fc.array(fc.record({ port: fc.constantFrom(80, 'http', 81) }), { maxLength: 2 });
  const rules = (key: string) =>
    fc.array(fc.record({ [key]: fc.array(peer, { maxLength: 2 }), ports }), { maxLength: 2 });
  const types = fc.subarray(['Ingress', 'Egress'], { minLength: 1 });
  const spec = fc.record({ podSelector: selector, policyTypes: types, ingress: rules('from'), egress: rules('to') });
  const property = fc.property(spec, (applied) => {
    const policy = {
      apiVersion: 'networking.cluster.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'p' },
      spec: applied,
    };
    const [draft] = policiesIn(stringify(policy), 'x');
    const [before, after] = [
      smallCluster(),
      smallCluster(stringify({ kind: 'NetworkPolicy', metadata: { name: 'p' }, spec: applied })),
    ];
    if (draft) before.set('networkpolicies', draft);
    const port = { port: 80, protocol: 'TCP' } as const;
    expect(
      changesBetween(new Matrix(before.all('pods'), port, before), new Matrix(after.all('pods'), port, after)),
    ).toEqual([]);
  });
  fc.assert(property, { numRuns: 100, seed: 3 });
});

describe('what is outside of the cluster', () => {
  const ingress = `
kind: IngressClass
metadata: {name: simulated}
spec: {controller: vitrine.dev/ingress}
---
kind: Ingress
metadata: {name: shop}
spec:
  ingressClassName: simulated
  rules: [{host: shop.test, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: {number: 80}}}}]}}]
`;
  const flow = (from: string, to: string): SeenFlow => ({
    ...{ topic: 'flow', at: 0, id: 1, asked: to, port: 80, protocol: 'TCP', outcome: 'delivered', count: 1 },
    from: { address: '10.244.0.1', pod: from },
    to: { address: to },
  });

  test('is on the map when it takes part', () => {
    const addresses = outsideAddresses([
      flow('x/a', '198.51.100.7'),
      flow('x/b', '198.51.100.7'),
      flow('x/b', '9.9.9.9'),
    ]);
    expect(outsideWorkloads(addresses, smallCluster()).map(({ name }) => name)).toEqual(['example.com', '9.9.9.9']);
    expect(outsideWorkloads('', smallCluster())).toEqual([]);
  });

  test('has the API server, and others behind services, by name', () => {
    const slice = (service: string, address: string): string =>
      `{kind: EndpointSlice, metadata: {name: ${service}, labels: {cluster.io/service-name: ${service}}}, endpoints: [{addresses: [${address}]}]}`;
    const view = smallCluster(`${slice('cluster', '192.0.2.1')}\n---\n${slice('metrics', '192.0.2.2')}`);
    expect(outsideWorkloads('192.0.2.1\n192.0.2.2\n192.0.2.3', view).map(({ name }) => name)).toEqual([
      'API server',
      'metrics',
      '192.0.2.3',
    ]);
  });

  test('has the ingress controller where it serves something', () => {
    const view = smallCluster(ingress);
    expect(outsideWorkloads('', view).map(({ name, key }) => [name, key])).toEqual([
      ['ingress controller', '192.0.2.80'],
    ]);
    expect([...ingressBackends(view)]).toEqual(['x/web']);
  });
});

describe('the size of the map', () => {
  type Sides = readonly [width: number, height: number];
  test.each<[title: string, place: Sides, map: Sides, size: number]>([
    ['is its own before the place is measured', [0, 0], [428, 200], 1],
    ['fits a narrow place', [385.2, 600], [428, 200], 0.9],
    ['stays readable: a wide map is scrolled', [390, 600], [1200, 200], 0.6],
    ['grows with the place', [560, 600], [400, 200], 1.4],
    ['grows no further than its height fits', [560, 240], [400, 200], 1.2],
    ['is its own where it is higher than its place', [560, 150], [400, 200], 1],
    ['grows to a limit', [2000, 1200], [400, 200], 1.6],
  ])('%s', (_, place, map, size) => {
    const [a, b] = [place, map].map(([width, height]) => ({ width, height })) as [Size, Size];
    expect(fitOf(a, b)).toBeCloseTo(size);
  });

  test('grows and shrinks within limits', () => {
    expect([zoomed(1, 'in'), zoomed(1, 'out'), zoomed(1.9, 'in'), zoomed(0.31, 'out')]).toEqual([1.25, 0.8, 2, 0.3]);
  });
});

describe('a filter', () => {
  test.each<[text: string, found: string[]]>([
    ['', ['a', 'b', 'c', 'web']],
    ['we', ['web']],
    ['x/Pod', ['a', 'b', 'c']],
    ['pod=b', ['b']],
    ['app=', ['web']],
    ['app=web, replica=2', ['web']],
    ['app=web,replica=9', []],
    ['constructor=', []],
  ])('%j finds %j', (text, found) => {
    const names = workloadsOf(shop(), true).filter(
      (workload) => workload.namespace === 'x' && matchesFilter(workload, text),
    );
    expect(names.map(({ name }) => name)).toEqual(found);
  });
});

describe('the map', () => {
  test('keeps everything in its place when others come', () => {
    const before = layOut(workloadsOf(smallCluster(), true), []);
    const after = layOut(
      workloadsOf(smallCluster('{kind: Pod, metadata: {name: zz, namespace: z}, status: {phase: Running}}'), true),
      [],
    );
    const places = (layout: typeof before, namespace: string) =>
      layout.areas.find((area) => area.namespace === namespace)?.workloads.map(({ x, y }) => [x, y]);
    expect(places(after, 'x')).toEqual(places(before, 'x'));
    expect(places(after, 'y')).toEqual(places(before, 'y'));
  });

  const many = Array.from({ length: 9 }, (_, i) => deployed(`app${i}`, String(i + 1))).join('');

  test.each<[place: string, width: number]>([
    ['on a phone', 390],
    ['beside the editor', 440],
    ['on a desk', 1000],
  ])('is as wide as there is room for readable names %s', (_, width) => {
    const place = { width, height: 600 };
    const { areas, ...size } = layOut(workloadsOf(shop(many), true), [], rowsIn(place, 12));
    const zoom = fitOf(place, { width: size.width + 24, height: size.height + 24 });
    expect(zoom).toBeGreaterThan(0.84);
    expect((size.width + 24) * zoom).toBeLessThanOrEqual(width);
    expect(areas.length).toBeGreaterThan(1);
  });

  test('leads no line of a column behind what stands between its ends', () => {
    const at = (y: number) => ({ x: 20, y, width: 168, height: 44 });
    const [from, between, to] = [at(0), at(72), at(144)];
    const points = Array.from({ length: 101 }, (_, i) => pointAt(curveOf(from, to), i / 100));
    expect([points[0], points[100]]).toEqual([
      { x: 188, y: 22 },
      { x: 188, y: 166 },
    ]);
    const behind = points.filter(({ x, y }) => y >= between.y && y <= between.y + between.height && x <= 188);
    expect(behind).toEqual([]);
    // The next column begins 28 further on, and an area ends 20 further on.
    expect(Math.max(...points.map(({ x }) => x))).toBeLessThan(208);
    const near = Array.from({ length: 11 }, (_, i) => pointAt(curveOf(from, between), i / 10)).map(({ x }) =>
      Math.round(x),
    );
    expect(new Set(near)).toEqual(new Set([104]));
  });

  test('leads no line of a row behind what stands between its ends', () => {
    const at = (x: number) => ({ x, y: 20, width: 168, height: 44 });
    const [from, between, to] = [at(0), at(196), at(392)];
    const points = Array.from({ length: 101 }, (_, i) => pointAt(curveOf(from, to), i / 100));
    expect([points[0], points[100]]).toEqual([
      { x: 84, y: 64 },
      { x: 476, y: 64 },
    ]);
    expect(Math.min(...points.map(({ y }) => y))).toBe(64);
    // The next row begins 28 further down, and an area ends 20 further down.
    expect(Math.max(...points.map(({ y }) => y))).toBeLessThan(84);
    const inTwoAreas = { ...between, x: 236 };
    for (const near of [between, inTwoAreas]) expect(curveOf(from, near).map(({ y }) => y)).toEqual([42, 42, 42, 42]);
  });

  test('keeps one column where there is room for less', () => {
    const { areas } = layOut(workloadsOf(shop(many), true), [], 100);
    expect(new Set(areas.map(({ width }) => width))).toEqual(new Set([208]));
    expect(new Set(areas.map(({ x }) => x))).toEqual(new Set([0]));
  });

  test.each([undefined, 400, 700])('lets no two boxes overlap in rows of %s', (room) => {
    const boxes = layOut(workloadsOf(shop(many), true), [], room).areas.flatMap(({ workloads }) => workloads);
    for (const a of boxes)
      for (const b of boxes) {
        const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
        expect(a === b || apart).toBe(true);
      }
  });
});
