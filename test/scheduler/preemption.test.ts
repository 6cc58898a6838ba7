import { describe, expect, test } from 'vitest';
import type { Pod, PodDisruptionBudget } from '../../src/client/index.ts';
import { Snapshot, type NodeInfo } from '../../src/scheduler/framework/nodeInfo.ts';
import { checkAs } from '../../src/scheduler/place.ts';
import { plugins } from '../../src/scheduler/plugins/index.ts';
import { choose, mayPreempt, type Candidate } from '../../src/scheduler/preemption.ts';
import { cycle, node, pod, withPods } from './objects.ts';

const small = (name: string, priority: number, cpu = '2', more: Parameters<typeof pod>[1] = {}): Pod =>
  pod(name, { requests: { cpu }, ...more, spec: { priority } });

const urgent = pod('urgent', { requests: { cpu: '2' }, spec: { priority: 100 } });

function preempt(nodes: readonly NodeInfo[], budgets: readonly PodDisruptionBudget[] = []): Candidate | undefined {
  const now = cycle(urgent, nodes);
  const fits = (candidate: NodeInfo): boolean => checkAs(now, plugins, candidate) === undefined;
  return choose({ pod: urgent, snapshot: new Snapshot(nodes), nodes: nodes.map((n) => n.name), budgets, fits });
}

const victims = (candidate: Candidate | undefined): string[] =>
  (candidate?.victims ?? []).map((v) => v.metadata.name ?? '');

describe('preemption', () => {
  test('takes no more pods away than it needs, the least important ones', () => {
    const found = preempt([withPods(node('a'), small('low', 1), small('lower', 0))]);
    expect(victims(found)).toEqual(['lower']);
  });

  test('never takes pods of equal or higher priority', () => {
    expect(preempt([withPods(node('a'), small('same', 100), small('higher', 200))])).toBeUndefined();
  });

  test('prefers the node whose most important victim matters least', () => {
    const found = preempt([withPods(node('a'), small('five', 5, '4')), withPods(node('b'), small('three', 3, '4'))]);
    expect(found?.node).toBe('b');
  });

  test('prefers the node with fewer victims where the rest is equal', () => {
    const found = preempt([
      withPods(node('a'), ...['w', 'x', 'y'].map((name) => small(name, 1, '1300m'))),
      withPods(node('b'), small('z', 1, '4')),
    ]);
    expect(found).toMatchObject({ node: 'b' });
  });

  test('spares pods that a budget protects, and counts those that it cannot spare', () => {
    const budget = {
      metadata: { name: 'b', namespace: 'ns', creationTimestamp: null },
      spec: { selector: { matchLabels: { app: 'kept' } } },
      status: { disruptionsAllowed: 0 },
    } as unknown as PodDisruptionBudget;
    const kept = small('kept', 0, '4', { labels: { app: 'kept' } });
    const found = preempt([withPods(node('a'), kept), withPods(node('b'), small('free', 50, '4'))], [budget]);
    expect(found).toMatchObject({ node: 'b', violations: 0 });
    expect(preempt([withPods(node('a'), kept)], [budget])).toMatchObject({ node: 'a', violations: 1 });
  });

  test('is not for pods that say that they never do it', () => {
    expect(mayPreempt(pod('p', { spec: { preemptionPolicy: 'Never' } }), new Snapshot([]))).toBe(false);
  });
});
