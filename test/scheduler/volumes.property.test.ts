/** Volumes, room and ports as the plugins find them, against the same rules written as plainly as they can be. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../src/client/index.ts';
import { namesOf } from '../../src/names/index.ts';
import { SchedulerCache } from '../../src/scheduler/cache.ts';
import type { Listers } from '../../src/scheduler/framework/plugin.ts';
import { withPod, withPods, withoutPod, podInfoOf, type NodeInfo } from '../../src/scheduler/framework/nodeInfo.ts';
import { Filters } from '../../src/scheduler/framework/filters.ts';
import { plugins } from '../../src/scheduler/plugins/index.ts';
import { sometimes } from './randomClusters.ts';
import { cycle, node, pod } from './objects.ts';

const names = namesOf('cluster.io');
const ZONE = names.fill('topology.{label}/zone');
const ZONES = ['x', 'y'];
const DRIVERS = ['fast', 'slow'];
const VOLUMES = [0, 1, 2, 3, 4, 5, 6, 7];

/** Volume `v3` of driver `slow` in zone `y`; its claim is `c3`. */
const volumes = new Map<string, PersistentVolume>();
const claims = new Map<string, PersistentVolumeClaim>();
const driverOf = (i: number): string => DRIVERS[i % 2] as string;
const zoneOf = (i: number): string => ZONES[i >> 2] as string;
for (const i of VOLUMES) {
  const spec = { csi: { driver: driverOf(i), volumeHandle: `h${i}` } };
  volumes.set(`v${i}`, { metadata: { name: `v${i}`, labels: { [ZONE]: zoneOf(i) } }, spec } as never);
  const annotations = { [names.fill('pv.{label}/bind-completed')]: 'yes' };
  claims.set(`ns/c${i}`, { metadata: { name: `c${i}`, annotations }, spec: { volumeName: `v${i}` } } as never);
}
const listers: Partial<Listers> = {
  claim: (namespace, name) => claims.get(`${namespace}/${name}`),
  volume: (name) => volumes.get(name),
};

interface Wanted {
  readonly claims: readonly number[];
  readonly disk: number | null;
  readonly ebs: readonly number[];
  readonly cpu: number;
  readonly port: number | null;
}

const someWanted: fc.Arbitrary<Wanted> = fc.record({
  claims: fc.uniqueArray(fc.constantFrom(...VOLUMES), { maxLength: 2 }),
  disk: sometimes(fc.constantFrom(1, 2), 4),
  ebs: fc.uniqueArray(fc.constantFrom(1, 2, 3), { maxLength: 2 }),
  cpu: fc.constantFrom(0, 1, 2),
  port: sometimes(fc.constantFrom(80, 81), 4),
});

interface SomeNode {
  readonly zone: string | null;
  readonly cpu: number;
  readonly room: number;
  readonly limits: Readonly<Record<string, number | null>>;
  readonly ebs: number;
  readonly pods: readonly Wanted[];
}

const someNode: fc.Arbitrary<SomeNode> = fc.record({
  zone: sometimes(fc.constantFrom(...ZONES), 2),
  cpu: fc.constantFrom(3, 6),
  room: fc.constantFrom(2, 10),
  limits: fc.record({ fast: sometimes(fc.constantFrom(1, 2, 3), 2), slow: sometimes(fc.constantFrom(1, 2), 2) }),
  ebs: fc.constantFrom(1, 2, 39),
  pods: fc.array(someWanted, { maxLength: 3 }),
});

let made = 0;

function podOf({ claims: claimed, disk, ebs, cpu, port }: Wanted): Pod {
  const spec = {
    containers: [
      {
        name: 'c',
        resources: { requests: cpu > 0 ? { cpu: String(cpu) } : {} },
        ports: port === null ? [] : [{ containerPort: 1, hostPort: port }],
      },
    ],
    volumes: [
      { name: 'token', secret: { secretName: 'token' } },
      ...claimed.map((i) => ({ name: `c${i}`, persistentVolumeClaim: { claimName: `c${i}` } })),
      ...ebs.map((i) => ({ name: `e${i}`, awsElasticBlockStore: { volumeID: `e${i}` } })),
      ...(disk === null ? [] : [{ name: 'd', gcePersistentDisk: { pdName: `d${disk}` } }]),
    ],
  };
  return pod(`p${made++}`, { spec: spec as never });
}

function nodeOf({ zone, cpu, room, limits, ebs }: SomeNode): NodeInfo['node'] {
  const attachable = Object.entries(limits).flatMap(([driver, limit]) =>
    limit === null ? [] : [[`attachable-volumes-csi-${driver}`, String(limit)] as const],
  );
  return node(`n${made++}`, {
    labels: zone === null ? {} : { [ZONE]: zone },
    allocatable: {
      ...Object.fromEntries(attachable),
      'attachable-volumes-aws-ebs': String(ebs),
      cpu: String(cpu),
      pods: String(room),
    },
  });
}

