import { describe, expect, it, test } from 'vitest';
import * as values from '../../../src/schema/values/index.ts';

describe('times', () => {
  test.each([
    ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
    ['2020-01-01T02:00:00+02:00', '2020-01-01T00:00:00Z'],
    ['2020-01-01T00:00:00.999Z', '2020-01-01T00:00:00Z'],
    ['0001-01-01T00:00:00Z', null],
    ['2020-02-30T00:00:00Z', undefined],
    ['2020-01-01 00:00:00Z', undefined],
    ['2020-01-01T24:00:00Z', undefined],
    ['2020-01-01', undefined],
    ['', undefined],
  ])('%s is %s', (text, expected) => expect(values.canonicalTime(text)).toBe(expected));

  test.each([
    ['2020-01-01T00:00:00.123456Z', '2020-01-01T00:00:00.123456Z'],
    ['2020-01-01T00:00:00Z', undefined],
    ['2020-01-01T00:00:00.123Z', undefined],
  ])('%s in microseconds is %s', (text, expected) => expect(values.canonicalMicroTime(text)).toBe(expected));

  it('format milliseconds', () => {
    expect(values.formatTime(1_500)).toBe('1970-01-01T00:00:01Z');
    expect(values.formatMicroTime(1_500)).toBe('1970-01-01T00:00:01.500000Z');
    expect(values.parseTime('1970-01-01T00:00:01.5Z')).toBe(1_500);
  });
});

describe('durations', () => {
  test.each([
    ['8760h', 8760 * 3_600_000, '8760h0m0s'],
    ['90s', 90_000, '1m30s'],
    ['1.5s', 1_500, '1.5s'],
    ['300ms', 300, '300ms'],
    ['-1m', -60_000, '-1m0s'],
    ['0', 0, '0s'],
    ['1h15m30.5s', 4_530_500, '1h15m30.5s'],
  ])('%s', (text, ms, canonical) => {
    expect(values.parseDuration(text)).toBeCloseTo(ms);
    expect(values.formatDuration(ms)).toBe(canonical);
  });

  test.each(['', '1', 'x', '1d', 's', '1h 2m', '.s'])('%j is none', (text) =>
    expect(values.parseDuration(text)).toBeUndefined(),
  );

  test('a long text that is nearly one is refused in linear time', () => {
    expect(values.parseDuration(`${'1'.repeat(1_000_000)}x`)).toBeUndefined();
  });
});

describe('names', () => {
  test.each([
    ['checkLabel', 'my-name', 0],
    ['checkLabel', 'My', 1],
    ['checkLabel', 'a'.repeat(64), 1],
    ['checkLabel', '', 1],
    ['checkSubdomain', 'a.b-c', 0],
    ['checkSubdomain', 'a..b', 1],
    ['checkServiceLabel', '1a', 1],
    ['checkQualifiedName', 'example.com/a', 0],
    ['checkQualifiedName', '', 2],
    ['checkQualifiedName', '/a', 1],
    ['checkQualifiedName', 'a/b/c', 1],
    ['checkQualifiedName', 'X/', 3],
    ['checkLabelValue', '', 0],
    ['checkLabelValue', '-', 1],
    ['checkPathSegment', '..', 1],
    ['checkPathSegment', 'a/b%', 2],
    ['checkPathSegment', 'system:node', 0],
    ['checkEnvName', '1A', 1],
    ['checkEnvName', '..a', 1],
    ['checkConfigKey', '..', 1],
    ['checkPortName', 'a--b-', 2],
    ['checkPortName', '123', 1],
    ['checkPercent', '5', 1],
  ] as const)('%s(%j) has %i complaints', (check, text, count) => expect(values[check](text)).toHaveLength(count));
});

