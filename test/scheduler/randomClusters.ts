import fc from 'fast-check';
import type { Pod } from '../../src/client/index.ts';
import type { NodeInfo } from '../../src/scheduler/framework/nodeInfo.ts';
import { node, pod, withPods } from './objects.ts';

const ZONES = ['x', 'y', 'z'];
const APPS = ['web', 'db', 'job'];

const labelsOf = (app: string): Record<string, string> => ({ app });
const selecting = (app: string) => ({ labelSelector: { matchLabels: { app } } });

/** A value in one of so many cases, otherwise null. */
export const sometimes = <T>(values: fc.Arbitrary<T>, oneIn: number): fc.Arbitrary<T | null> =>
  fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: values });

/** Constraints of every kind that depends on other pods or on nodes. */
const spec: fc.Arbitrary<Partial<Pod['spec']>> = fc
  .record({
    priority: fc.constantFrom(0, 0, 10, 100),
    near: sometimes(fc.constantFrom(...APPS), 4),
    away: sometimes(fc.constantFrom(...APPS), 4),
    prefers: sometimes(fc.constantFrom(...APPS), 3),
    spread: sometimes(fc.constantFrom('DoNotSchedule', 'ScheduleAnyway'), 3),
    zone: sometimes(fc.constantFrom(...ZONES), 5),
    tolerates: fc.boolean(),
    key: fc.constantFrom('zone', 'cluster.io/hostname'),
    app: fc.constantFrom(...APPS),
  })
  .map(({ priority, near, away, prefers, spread, zone, tolerates, key, app }) => ({
    priority,
    ...(zone !== null && { nodeSelector: { zone } }),
    ...(tolerates && { tolerations: [{ key: 'busy', operator: 'Exists' as const }] }),
    affinity: {
      ...((near !== null || prefers !== null) && {
        podAffinity: {
          ...(near !== null && {
            requiredDuringSchedulingIgnoredDuringExecution: [{ ...selecting(near), topologyKey: key }],
          }),
          ...(prefers !== null && {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 7, podAffinityTerm: { ...selecting(prefers), topologyKey: key } },
            ],
          }),
        },
      }),
      ...(away !== null && {
        podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ ...selecting(away), topologyKey: key }] },
      }),
    },
    ...(spread !== null && {
      topologySpreadConstraints: [{ maxSkew: 1, topologyKey: key, whenUnsatisfiable: spread, ...selecting(app) }],
    }),
  }));

const requests = fc.record({
  cpu: fc.constantFrom('100m', '500m', '1', '2'),
  memory: fc.constantFrom('100Mi', '1Gi', '3Gi'),
});

let count = 0;

/** A pod without a node; each has a name and uid of its own. */
export const somePod: fc.Arbitrary<Pod> = fc
  .record({ app: fc.constantFrom(...APPS), requests, spec })
  .map(({ app, ...more }) => {
    const made = pod(`p${count++}`, { labels: labelsOf(app), requests: more.requests, spec: more.spec });
    return made;
  });

/** Nodes in zones, some tainted or cordoned, with pods on them. */
export const someNodes: fc.Arbitrary<NodeInfo[]> = fc.array(
  fc
    .record({
      zone: fc.option(fc.constantFrom(...ZONES), { freq: 5 }),
      cpu: fc.constantFrom('2', '4'),
      taint: fc.constantFrom(undefined, undefined, 'NoSchedule' as const, 'PreferNoSchedule' as const),
      unschedulable: fc.constantFrom(false, false, false, true),
      pods: fc.array(somePod, { maxLength: 4 }),
    })
    .map(({ zone, cpu, taint, unschedulable, pods }) => {
      const name = `n${count++}`;
      const made = node(name, {
        labels: zone === null ? {} : { zone },
        allocatable: { cpu },
        spec: { unschedulable, ...(taint && { taints: [{ key: 'busy', effect: taint }] }) } as never,
      });
      return withPods(made, ...pods);
    }),
  { minLength: 1, maxLength: 7 },
);
