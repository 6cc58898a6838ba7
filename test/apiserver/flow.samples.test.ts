import { expect, test } from 'vitest';
import { Sampler } from '../../src/apiserver/flow/samples.ts';
import { manualClock, Metrics } from '../../src/std/index.ts';

/** How many observations fell into each bucket's bound or below. */
function buckets(metrics: Metrics, name: string, labels: string): Record<string, number> {
  const pattern = new RegExp(
    `^apiserver_flowcontrol_priority_level_request_count_${name}_bucket\\{${labels},le="([^"]+)"\\} (\\d+)$`,
    'gm',
  );
  return Object.fromEntries(
    [...metrics.text().matchAll(pattern)].map(([, bound = '', count]) => [bound, Number(count)]),
  );
}

test('each millisecond is one sample, with its maximum and minimum', async () => {
  const clock = manualClock();
  const metrics = new Metrics();
  const sampler = new Sampler(metrics, clock, 'gold', 'executing');
  sampler.hold(10);
  await clock.step(100);
  sampler.add(5);
  sampler.add(4);
  sampler.add(-7);
  await clock.step(50);
  sampler.sample();
  const samples = buckets(metrics, 'samples', 'priority_level="gold",phase="executing"');
  expect(samples).toMatchObject({ '0': 100, '0.1': 100, '0.2': 150, '+Inf': 150 });
  const marks = (mark: string): Record<string, number> =>
    buckets(metrics, 'watermarks', `priority_level="gold",phase="executing",mark="${mark}"`);
  expect(marks('high')).toMatchObject({ '0': 100, '0.2': 149, '0.8': 149, '0.9': 150 });
  expect(marks('low')).toMatchObject({ '0': 101, '0.2': 150 });
});

test('two samples within a millisecond count once', () => {
  const metrics = new Metrics();
  const sampler = new Sampler(metrics, manualClock(), 'gold', 'waiting');
  sampler.add(1);
  sampler.sample();
  sampler.sample();
  expect(buckets(metrics, 'samples', 'priority_level="gold",phase="waiting"')['+Inf']).toBe(0);
});
