/** Who leaves a node that is short of something, what its containers print, and whose registry asks for a login. */
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Pod, Secret } from '../../../src/client/index.ts';
import { namesOf } from '../../../src/names/index.ts';
import { evictionMessage, firstToEvict, type Shortage } from '../../../src/node/eviction.ts';
import { logResponse } from '../../../src/node/logResponse.ts';
import { LogBuffer } from '../../../src/node/pod/logBuffer.ts';
import { victimsFor } from '../../../src/node/pod/preempting.ts';
import { isFor, loginsFor } from '../../../src/node/pod/pullSecrets.ts';
import { encodeText, toBase64 } from '../../../src/std/index.ts';

const read = <T>(text: string): T => parse(text) as T;

interface Shape {
  readonly priority?: number;
  readonly requests?: Record<string, string>;
  readonly limits?: Record<string, string>;
}

const podOf = (name: string, { priority, requests, limits }: Shape = {}): Pod =>
  ({
    metadata: { name },
    status: {},
    spec: { ...(priority !== undefined && { priority }), containers: [{ name: 'c', resources: { requests, limits } }] },
  }) as unknown as Pod;
const guaranteed = (cpu: string): Shape => ({ requests: { cpu, memory: '1' }, limits: { cpu, memory: '1' } });
const CRITICAL = 2_000_000_000;

describe('whom a critical pod puts off', () => {
  test.each<[string, Record<string, number>, Record<string, Shape>, string[] | undefined]>([
    ['nobody where nothing is short', {}, { a: {} }, []],
    ['one pod where only pods are too many', { pods: 1 }, { a: {}, b: {} }, ['a']],
    ['two', { pods: 2 }, { a: {}, b: {}, c: {} }, ['a', 'b']],
    ['nobody where all are not enough', { cpu: 2000 }, { a: { requests: { cpu: '1' } } }, undefined],
    [
      'the one that is enough',
      { cpu: 1000 },
      { a: { requests: { cpu: '500m' } }, b: { requests: { cpu: '1' } } },
      ['b'],
    ],
    [
      'of those that are enough the one that asks for least',
      { cpu: 1000 },
      { a: { requests: { cpu: '3' } }, b: { requests: { cpu: '1' } }, c: { requests: { cpu: '2' } } },
      ['b'],
    ],
    [
      'several that are enough together',
      { cpu: 1000 },
      { a: { requests: { cpu: '600m' } }, b: { requests: { cpu: '500m' } }, c: { requests: { cpu: '100m' } } },
      ['a', 'b'],
    ],
    ['best effort before burstable', { pods: 1 }, { a: { requests: { cpu: '1' } }, b: {} }, ['b']],
    ['burstable before guaranteed', { cpu: 1000 }, { a: guaranteed('1'), b: { requests: { cpu: '1' } } }, ['b']],
    [
      'guaranteed where the others are not enough',
      { cpu: 1000 },
      { a: guaranteed('1'), b: { requests: { cpu: '500m' } } },
      ['a'],
    ],
    ['no critical pod of its own priority', { pods: 1 }, { a: { priority: CRITICAL + 5 } }, undefined],
    ['a critical pod of a lower priority', { pods: 1 }, { a: { priority: CRITICAL } }, ['a']],
    [
      'several resources at once',
      { cpu: 1000, memory: 100 },
      { a: { requests: { cpu: '1' } }, b: { requests: { cpu: '1', memory: '100' } } },
      ['b'],
    ],
  ])('%s', (_what, shortfall, running, expected) => {
    const pods = Object.entries(running).map(([name, shape]) => podOf(name, shape));
    const victims = victimsFor(podOf('critical', { priority: CRITICAL + 5 }), new Map(Object.entries(shortfall)), pods);
    expect(victims?.map(({ metadata }) => metadata.name)).toEqual(expected);
  });
});

