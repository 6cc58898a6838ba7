import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counter, exponentialBuckets, gauge, histogram, Metrics } from '../../src/std/index.ts';

const requests = counter('requests_total', 'Requests by verb.', ['verb', 'code']);
const length = gauge('queue_length', 'How many wait.');
const duration = histogram('duration_seconds', 'How long it took.', [0.1, 1, 10], ['verb']);

describe('the text form', () => {
  test('has help and type of each family, families by name, series as they came', () => {
    const metrics = new Metrics([length]);
    metrics.add(requests, { verb: 'GET', code: '200' });
    metrics.add(requests, { verb: 'GET', code: '200' }, 2);
    metrics.add(requests, { code: '404', verb: 'PUT' });
    expect(metrics.text().split('\n')).toEqual([
      '# HELP queue_length How many wait.',
      '# TYPE queue_length gauge',
      'queue_length 0',
      '# HELP requests_total Requests by verb.',
      '# TYPE requests_total counter',
      'requests_total{verb="GET",code="200"} 3',
      'requests_total{verb="PUT",code="404"} 1',
      '',
    ]);
  });

  test('buckets of a histogram hold all up to their bound', () => {
    const metrics = new Metrics();
    for (const seconds of [0.05, 0.1, 0.5, 100]) metrics.observe(duration, { verb: 'GET' }, seconds);
    expect(metrics.text().split('\n').slice(2)).toEqual([
      'duration_seconds_bucket{verb="GET",le="0.1"} 2',
      'duration_seconds_bucket{verb="GET",le="1"} 3',
      'duration_seconds_bucket{verb="GET",le="10"} 3',
      'duration_seconds_bucket{verb="GET",le="+Inf"} 4',
      'duration_seconds_sum{verb="GET"} 100.65',
      'duration_seconds_count{verb="GET"} 4',
      '',
    ]);
  });

  test.each([
    [0, '0'],
    [12.5, '12.5'],
    [999999, '999999'],
    [1_000_000, '1e+06'],
    [10_485_760, '1.048576e+07'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [-3, '-3'],
    [NaN, 'NaN'],
    [Infinity, '+Inf'],
  ])('writes %d as %s', (value, text) => {
    const metrics = new Metrics();
    metrics.set(length, {}, value);
    expect(metrics.text()).toContain(`queue_length ${text}\n`);
  });

  test('escapes whatever a label holds', () => {
    fc.assert(
      fc.property(fc.string(), (verb) => {
        const metrics = new Metrics();
        metrics.add(requests, { verb, code: '200' });
        const line = metrics.text().trimEnd().split('\n').at(-1) ?? '';
        const written = /verb="((?:[^"\\]|\\.)*)",code/s.exec(line)?.[1] ?? '';
        const read = written.replace(/\\(.)/g, (_, c: string) => (c === 'n' ? '\n' : c));
        return read === verb;
      }),
    );
  });
});

test('gauges are brought up to date before each reading', () => {
  const metrics = new Metrics();
  let waiting = 3;
  const end = metrics.onCollect(() => metrics.set(length, {}, waiting));
  expect(metrics.text()).toContain('queue_length 3');
  waiting = 4;
  expect(metrics.text()).toContain('queue_length 4');
  end();
  waiting = 5;
  expect(metrics.text()).toContain('queue_length 4');
});

test('a name is used once', () => {
  const metrics = new Metrics([length]);
  expect(() => metrics.register([gauge('queue_length', 'Another.')])).toThrow('queue_length');
});

test('a series that is kept at hand counts like one that is looked up', () => {
  const metrics = new Metrics();
  const series = metrics.at(requests, { verb: 'GET', code: '200' });
  series.add();
  metrics.add(requests, { verb: 'GET', code: '200' });
  expect(series.value).toBe(2);
});

test('bounds that double', () => {
  expect(exponentialBuckets(1024, 2, 3)).toEqual([1024, 2048, 4096]);
});
