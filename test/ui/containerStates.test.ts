import { describe, expect, test } from 'vitest';
import { entriesOf, pathOf, textOf } from '../../src/ui/panels/files/reading.ts';
import { backOffEnd, lastFailure, probesOf, sentenceOf } from '../../src/ui/panels/object/describe/containerStates.ts';

const now = Date.parse('2026-01-01T00:10:00Z');
const ended = (exitCode: number, reason = 'Error'): object => ({
  terminated: { exitCode, reason, finishedAt: '2026-01-01T00:09:50Z' },
});
const crashing = (message: string): object => ({
  state: { waiting: { reason: 'CrashLoopBackOff', message } },
  lastState: ended(1),
});

describe('a container’s state in a sentence', () => {
  test.each<[object, string]>([
    [{ state: { running: { startedAt: '2026-01-01T00:00:00Z' } } }, 'It has run for 10m.'],
    [
      { state: { running: { startedAt: '2026-01-01T00:09:55Z' } }, lastState: ended(137, 'OOMKilled') },
      'It has run for 5s. Before, it ended with exit code 137: it used more memory than its limit, 10s ago.',
    ],
    [{ state: ended(0, 'Completed') }, 'It ended with exit code 0, 10s ago.'],
    [{ state: ended(143) }, 'It ended with exit code 143: it was ended by SIGTERM, 10s ago.'],
    [
      crashing('back-off 40s restarting failed container=c pod=p'),
      'It ended with exit code 1, 10s ago. It is started again in 30 s. Each crash doubles the wait, up to five minutes.',
    ],
    [
      crashing('back-off 10s restarting failed container=c pod=p'),
      'It ended with exit code 1, 10s ago. It is about to be started again. Each crash doubles the wait, up to five minutes.',
    ],
    [{ state: { waiting: { reason: 'ErrImagePull' } } }, 'Its image could not be pulled.'],
    [{ state: { waiting: { reason: 'constructor' } } }, ''],
  ])('%j', (status, sentence) => {
    expect(sentenceOf(status, now)).toBe(sentence);
  });

  test.each([
    ['back-off 2m40s restarting', 160_000],
    ['back-off 5m0s restarting', 300_000],
    ['something else', undefined],
  ])('%s: until when', (message, after) => {
    const finished = Date.parse('2026-01-01T00:09:50Z');
    expect(backOffEnd(crashing(message))).toBe(after === undefined ? undefined : finished + after);
  });
});

describe('probes', () => {
  test.each([
    [
      { readinessProbe: { httpGet: { path: '/ready', port: 80 }, periodSeconds: 2, failureThreshold: 1 } },
      'readiness: GET /ready on port 80 every 2 s; after one failure the pod leaves its services.',
    ],
    [
      { livenessProbe: { tcpSocket: { port: 'db' } } },
      'liveness: A connection to port db every 10 s; after 3 failures in a row the container is restarted.',
    ],
    [
      { startupProbe: { exec: { command: ['cat', '/up'] } } },
      'startup: The command “cat /up” every 10 s; after 3 failures in a row the container is restarted; until it succeeds the other probes wait.',
    ],
  ])('%j', (container, text) => {
    expect(probesOf(container).map(({ kind, rule }) => `${kind}: ${rule}`)).toEqual([text]);
  });

  test('show the last failure of this container', () => {
    const event = (message: string, lastTimestamp: string, container = 'c', count = 1): object => ({
      reason: 'Unhealthy',
      message,
      lastTimestamp,
      count,
      involvedObject: { fieldPath: `spec.containers{${container}}` },
    });
    const events = [
      event('Readiness probe failed: old', '2026-01-01T00:01:00Z'),
      event('Readiness probe failed: HTTP probe failed with statuscode: 500', '2026-01-01T00:09:30Z', 'c', 4),
      event('Readiness probe failed: other', '2026-01-01T00:09:59Z', 'd'),
      event('Liveness probe failed: no', '2026-01-01T00:09:58Z'),
    ];
    expect(lastFailure('readiness', 'c', events, now)).toBe(
      'failed 30s ago, 4 times in all: HTTP probe failed with statuscode: 500',
    );
    expect(lastFailure('startup', 'c', events, now)).toBe('');
  });
});

describe('files of a container', () => {
  test('are read from what ls writes', () => {
    const listing = [
      'total 16',
      '-rw-r--r--    1 root     root           152 Nov 22 15:20 index.html',
      'drwxr-xr-x    2 root     root          4096 Jan  5  2025 conf d',
      'lrwxrwxrwx    1 root     root             7 Nov 22 15:20 bin -> usr/bin',
      'crw-rw-rw-    1 root     root        1,   3 Nov 22 15:20 null',
      'drwxrwxrwt 2 root root 4096 Nov 22 15:20 .hidden',
      'nonsense',
    ].join('\n');
    expect(entriesOf(listing).map(({ name, type, size, to }) => [name, type, size, to])).toEqual([
      ['.hidden', 'directory', 4096, undefined],
      ['conf d', 'directory', 4096, undefined],
      ['bin', 'link', 7, 'usr/bin'],
      ['index.html', 'file', 152, undefined],
      ['null', 'other', 1, undefined],
    ]);
  });

  test.each([
    ['/', 'etc', '/etc'],
    ['/etc', 'hosts', '/etc/hosts'],
    ['/etc/nginx', '..', '/etc'],
    ['/etc', '..', '/'],
  ])('from %s %s leads to %s', (directory, name, path) => {
    expect(pathOf(directory, name)).toBe(path);
  });

  test('are shown where they are text, even when a character was cut off', () => {
    const bytes = new TextEncoder().encode('aé');
    expect([
      textOf(bytes),
      textOf(bytes.subarray(0, 2)),
      textOf(Uint8Array.of(1, 0)),
      textOf(Uint8Array.of(255, 65, 66, 67, 68)),
    ]).toEqual(['aé', 'a', undefined, undefined]);
  });
});