describe('addresses', () => {
  test.each([
    ['10.0.0.1', '10.0.0.1'],
    ['010.0.0.1', '10.0.0.1'],
    ['::FFFF:1.2.3.4', '1.2.3.4'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['256.0.0.1', undefined],
    ['1.2.3', undefined],
    ['fe80::1%eth0', undefined],
    ['', undefined],
  ])('%s is %s', (text, expected) => {
    const address = values.parseAddress(text);
    expect(address && values.formatAddress(address)).toBe(expected);
  });

  it('blocks hold addresses of their family', () => {
    const block = values.parseBlock('10.1.2.3/8');
    expect(block?.text).toBe('10.0.0.0/8');
    expect(block && values.contains(block, values.parseAddress('10.200.0.1')!)).toBe(true);
    expect(block && values.contains(block, values.parseAddress('::1')!)).toBe(false);
    expect(values.parseBlock('2001:db8::1/33')?.text).toBe('2001:db8::/33');
    expect(values.parseBlock('10.0.0.0/33')).toBeUndefined();
    expect(values.parseBlock('10.0.0.0')).toBeUndefined();
  });
});

describe('schedules', () => {
  const at = (text: string): number => Date.parse(text);
  const next = (schedule: string, from: string): string | undefined => {
    const parsed = values.parseSchedule(schedule);
    if (!values.isSchedule(parsed)) return parsed.error;
    const ms = parsed.next(at(from));
    return ms === undefined ? undefined : values.formatTime(ms);
  };

  test.each([
    ['* * * * *', '2020-01-01T00:00:00Z', '2020-01-01T00:01:00Z'],
    ['*/7 1-3 * * 1-5', '2020-01-04T00:00:00Z', '2020-01-06T01:00:00Z'],
    ['59 23 31 12 6', '2020-01-01T00:00:00Z', '2020-12-05T23:59:00Z'],
    ['0 0 1 1 *', '2020-01-01T00:00:00Z', '2021-01-01T00:00:00Z'],
    ['0-10 * * feb fri', '2020-01-01T00:00:00Z', '2020-02-07T00:00:00Z'],
    ['0 0 29 2 *', '2021-01-01T00:00:00Z', '2024-02-29T00:00:00Z'],
    ['0 0 30 2 *', '2021-01-01T00:00:00Z', undefined],
    [', * * * *', '2021-01-01T00:00:00Z', undefined],
    ['@every 90s', '2020-01-01T00:00:00.400Z', '2020-01-01T00:01:30Z'],
    ['@hourly', '2020-01-01T00:30:00Z', '2020-01-01T01:00:00Z'],
    ['5/20 * * * ?', '2020-01-01T00:06:00Z', '2020-01-01T00:25:00Z'],
  ])('%s after %s', (schedule, from, expected) => expect(next(schedule, from)).toBe(expected));

  test.each([
    '',
    ' ',
    '* * * *',
    '* * * * * *',
    '60 * * * *',
    '* * * * 7',
    '@reboot',
    '@Hourly',
    '@every',
    '@every x',
    '*/0 * * * *',
    '-1 * * * *',
    '5-1 * * * *',
    '* * * * mon-',
  ])('%j is none', (text) => expect(values.isSchedule(values.parseSchedule(text))).toBe(false));
});

describe('numbers or texts', () => {
  test.each([
    ['25%', 10, 'up', 3],
    ['25%', 10, 'down', 2],
    [4, 10, 'up', 4],
    ['x', 10, 'up', undefined],
  ] as const)('%s of %i, rounded %s', (value, total, round, expected) =>
    expect(values.scaledValue(value, total, round)).toBe(expected),
  );
});

describe('versions', () => {
  test.each([
    ['v1', '', 'v1'],
    ['apps/v1', 'apps', 'v1'],
    ['x.io/v1/more', 'x.io', 'v1/more'],
    ['', '', ''],
  ])('%j names the group %j and the version %j', (text, group, version) => {
    expect(values.groupVersionOf(text)).toEqual({ group, version });
    expect(values.groupOf(text)).toBe(group);
  });
});