/** Which plugins refuse a pod on a node, by rules that look at every pod there. */
function plainRefusals(wanted: Wanted, { zone, cpu, room, limits, ebs, pods }: SomeNode): string[] {
  const clashes = pods.some(({ port }) => port !== null && port === wanted.port);
  const used = pods.reduce((sum, each) => sum + each.cpu, 0);
  const isFull = pods.length + 1 > room || (wanted.cpu > 0 && used + wanted.cpu > cpu);
  const isMounted = pods.some(
    (each) => (wanted.disk !== null && each.disk === wanted.disk) || wanted.ebs.some((i) => each.ebs.includes(i)),
  );
  const tooMany = (mine: readonly number[], theirs: readonly number[], limit: number): boolean => {
    const all = new Set([...mine, ...theirs]).size;
    return all > new Set(theirs).size && all > limit;
  };
  const ofDriver = (driver: string, all: readonly number[]): number[] => all.filter((i) => driverOf(i) === driver);
  const isBeyond = DRIVERS.some((driver) =>
    tooMany(
      ofDriver(driver, wanted.claims),
      ofDriver(
        driver,
        pods.flatMap((each) => each.claims),
      ),
      limits[driver] ?? Infinity,
    ),
  );
  const beyondEbs = tooMany(
    wanted.ebs,
    pods.flatMap((each) => each.ebs),
    ebs,
  );
  const isAway = zone !== null && wanted.claims.some((i) => zoneOf(i) !== zone);
  return [
    ...(clashes ? ['NodePorts'] : []),
    ...(isFull ? ['NodeResourcesFit'] : []),
    ...(isMounted ? ['VolumeRestrictions'] : []),
    ...(beyondEbs ? ['EBSLimits'] : []),
    ...(isBeyond ? ['NodeVolumeLimits'] : []),
    ...(isAway ? ['VolumeZone'] : []),
  ];
}

function refusals(wanted: Pod, on: NodeInfo): string[] {
  const filters = Filters.prepare(plugins, cycle(wanted, [on], listers));
  return filters.checkAll(on).flatMap(({ plugin, refusal }) => (refusal ? [plugin.name] : []));
}

const settings = { seed: 20261123, numRuns: 400 };

describe('what a node has no room for', () => {
  test('is what plain rules say', () => {
    fc.assert(
      fc.property(someWanted, someNode, (wanted, some) => {
        const expected = plainRefusals(wanted, some);
        const on = withPods(fresh(nodeOf(some)), some.pods.map(podOf).map(podInfoOf));
        expect(refusals(podOf(wanted), on)).toEqual(expected);
      }),
      settings,
    );
  });

  test('is often enough that every rule is held to something', () => {
    const seen = new Map<string, number>();
    for (const [wanted, some] of fc.sample(fc.tuple(someWanted, someNode), settings))
      for (const name of plainRefusals(wanted, some)) seen.set(name, (seen.get(name) ?? 0) + 1);
    expect([...seen.values()].every((count) => count > 10)).toBe(true);
    expect(seen.size).toBe(6);
  });

  test('does not depend on the pods that came and went before', () => {
    fc.assert(
      fc.property(someWanted, someNode, fc.array(someWanted, { maxLength: 3 }), (wanted, some, others) => {
        const there = some.pods.map(podOf).map(podInfoOf);
        const gone = others.map(podOf).map(podInfoOf);
        const crowded = [...gone, ...there].reduce(withPod, fresh(nodeOf(some)));
        const on = gone.reduce(withoutPod, crowded);
        expect(on.podsWithDisks).toEqual(on.pods.filter(({ disks }) => disks > 0));
        expect(refusals(podOf(wanted), on)).toEqual(plainRefusals(wanted, some));
      }),
      settings,
    );
  });

  test('follows pods that change on their node', () => {
    fc.assert(
      fc.property(someWanted, someNode, (wanted, some) => {
        const cache = new SchedulerCache(names);
        const on = nodeOf(some);
        cache.setNode(on);
        for (const each of some.pods.map(podOf)) {
          const placed = { ...each, spec: { ...each.spec, nodeName: on.metadata.name ?? '' } };
          cache.assume(each, on.metadata.name ?? '');
          cache.setPod(placed);
          cache.setPod({ ...placed, metadata: { ...placed.metadata, labels: { changed: 'yes' } } });
        }
        const info = cache.snapshot().nodes[0] as NodeInfo;
        expect(info.podsWithDisks).toEqual(info.pods.filter(({ disks }) => disks > 0));
        expect(refusals(podOf(wanted), info)).toEqual(plainRefusals(wanted, some));
      }),
      settings,
    );
  });
});

function fresh(on: NodeInfo['node']): NodeInfo {
  const cache = new SchedulerCache(names);
  cache.setNode(on);
  return cache.snapshot().nodes[0] as NodeInfo;
}