describe('whom a node evicts', () => {
  type Use = Shape & { readonly memory?: number; readonly disk?: number };
  const candidate = (name: string, { memory, disk, ...shape }: Use): Parameters<typeof firstToEvict>[1][number] => ({
    pod: podOf(name, shape),
    memory: new Map(memory === undefined ? [] : [['c', memory]]),
    disk: new Map(disk === undefined ? [] : [['c', disk]]),
  });
  test.each<[string, Shortage, Record<string, Use>, string | undefined]>([
    ['nobody where nobody is', 'memory', {}, undefined],
    ['nobody who is critical', 'memory', { a: { priority: CRITICAL, memory: 5 } }, undefined],
    [
      'who uses more than it asked for',
      'memory',
      { a: { requests: { memory: '10' }, memory: 9 }, b: { memory: 1 } },
      'b',
    ],
    ['of those the one of lower priority', 'memory', { a: { memory: 9, priority: 1 }, b: { memory: 1 } }, 'b'],
    ['of equals the one that exceeds most', 'memory', { a: { memory: 1 }, b: { memory: 9 } }, 'b'],
    ['by disk', 'ephemeral-storage', { a: { memory: 9, disk: 1 }, b: { disk: 2 } }, 'b'],
    ['by priority where processes are too many', 'pids', { a: { memory: 9, priority: 2 }, b: { priority: 1 } }, 'b'],
    [
      'who uses just what it asked for comes later',
      'memory',
      { a: { requests: { memory: '9' }, memory: 9, priority: -1 }, b: { memory: 1 } },
      'b',
    ],
  ])('%s', (_what, shortage, all, expected) => {
    const found = firstToEvict(
      shortage,
      Object.entries(all).map(([name, use]) => candidate(name, use)),
    );
    expect(found?.pod.metadata.name).toBe(expected);
  });

  test.each<[Shortage, Use, string]>([
    ['memory', { memory: 2048 }, 'memory. Container c was using 2Ki, which exceeds its request of 0. '],
    [
      'memory',
      { memory: 2048, requests: { memory: '1Ki' } },
      'memory. Container c was using 2Ki, which exceeds its request of 1Ki. ',
    ],
    ['memory', { memory: 1024, requests: { memory: '1Ki' } }, 'memory. '],
    ['memory', {}, 'memory. '],
    [
      'ephemeral-storage',
      { disk: 10 },
      'ephemeral-storage. Container c was using 10, which exceeds its request of 0. ',
    ],
    ['pids', { memory: 10 }, 'pids. '],
  ])('short of %s, using %j', (shortage, use, message) => {
    expect(evictionMessage(shortage, candidate('a', use))).toBe(`The node was low on resource: ${message}`);
  });
});

describe('the log of a container', () => {
  const texts = (log: LogBuffer, start = 0): string[] => log.from(start).map(({ text }) => text);

  test('keeps whole lines, and the rest when it is closed', async () => {
    let now = 7;
    const log = new LogBuffer(() => now);
    const stream = log.stream();
    await stream.write(encodeText('one\ntw'));
    now = 8;
    await stream.write(encodeText('o\n\nthree'));
    expect([texts(log), log.end, log.size, log.isClosed]).toEqual([['one\n', 'two\n', '\n'], 3, 9, false]);
    log.close();
    await stream.write(encodeText('late\n'));
    expect([texts(log), log.end, log.isClosed]).toEqual([['one\n', 'two\n', '\n', 'three'], 4, true]);
    expect(log.from(0).map(({ at }) => at)).toEqual([7, 8, 8, 8]);
    expect([texts(log, 2), texts(log, 9)]).toEqual([['\n', 'three'], []]);
  });

  test('keeps streams apart, and goes on from earlier lines', async () => {
    const log = new LogBuffer(() => 2, [{ at: 1, text: 'before\n' }]);
    const [out, err] = [log.stream(), log.stream()];
    await out.write(encodeText('o'));
    await err.write(encodeText('e\n'));
    await out.write(encodeText('ut\n'));
    expect([texts(log), log.size]).toEqual([['before\n', 'e\n', 'out\n'], 13]);
  });

  test('cuts lines of more than 16 KiB, and drops the oldest beyond 1 MiB', async () => {
    const log = new LogBuffer(() => 0);
    const stream = log.stream();
    await stream.write(encodeText('x'.repeat(16 * 1024)));
    expect(log.end).toBe(0);
    await stream.write(encodeText('x'.repeat(16 * 1024 + 1)));
    expect([log.end, log.size]).toEqual([2, 32 * 1024]);
    for (let i = 0; i < 70; i++) await stream.write(encodeText('x'.repeat(16 * 1024)));
    expect([log.end, log.size, log.from(0).length]).toEqual([72, 1024 * 1024, 64]);
    expect(log.from(70).length).toBe(2);
  });

  test('tells who waits of the next line, of the end, or that it waits no longer', async () => {
    const log = new LogBuffer(() => 0);
    const stream = log.stream();
    let lines = 0;
    log.onLine = () => (lines += 1);
    const next = log.next(0);
    await stream.write(encodeText('part'));
    await stream.write(encodeText('\n'));
    await next;
    await log.next(0);
    const aborted = new AbortController();
    const waiting = log.next(1, aborted.signal);
    aborted.abort();
    await waiting;
    await log.next(1, aborted.signal);
    const end = log.next(1);
    log.close();
    await end;
    await log.next(99);
    expect(lines).toBe(1);
  });

  test.each<[number | undefined, string]>([
    [undefined, 'one\ntwo\n'],
    [5, 'one\nt'],
    [4, 'one\n'],
    [0, ''],
  ])('is cut off after %s bytes', async (limit, text) => {
    async function* lines(): AsyncGenerator<string> {
      yield 'one\n';
      yield 'two\n';
    }
    const response = logResponse(lines(), limit);
    expect([
      await response.text(),
      response.headers.get('content-type'),
      response.headers.get('transfer-encoding'),
    ]).toEqual([text, 'text/plain', 'chunked']);
  });

  test('is empty where there is none', async () => {
    const response = logResponse(undefined);
    expect([await response.text(), response.headers.get('content-type')]).toEqual(['', 'text/plain']);
  });

  test('is read no further by a client that goes', async () => {
    let ended = false;
    async function* endless(): AsyncGenerator<string> {
      try {
        for (;;) yield 'line\n';
      } finally {
        ended = true;
      }
    }
    const reader = logResponse(endless()).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(ended).toBe(true);
  });
});

