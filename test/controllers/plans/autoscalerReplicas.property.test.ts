/** The arithmetic of the autoscaler beside the reference's own, step by step, over random pods. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pod } from '../../../src/client/index.ts';
import {
  averageScale,
  groupPods,
  replicasFor,
  utilizationScale,
  type Measured,
} from '../../../src/controllers/autoscaler/replicas.ts';
import { at, pod, readyPod } from './objects.ts';

type State = 'ready' | 'without a value' | 'pending' | 'failed' | 'leaving';
interface Given {
  readonly state: State;
  readonly value: number;
}
interface Sizes {
  readonly current: number;
  readonly tolerance: number;
  readonly target: number;
}

/** What each pod asks for. */
const REQUEST = 100;

/** As the reference computes it (`replica_calculator.go` of v1.20): by utilization, or by the average value. */
function byReference(all: readonly Given[], byShare: boolean, { current, tolerance, target }: Sizes): number | 'none' {
  const metrics = new Map(all.flatMap(({ state, value }, i) => (state === 'ready' ? [[i, value] as const] : [])));
  const indexesOf = (wanted: State): number[] => all.flatMap(({ state }, i) => (state === wanted ? [i] : []));
  const [ready, missing, ignored] = [indexesOf('ready').length, indexesOf('without a value'), indexesOf('pending')];
  const ratio = (): number => {
    const sum = [...metrics.values()].reduce((a, b) => a + b, 0);
    const current = Math.trunc(byShare ? (sum * 100) / (metrics.size * REQUEST) : sum / metrics.size);
    return current / target;
  };
  if (metrics.size === 0) return 'none';
  const usage = ratio();
  const rebalances = ignored.length > 0 && usage > 1;
  if (!rebalances && missing.length === 0) return Math.abs(1 - usage) <= tolerance ? current : Math.ceil(usage * ready);
  if (usage < 1) for (const i of missing) metrics.set(i, byShare ? REQUEST : target);
  else if (usage > 1 || !byShare) for (const i of missing) metrics.set(i, 0);
  if (rebalances) for (const i of ignored) metrics.set(i, 0);
  const next = ratio();
  if (Math.abs(1 - next) <= tolerance || (usage < 1 && next > 1) || (usage > 1 && next < 1)) return current;
  const replicas = Math.ceil(next * metrics.size);
  if (byShare && ((next < 1 && replicas > current) || (next > 1 && replicas < current))) return current;
  return replicas;
}

function made({ state }: Given, i: number): Pod {
  const requests = { cpu: `${REQUEST}m` };
  if (state === 'pending') return pod(`p${i}`, { phase: 'Pending', requests });
  return readyPod(`p${i}`, { requests, leaving: state === 'leaving', ...(state === 'failed' && { phase: 'Failed' }) });
}

const states = fc.constantFrom<State>('ready', 'ready', 'without a value', 'pending', 'failed', 'leaving');
const pods = fc.array(fc.record({ state: states, value: fc.constantFrom(0, 40, 50, 80, 100, 110, 150, 200, 300) }), {
  minLength: 1,
  maxLength: 6,
});
const sizes = fc.record({
  current: fc.nat(8),
  tolerance: fc.constantFrom(0, 0.1, 0.25),
  target: fc.constantFrom(50, 80, 100, 110),
});

test.each([
  ['a utilization', true],
  ['an average value', false],
])('by %s', (_, byShare) => {
  fc.assert(
    fc.property(pods, sizes, (all, { current, tolerance, target }) => {
      const objects = all.map(made);
      const usage = new Map(
        all.flatMap(({ state, value }, i) =>
          state === 'without a value' ? [] : [[objects[i] as Pod, value] as const],
        ),
      );
      const measured: Measured = {
        ...{ pods: objects, served: new Error('not asked'), readings: new Map(), namespace: 'ns' },
        ...{ current, present: current, tolerance, now: at(60) },
        warmUp: { initialization: 300_000, readinessDelay: 30_000 },
      };
      const computed = (): number => {
        const scale = byShare ? utilizationScale(objects, 'cpu', target) : averageScale(target);
        return replicasFor(usage, groupPods(usage, 'cpu', measured), scale, measured).replicas;
      };
      const expected = byReference(all, byShare, { current, tolerance, target });
      if (expected === 'none') expect(computed).toThrow('did not receive metrics for any ready pods');
      else expect(computed()).toBe(expected);
    }),
    { seed: 20, numRuns: 3000 },
  );
});
