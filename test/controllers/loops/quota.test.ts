/** When quotas are counted anew, and which kinds they count. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  configMaps,
  events,
  persistentVolumeClaims,
  pods,
  replicationControllers,
  resourceQuotas,
  secrets,
  services,
  type ResourceRef,
} from '../../../src/client/index.ts';
import { Lab, type Loose } from '../lab.ts';

let lab: Lab;
let told: Loose[];
beforeEach(() => {
  lab = new Lab();
  told = lab.listen('reconcile');
});
afterEach(() => lab.stop());

const inNs = (name: string, namespace = 'ns'): Loose => ({ metadata: { name, namespace } });
const put = (hard: Record<string, string>, name = 'q', namespace = 'ns'): void =>
  void lab.server.put(resourceQuotas, { ...inNs(name, namespace), spec: { hard }, status: {} });
const pod = (name: string, cpu = '1', namespace = 'ns'): Loose => ({
  ...inNs(name, namespace),
  spec: { containers: [{ name: 'c', resources: { requests: { cpu } } }] },
  status: { phase: 'Running' },
});
const used = (name = 'q'): Loose => lab.server.get(resourceQuotas, `ns/${name}`).status.used;
const start = (): Promise<void> => lab.start(['resourcequota']);
/** Why quotas were counted since the last call. */
const woken = async (): Promise<string[]> => {
  await lab.settle();
  return told.splice(0).flatMap(({ what, key, why }) => (what === 'woken' ? [`${key}: ${why}`] : []));
};

describe('a quota', () => {
  beforeEach(async () => {
    lab.server.put(pods, pod('p'));
    lab.server.put(services, {
      ...inNs('s'),
      spec: { type: 'NodePort', ports: [{ port: 1 }, { port: 2 }] },
      status: {},
    });
    lab.server.put(persistentVolumeClaims, {
      ...inNs('c'),
      spec: { resources: { requests: { storage: '1Gi' } } },
      status: {},
    });
    put({ pods: '5', 'requests.cpu': '9', 'services.nodeports': '9', 'requests.storage': '9Gi' });
    put({ pods: '5' }, 'other');
    put({ pods: '5' }, 'elsewhere', 'x');
    await start();
    told.length = 0;
    await lab.writes();
  });

  test('counts what there is', () => {
    expect(used()).toEqual({ pods: '1', 'requests.cpu': '1', 'services.nodeports': '2', 'requests.storage': '1Gi' });
    expect(lab.server.get(resourceQuotas, 'x/elsewhere').status.used).toEqual({ pods: '0' });
  });

  test('is counted anew for all that is deleted in its namespace', async () => {
    lab.server.remove(pods, 'ns/p');
    expect((await woken()).sort()).toEqual(['ns/other: Pod ns/p changed', 'ns/q: Pod ns/p changed']);
    expect(used().pods).toBe('0');
  });

  test('is not counted anew for what is added: admission has counted it', async () => {
    lab.server.put(pods, pod('new'));
    expect([await woken(), used().pods]).toEqual([[], '1']);
  });

  test.each<[string, change: () => void, counted: boolean]>([
    ['asks for less', () => lab.server.change(pods, 'ns/p', pod('p', '500m')), true],
    ['asks for more', () => lab.server.change(pods, 'ns/p', pod('p', '2')), false],
    ['asks for the same', () => lab.server.change(pods, 'ns/p', { metadata: { labels: { a: 'b' } } }), false],
    ['has ended', () => lab.server.change(pods, 'ns/p', { status: { phase: 'Succeeded' } }), true],
    ['has fewer ports', () => lab.server.change(services, 'ns/s', { spec: { ports: [{ port: 1 }] } }), true],
    ['has no ports on nodes', () => lab.server.change(services, 'ns/s', { spec: { type: 'ClusterIP' } }), true],
  ])('is counted anew where an object %s: only if that frees something', async (_, change, counted) => {
    change();
    expect((await woken()).length > 0).toBe(counted);
  });

  test('is counted anew for its own spec, not for a status that admission writes', async () => {
    lab.server.change(resourceQuotas, 'ns/q', { status: { used: { pods: '3' } } });
    expect([await woken(), used().pods]).toEqual([[], '3']);
    lab.server.change(resourceQuotas, 'ns/q', { spec: { hard: { pods: '6' } } });
    expect(await woken()).toEqual(['ns/q: ResourceQuota ns/q changed']);
    expect(lab.server.get(resourceQuotas, 'ns/q').status.hard.pods).toBe('6');
  });

  test('that is gone is not written', async () => {
    lab.server.remove(resourceQuotas, 'ns/q');
    await woken();
    expect(await lab.requests()).toEqual([]);
  });
});

test('a quota that is not counted yet is counted again for an object that is added meanwhile', async () => {
  lab.server.refuse('PUT', /quotas/, 500, 'InternalError', 1);
  put({ pods: '5' });
  await lab.start(['resourcequota']);
  lab.server.put(pods, pod('new'));
  await lab.pass(1);
  expect(used()).toEqual({ pods: '1' });
});

test('an object that is older than the count, but seen after it, is counted', async () => {
  put({ pods: '5' });
  await start();
  told.length = 0;
  lab.server.put(pods, { ...pod('new'), metadata: { ...pod('new').metadata } });
  expect(await woken()).toEqual([]);
});

test.each<[hard: string, counted: string | undefined]>([
  ['configmaps', '1'],
  ['secrets', '2'],
  ['replicationcontrollers', '1'],
  ['resourcequotas', '1'],
  ['count/configmaps', '1'],
  ['count/robots.x.io', '1'],
  ['count/robots', undefined],
  ['robots.x.io', undefined],
  ['count/pods', '1'],
  ['count/events', undefined],
  ['count/nothing.x.io', undefined],
])('of %s a quota counts %s', async (hard, counted) => {
  const robots: ResourceRef = { group: 'x.io', version: 'v1', resource: 'robots', kind: 'Robot', namespaced: true };
  lab.server.put(configMaps, inNs('a'));
  lab.server.put(configMaps, inNs('elsewhere', 'x'));
  for (const name of ['a', 'b']) lab.server.put(secrets, inNs(name));
  lab.server.put(replicationControllers, { ...inNs('a'), spec: {}, status: { replicas: 0 } });
  lab.server.put(robots, inNs('a'));
  lab.server.put(pods, pod('p'));
  lab.server.serve(events);
  put({ [hard]: '9' });
  await start();
  expect(used()).toEqual(counted === undefined ? {} : { [hard]: counted });
  const paths = (lab.running?.view() as Loose).informers.map(({ path }: Loose) => path);
  expect(paths.includes('/api/v1/events')).toBe(false);
  expect(paths.includes('/apis/x.io/v1/robots')).toBe(hard === 'count/robots.x.io');
});

test('a quota that counts only pods needs no discovery', async () => {
  lab.server.refuse('GET', /^\/apis$/, 500, 'InternalError');
  lab.server.put(pods, pod('p'));
  put({ pods: '5', 'count/pods': '5' });
  await start();
  expect(used()).toEqual({ pods: '1', 'count/pods': '1' });
});

test('a kind is followed once for all quotas', async () => {
  lab.server.put(configMaps, inNs('a'));
  put({ configmaps: '1' });
  put({ configmaps: '1' }, 'other');
  await start();
  told.length = 0;
  lab.server.remove(configMaps, 'ns/a');
  expect((await woken()).map((each) => each.replace(/:.*/, '')).sort()).toEqual(['ns/other', 'ns/q']);
  expect([used().configmaps, used('other').configmaps]).toEqual(['0', '0']);
});