describe('a login is for an image', () => {
  test.each([
    ['gcr.io', 'gcr.io/a/b', true],
    ['gcr.io/a', 'gcr.io/a/b', true],
    ['gcr.io/a', 'gcr.io/c/b', false],
    ['https://gcr.io', 'gcr.io/a', true],
    ['http://gcr.io/v1/', 'gcr.io/a', true],
    ['https://gcr.io/v2', 'gcr.io/a', true],
    ['gcr.io//', 'gcr.io/a', true],
    ['docker.io', 'nginx', true],
    ['https://index.docker.io/v1/', 'nginx', true],
    ['gcr.io', 'nginx', false],
    ['*.example.com', 'a.example.com/x', true],
    ['*.example.com', 'a.b.example.com/x', false],
    ['a*z.example.com', 'abcz.example.com/x', true],
    ['a*z.example.com', 'az.example.com/x', true],
    ['a*z.example.com', 'a.example.com/x', false],
    ['a*b*c.example.com', 'aXbYc.example.com/x', true],
    ['a*b*c.example.com', 'aXc.example.com/x', false],
    ['ab*bc.example.com', 'abc.example.com/x', false],
    ['*a*z.example.com', 'z.example.com/x', false],
    ['*z*z.example.com', 'z.example.com/x', false],
    ['*z*z.example.com', 'zz.example.com/x', true],
    ['a*a.example.com', 'a.example.com/x', false],
    ['a*.example.com', 'ba.example.com/x', false],
    ['example.com:5000', 'example.com:5000/x', true],
    ['example.com', 'example.com:5000/x', false],
    ['example.com.5000', 'example.com:5000/x', false],
  ])('%s for %s: %s', (registry, image, expected) => {
    expect(isFor(registry, image)).toBe(expected);
  });

  const names = namesOf('k8s.io');
  const secret = (type: string, key: string, value: unknown): Secret =>
    ({
      metadata: {},
      type,
      data: { [key]: toBase64(encodeText(typeof value === 'string' ? value : JSON.stringify(value))) },
    }) as Secret;
  const json = (value: unknown): Secret => secret('kubernetes.io/dockerconfigjson', '.dockerconfigjson', value);
  const login = { user: 'u', password: 'p' };
  test.each<[string, Secret, object[]]>([
    ['written out', json({ auths: { 'gcr.io': { username: 'u', password: 'p' } } }), [login]],
    ['in base64', json({ auths: { 'gcr.io': { auth: toBase64(encodeText('u:p')) } } }), [login]],
    ['in base64, padded with zeros', json({ auths: { 'gcr.io': { auth: toBase64(encodeText('u:p\0\0')) } } }), [login]],
    [
      'with a colon in the password',
      json({ auths: { 'gcr.io': { auth: toBase64(encodeText('u:p:q')) } } }),
      [{ user: 'u', password: 'p:q' }],
    ],
    [
      'in the old form',
      secret('kubernetes.io/dockercfg', '.dockercfg', { 'gcr.io': { username: 'u', password: 'p' } }),
      [login],
    ],
    [
      'for two folders',
      json({ auths: { 'gcr.io': { username: 'u', password: 'p' }, 'gcr.io/a': { username: 'u', password: 'p' } } }),
      [login, login],
    ],
    ['for another registry', json({ auths: { 'quay.io': { username: 'u', password: 'p' } } }), []],
    ['without a user', json({ auths: { 'gcr.io': { password: 'p' } } }), []],
    ['without a password', json({ auths: { 'gcr.io': { username: 'u' } } }), []],
    ['with nothing before the colon', json({ auths: { 'gcr.io': { auth: toBase64(encodeText(':p')) } } }), []],
    ['that are no texts', json({ auths: { 'gcr.io': { username: 1, password: 2 } } }), []],
    ['that is no object', json({ auths: { 'gcr.io': 'u:p' } }), []],
    ['without a list', json({ 'gcr.io': { username: 'u', password: 'p' } }), []],
    ['whose list is none', json({ auths: 'x' }), []],
    ['in what is no JSON', json('{'), []],
    ['in a secret of another type', secret('Opaque', '.dockerconfigjson', { auths: { 'gcr.io': login } }), []],
    ['in an empty secret', read<Secret>('{type: kubernetes.io/dockerconfigjson}'), []],
  ])('%s', (_what, from, expected) => {
    expect(loginsFor('gcr.io/a/b', from, names)).toEqual(expected);
  });
});
